"""The ways of asking a model for JSON, and the one that a model on a server is known to obey.

A server may ignore the schema, or only while thinking is off; a model may think where it should
not. The first replies show it: if one is no object with the fields asked for, the other ways are
tried on the same request, and the first that is obeyed is kept, by server, its version and model.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Literal

import orjson

from hometown.files import atomic_write
from hometown.model.llm import Completion, Request
from hometown.model.reply_parsing import ONLY_REASONING, holds_object
from hometown.paths import MODELS

FILE = MODELS / "ways.json"
"""The ways that were learnt on this machine, by server, its version and model."""

FIRST_REPLIES = 3
"""Replies from which a way is learnt; after that, it stays as it is."""

REASONING_TOKENS = 1024
"""Tokens that a reply may have beside its own limit where a model cannot be kept from reasoning."""

Form = Literal["json_schema", "json_object", "text"]
Thinking = Literal["off", "low", "asked", "default"]

NO_THINKING = " /no_think"
"""Words at the end of a prompt with which Qwen 3 is asked not to think, where its server cannot turn
thinking off.
"""


@dataclass(frozen=True)
class Way:
    """A way of asking: the form that the server is to enforce, what it is told about thinking, and
    whether a reply has room for reasoning.
    """

    form: Form
    thinking: Thinking
    is_reasoning: bool = False

    @property
    def extra_tokens(self) -> int:
        """The tokens that a reply may have beside its own limit."""
        return REASONING_TOKENS * self.is_reasoning

    @property
    def suffix(self) -> str:
        """The words that are added to the last message."""
        return NO_THINKING if self.thinking == "asked" else ""

    def limit(self, request: Request) -> int:
        """Return the tokens that a reply may have."""
        return request.max_tokens + self.extra_tokens


class LearntWay:
    """The way in which one model on one server is asked, and the other ways to try."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self.ways = tuple(ways)
        self.current = self.ways[0]
        self._left = FIRST_REPLIES
        self._key = ""

    def restore(self, server: str, version: str, model: str) -> None:
        """Take the way that was learnt before; what is learnt from now on is kept."""
        self._key = " ".join((server, version, model))
        with suppress(KeyError, TypeError, ValueError):
            way = Way(**_read()[self._key])
            self.current = self.ways[self.ways.index(way)]

    def is_open(self, request: Request, completion: Completion) -> bool:
        """Return whether other ways are to be tried, since this reply is not what was asked for."""
        if self._left <= 0 or completion.broken not in ("", ONLY_REASONING):
            return False
        if obeys(request, completion):
            self._left = 0
            return False
        self._left -= 1
        return True

    def others(self) -> list[Way]:
        """Return the ways to try beside the current one."""
        return [way for way in self.ways if way != self.current]

    def settle(self, way: Way) -> None:
        """Ask in this way from now on."""
        self.current, self._left = way, 0
        if self._key:
            with suppress(OSError), atomic_write(FILE) as file:
                file.write(
                    orjson.dumps(
                        _read() | {self._key: asdict(way)},
                        option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS,
                    )
                )


def obeys(request: Request, completion: Completion) -> bool:
    """Return whether a reply holds an object with the fields asked for."""
    return holds_object(completion.text, request.schema.get("required", ()))


def _read() -> dict[str, Any]:
    """Return what was learnt; nothing if the file is missing or damaged."""
    with suppress(OSError, ValueError):
        kept = orjson.loads(FILE.read_bytes())
        if isinstance(kept, dict):
            return kept
    return {}
