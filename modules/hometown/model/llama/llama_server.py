"""llama.cpp as a server that is always available: started on demand, restarted after it has died,
and shared by all users of the same file.
"""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from hometown.errors import BadInput, ModelBusy, ModelUnavailable
from hometown.language import Lang
from hometown.model.llama.log import LlamaLog
from hometown.model.llama.process import Address, Child, LlamaOptions, log_file
from hometown.model.notes import MODEL_NOTES
from hometown.text import Phrase, fill, translate_all

DELAY = 2.0
"""Seconds of loading after which the user is notified."""

REAPING_SECONDS = 0.2
"""Seconds that may pass until a process whose connections have broken is known to have ended."""

MOST_STARTS = 30
"""Processes that one server may use up: a model on which llama.cpp keeps dying cannot be used."""

_shared: weakref.WeakValueDictionary[LlamaOptions, LlamaServer] = weakref.WeakValueDictionary()
_folder: Path | None = None


class LlamaServer:
    """One GGUF file, served by one process at a time; the process ends with this object, or with
    the program.

    `name` is the model's name in messages; `starts` counts the processes so far.
    """

    def __init__(self, name: str, order: LlamaOptions) -> None:
        self.name, self.order, self.log = name, order, LlamaLog()
        self._child: Child | None = None
        self._served = False
        self._reported_death: Child | None = None
        """The process whose death was reported, by the request that failed or at the next start."""

        self._starting = threading.RLock()
        self._awaiting = 0
        """Callers of `address` that wait for the process."""

        self.starts = 0
        self.speed: tuple[float, float] | None = None
        """Tokens a second of prompts read and of replies written, from one request; None until
        measured.
        """

        self.slow = False
        """True if its speed could not be measured because it writes less than
        `llm.min_tokens_per_second`.
        """

        self._end: Callable[[], object] = lambda: None

    @property
    def running(self) -> Address | None:
        """The address of the process, or None if none serves."""
        return self._child.address if self._child and not self._child.has_ended else None

    @property
    def guided(self) -> bool:
        """Return True if the process accepts grammars of llguidance."""
        return self._child is not None and self._child.guided

    async def death(self) -> ModelBusy | None:
        """Return the error to raise if a request failed because the process died, or None if it
        lives.
        """
        if self._child is None:
            return None
        await asyncio.to_thread(self._child.thread.join, REAPING_SECONDS)
        if not self._child.has_ended:
            return None
        self._reported_death = self._child
        return ModelBusy(self._death_of(self._child))

    async def address(self, lang: Lang, notify: Callable[[str], None], seconds: float) -> Address:
        """Call `start` without blocking the event loop. A caller that is cancelled stops the
        starting process if no other waits for it.
        """
        if running := self.running:
            return running
        self._awaiting += 1
        try:
            return await asyncio.to_thread(self._start_if_awaited, lang, notify, seconds)
        except asyncio.CancelledError:
            if self._awaiting == 1:
                self.stop()
            raise
        finally:
            self._awaiting -= 1

    def _start_if_awaited(
        self, lang: Lang, notify: Callable[[str], None], seconds: float
    ) -> Address:
        """Call `start`, unless all callers were cancelled while an earlier start was under way."""
        with self._starting:
            if not self._awaiting:
                raise asyncio.CancelledError
            return self.start(lang, notify, seconds)

    def start(self, lang: Lang, notify: Callable[[str], None], seconds: float) -> Address:
        """Return the address of the process; start it and wait for it if there is none.

        A wait of more than `DELAY` seconds is reported to `notify`.

        Raises:
            BadInput: The model cannot be loaded, or not within `seconds`.
            ModelBusy: The same, for a model that was loaded before.
            ModelUnavailable: The server has used up `MOST_STARTS` processes.
        """
        with self._starting:
            if running := self.running:
                return running
            if self.starts >= MOST_STARTS:
                raise ModelUnavailable(
                    "{name}: llama.cpp has ended {count} times; the reason is in its log",
                    name=self.name,
                    count=self.starts,
                )
            self.starts += 1
            if self._child and self._child.has_died and self._child is not self._reported_death:
                notify(self._death_of(self._child).localize(lang))
            self.stop()
            self._child = child = Child(self.order, self.log)
            self._end = weakref.finalize(self, child.stop)
            child.start()
            try:
                report = self._await_report(child.report, lang, notify, seconds)
            except BaseException:
                self.stop()
                raise
            if "address" not in report:
                raise self._cannot_serve(self._failure(report))
            self._served = True
            assert child.address
            return child.address

    def stop(self) -> None:
        """End the process, if there is one."""
        self._end()

    def _await_report(
        self,
        report: Future[dict[str, Any]],
        lang: Lang,
        notify: Callable[[str], None],
        seconds: float,
    ) -> dict[str, Any]:
        words, began = translate_all(MODEL_NOTES, lang), time.monotonic()
        try:
            return report.result(min(DELAY, seconds))
        except TimeoutError:
            size = f"{Path(self.order.file).stat().st_size / 1e9:.1f}"
            notify(fill(words["llama_loading"], {"name": self.name, "size": size}, lang))
        try:
            waited = report.result(seconds)
        except TimeoutError:
            raise self._cannot_serve(
                Phrase(
                    "{name}: llama.cpp has not loaded it within {seconds:g} s (machine.timeout_seconds)",
                    name=self.name,
                    seconds=seconds,
                )
            ) from None
        if "address" in waited:
            notify(
                fill(
                    words["llama_loaded"],
                    {"name": self.name, "seconds": f"{time.monotonic() - began:.0f}"},
                    lang,
                )
            )
        return waited

    def _cannot_serve(self, problem: Phrase) -> BadInput | ModelBusy:
        """Return the error for a failed start: ModelBusy for a model that was loaded before."""
        return ModelBusy(problem, overloaded=True) if self._served else BadInput(problem)

    def _death_of(self, child: Child) -> Phrase:
        return Phrase(
            "{name}: llama.cpp has ended (code {code}) and is started again",
            name=self.name,
            code=child.exit_code,
        )

    def _failure(self, report: dict[str, Any]) -> Phrase:
        """Return the reason for the failed start, in one line."""
        match report.get("failure"):
            case "package":
                return missing_package(self.name)
            case "memory":
                needed, free = (
                    f"{count / 1e9:.1f}" for count in (self.order.needed, report["free"])
                )
                return Phrase(
                    "{name}: too little memory: with {slots} concurrent requests of {context} tokens the model needs about {needed} GB, and {free} GB are free;"
                    " lower machine.slots or llm.num_ctx, or use a smaller model",
                    name=self.name,
                    slots=self.order.slots,
                    context=self.order.context,
                    needed=needed,
                    free=free,
                )
            case _:
                reason = (self._child and self._child.error) or Phrase(
                    "it ended with code {code}", code=self._child and self._child.exit_code
                )
                return Phrase(
                    "{name}: llama.cpp cannot load this file ({reason}); is it complete?",
                    name=self.name,
                    reason=reason,
                )


