"""`gguf:FILE` as a language model: requests go to our own llama.cpp by the protocol of
OpenAI-compatible servers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hometown.errors import ModelUnavailable
from hometown.language import Lang
from hometown.model.decoding import SPACING
from hometown.model.llama.gguf_files import GGUF, open_server
from hometown.model.llama.llama_connection import LlamaConnection
from hometown.model.llm import Completion, Request
from hometown.model.openai_server import WAYS, OpenAIModel
from hometown.model.watchdog import TooSlow
from hometown.model.ways import LearntWay, Way
from hometown.records import Message
from hometown.settings import Settings

SPEED_REQUEST = Request(
    kind="speed",
    lang="en",
    variables=None,
    messages=(
        Message(
            "user",
            "Somebody walks to the shop, buys bread and walks home. " * 10
            + "What happens next? Answer as JSON.",
        ),
    ),
    schema={
        "type": "object",
        "properties": {"next": {"type": "string"}},
        "required": ["next"],
        "additionalProperties": False,
    },
    max_tokens=16,
    temperature=0.0,
)
"""A request of about 150 tokens that measures the speed: short, since a large model on a CPU reads
some ten tokens a second.
"""


REPETITION_PENALTY = {"dry_multiplier": 0.8, "dry_allowed_length": 10, "dry_penalty_last_n": 128}
"""llama.cpp's own remedy against repetition, to which small models tend: the longer a sequence of
tokens repeats one of the last 128, the less likely its next token is. Ten tokens may be repeated:
where only four might, Chinese names and set phrases came out misspelt or in English.
"""

GRAMMAR = "%llguidance {}\nstart: %json "
"""Start of a grammar that consists of a JSON schema, for builds of llama.cpp with llguidance."""


class GgufModel(OpenAIModel):
    """One GGUF file on llama.cpp. Raises BadInput if the file or the package is missing, or the
    file holds no language model.

    The process is started by `load`, or else by the first request, and restarted by the next
    request after it has died.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        server, header = open_server(model, settings)
        own = LlamaConnection(server, settings.machine.timeout_seconds)
        super().__init__(model, settings, own)
        self.way = LearntWay(WAYS[:1])  # the grammar is our own server's: it is obeyed
        self.name = GGUF + model
        self.kind = header.parameters
        """The number of parameters in words, such as "135M"; "" if unknown."""

        self.server = server
        self._own = own

    def _body(self, request: Request, seed: int, way: Way) -> dict[str, Any]:
        body = super()._body(request, seed, way) | REPETITION_PENALTY
        if self.server.guided and (form := body.get("response_format", {}).get("json_schema")):
            del body["response_format"]
            body["grammar"] = GRAMMAR + json.dumps(form["schema"] | {"x-guidance": SPACING})
        return body

    def context(self, kind: str) -> float:
        """Return `llm.num_ctx` or the context that the model was trained for, whichever is less."""
        return self.server.order.context

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Start llama.cpp and measure its speed. A start that takes long, now or later, is reported
        to `notify`, in `lang`. Raises BadInput if it cannot start.
        """
        self._own.lang, self._own.notify = lang, notify
        await self._own.ready()
        if self.server.speed is None:
            try:
                self.server.speed = speed_of(await self.complete(SPEED_REQUEST, seed=1))
            except (
                ModelUnavailable
            ) as error:  # the first call of the run will fail in the same way, and report it
                self.server.slow = isinstance(error.__cause__, TooSlow)


def speed_of(completion: Completion) -> tuple[float, float] | None:
    """Return the tokens a second of a prompt read and of a reply written, or None if the server
    does not report times.
    """
    if not completion.read_ms or not completion.write_ms:
        return None
    read = completion.prompt_tokens - completion.cached_tokens
    return 1000 * read / completion.read_ms, 1000 * completion.reply_tokens / completion.write_ms
