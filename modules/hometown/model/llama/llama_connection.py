"""HTTP to our own llama.cpp, at the address of its current process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from hometown.language import Lang
from hometown.model.connection import Connection, Response, Unreachable
from hometown.model.envelope import BadResponse
from hometown.model.llama.llama_server import LlamaServer
from hometown.model.llama.process import Address
from hometown.model.retrying import notify_user


class LlamaConnection(Connection):
    """A connection that starts llama.cpp on first use, and again after it has died. A start may
    take `seconds` at most.

    A start that takes long is reported to `notify`, in `lang`.
    """

    def __init__(
        self,
        server: LlamaServer,
        seconds: float,
        lang: Lang = "en",
        notify: Callable[[str], None] = notify_user,
    ) -> None:
        super().__init__("http://127.0.0.1")
        self.lang, self.notify = lang, notify
        self._llama, self._seconds = server, seconds
        self._at: Address | None = None
        self._inner: Connection | None = None

    async def ready(self) -> Connection:
        """Return the connection to the current process.

        Raises:
            BadInput: The model cannot be loaded.
            ModelBusy: It was loaded before, and a restart may succeed.
            ModelUnavailable: It was loaded before, and has died too often.
        """
        at = await self._llama.address(self.lang, self.notify, self._seconds)
        if self._inner is None or at != self._at:
            await self.close()
            self._at, self._inner = at, Connection(at.url, at.key)
        return self._inner

    @asynccontextmanager
    async def response(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Response]:
        """Send one request and enter its response while it arrives. Raises ModelBusy if the process
        has died meanwhile, else as any connection does.
        """
        try:
            async with (await self.ready()).response(method, path, body) as response:
                yield response
        except (Unreachable, BadResponse) as error:
            if died := await self._llama.death():
                raise died from error
            raise

    async def close(self) -> None:
        """Close all connections, and leave the process running."""
        if self._inner:
            await self._inner.close()