def missing_package(name: str) -> Phrase:
    """Return the message that llama.cpp is not installed, with the command that installs it."""
    return Phrase("{name}: llama.cpp is not installed: pip install xllamacpp", name=name)


def server_for(name: str, order: LlamaOptions) -> LlamaServer:
    """Return the server for an order; equal orders share one."""
    server = _shared.get(order)
    if server is None:
        server = _shared[order] = LlamaServer(name, order)
        if _folder:
            server.log.write_to(log_file(_folder, order))
    return server


def stop_all() -> None:
    """End the processes of all servers of this program."""
    for server in list(_shared.values()):
        server.stop()


def measured_speed(name: str) -> tuple[float, float] | None:
    """Return the measured speed of the model of that name, as `LlamaServer.speed`, or None."""
    return next((server.speed for server in _shared.values() if server.name == name), None)


def writes_too_slowly(name: str) -> bool:
    """Return True if the model of that name is `slow` in the sense of `LlamaServer`."""
    return any(server.slow for server in _shared.values() if server.name == name)


def keep_logs(folder: Path) -> None:
    """Write the logs of all servers to `folder`, that of the simulated run, from now on."""
    global _folder
    _folder = folder
    for order, server in list(_shared.items()):
        server.log.write_to(log_file(folder, order))
