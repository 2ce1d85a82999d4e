"""Parses a reply in OpenAI's protocol, streamed or whole, and the costs that servers report."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from hometown.model.connection import IN_BODY, ErrorResponse, Response
from hometown.model.envelope import (
    BadResponse,
    count,
    member,
    message_in,
    number,
    object_of,
    require_type,
    within_length,
)
from hometown.model.llm import Completion
from hometown.model.reply_parsing import ONLY_REASONING, answer_in_reasoning, without_thinking
from hometown.model.token_alternatives import TokenPlace, read_token_places
from hometown.text import Phrase

DONE = b"[DONE]"


class OpenAIReply:
    """A reply that arrives as the parts of a stream, or as one whole response."""

    def __init__(self) -> None:
        self.text = ""
        self._reasoning = ""
        self._choices = 0
        self.places: list[TokenPlace] = []
        """The probabilities of the tokens so far, where the server reports them."""
        self._finished = False
        self._usage: dict[str, Any] = {}
        self._timings: dict[str, Any] = {}

    def add(self, part: dict[str, Any]) -> None:
        """Append one part. Raises BadResponse for another shape, and ErrorResponse for an error in the
        midst of a stream.
        """
        if error := part.get("error"):
            code = error.get("code") if isinstance(error, dict) else None
            raise ErrorResponse(
                code if isinstance(code, int) and 400 <= code < 600 else IN_BODY, message_in(part)
            )
        for choice in member(part, "choices", list, []):
            self._add_choice(require_type(choice, "choices", dict))
        self._usage = member(part, "usage", dict, self._usage)
        self._timings = member(part, "timings", dict, self._timings)

    def _add_choice(self, choice: dict[str, Any]) -> None:
        """Append the text and the reasoning of a choice, which is a part of the reply (`delta`) or
        the whole (`message`).
        """
        whole = "message" in choice
        content = member(choice, "message" if whole else "delta", dict, {})
        self.text = within_length(self.text + member(content, "content", str, ""))
        for name in ("reasoning_content", "reasoning"):
            self._reasoning = within_length(self._reasoning + member(content, name, str, ""))
            if name in content:
                break
        given = choice.get("logprobs")
        if isinstance(given, dict):
            self.places += read_token_places(given.get("content"))
        self._choices += 1
        self._finished = self._finished or whole or bool(member(choice, "finish_reason", str, ""))

    def finish(self) -> None:
        """Mark the reply as complete, as the server has declared."""
        self._finished = True

    def completion(self) -> Completion:
        """Return the reply, with OpenAI's counts and llama.cpp's timings. Raises BadResponse if
        there is none, or it is incomplete.
        """
        if not self._choices:
            raise BadResponse(Phrase("sent a response without a reply; is it OpenAI-compatible?"))
        if not self._finished:
            raise BadResponse(Phrase("closed the connection before its response was complete"))
        timings, details = self._timings, member(self._usage, "prompt_tokens_details", dict, {})
        cached = count(details, "cached_tokens") or count(timings, "cache_n")
        read = count(self._usage, "prompt_tokens") or count(timings, "prompt_n") + cached
        written = count(self._usage, "completion_tokens") or count(timings, "predicted_n")
        text = without_thinking(self.text) or answer_in_reasoning(self._reasoning)
        return Completion(
            text,
            read,
            written,
            min(cached, read),
            number(timings, "prompt_ms"),
            number(timings, "predicted_ms"),
            broken=ONLY_REASONING if self._reasoning and not text else "",
            reasoned=bool(self._reasoning),
        )


async def parts_of(response: Response, reply: OpenAIReply) -> AsyncIterator[None]:
    """Append to a reply each part that arrives, and yield after each; a server that does not stream
    sends a single one.

    Raises as `OpenAIReply.add` and `Response` do.
    """
    if "event-stream" not in response.header("content-type"):
        reply.add(object_of(await response.body()))
        yield
        return
    async for line in response.lines():
        field, _, value = line.partition(b":")
        if field == b"error":
            reply.add({"error": value.decode("utf-8", "replace")})
        if field != b"data":
            continue
        if value.strip() == DONE:
            reply.finish()
        else:
            reply.add(object_of(value))
        yield
