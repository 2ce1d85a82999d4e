"""What a model server can really do, found out by asking it: structured output, thinking, languages, speed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from modules.model.estimate import READING, WRITING
from modules.model.language import foreign
from modules.model.ollama import has, pull
from modules.model.replies import Unusable, parse
from modules.model.servers import Answer, Server, Unanswered
from modules.prompt.schema import schema_for
from modules.prompt.talking import UTTERANCE, UtteranceReply
from modules.settings import Settings
from modules.text import catalogue, fill
from modules.world.world import LANGS, Lang

T = TypeVar("T")

SECONDS = 45.0
"""For all questions together, so that the whole examination stays under a minute."""

BRIEF_SECONDS = 20.0
"""For each model of `llm.by_kind`."""

AT_ONCE = (1, 2, 4, 8)
GAIN = 1.15
"""What twice as many requests must gain at least for the slots to be worth having."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"say": {"type": "string"}, "end": {"type": "boolean"}},
    "required": ["say", "end"],
    "additionalProperties": False,
}
"""A line of dialogue, which is what runs ask for most, without the pattern that some servers don't know."""

NOTES = 60
"""Lines of the prompt by which speed is measured; with them it is about as long as the average one of a run."""


@dataclass(frozen=True, slots=True)
class Check:
    """`vital`: without it no run on this model works. `cure` says what to do, "" where nothing need be done."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    vital: bool = True


@dataclass(slots=True)
class Findings:
    """`slots` is the best number of requests at once, None if not measured; `reading` and `writing` are tokens a second at that number."""

    checks: list[Check] = field(default_factory=list)
    slots: int | None = None
    reading: float = READING
    writing: float = WRITING


class Probe:
    """Examines a model on the first of `servers`; of the others it is asked only whether they are there and have it.

    It is told of in `said_in`; `lang` is the language that a run would have. A `brief` examination leaves out the
    other language and all speed, as will do for a model that answers single kinds of prompt.
    """

    def __init__(self, servers: Sequence[Server], model: str, settings: Settings, said_in: Lang, lang: Lang, *, brief: bool = False) -> None:
        self.server, self.others = servers[0], servers[1:]
        self.brief, self.seconds = brief, BRIEF_SECONDS if brief else SECONDS
        self.model, self.settings, self.lang = model, settings, lang
        self.said_in, self.words = said_in, catalogue(said_in, "doctor")
        self.found = Findings()
        self._end = time.monotonic() + self.seconds

    async def examine(self) -> Findings:
        """All checks, from the first that others need: where a server or its model is missing, nothing else is asked."""
        try:
            await self._examine()
        finally:
            for server in (self.server, *self.others):
                await server.close()
        return self.found

    async def _examine(self) -> None:
        there = await self._server(self.server, vital=True)
        for other in self.others:
            if await self._server(other, vital=False):
                await self._has(other)
        if there and await self._model() and await self._structured():
            for lang in (self.lang,) if self.brief else LANGS:
                await self._language(lang)
            if not self.brief:
                await self._speed()
                await self._memory()

    def _add(self, name: str, ok: bool, detail: str, cure: str = "", *, vital: bool = True) -> bool:
        self.found.checks.append(Check(name, ok, detail, "" if ok else cure, vital))
        return ok

    def _say(self, key: str, **values: object) -> str:
        return fill(self.words[key], {"model": self.model, "where": self.server.where, **values}, self.said_in)

    async def _in_time(self, answer: Awaitable[T]) -> T:
        """What is awaited, or Unanswered once the examination has lasted long enough."""
        try:
            return await asyncio.wait_for(answer, max(0.1, self._end - time.monotonic()))
        except TimeoutError:
            raise Unanswered(self._say("no_time", seconds=f"{self.seconds:.0f}")) from None

    async def _server(self, server: Server, *, vital: bool) -> bool:
        try:
            version = await self._in_time(server.version())
        except Unanswered as error:
            told = fill(self.words["no_server"], {"where": server.where, "error": error}, self.said_in)
            return self._add("server", False, told, self._say(f"start_{server.backend}"), vital=vital)
        return self._add("server", True, self.words["server"].format(where=server.where, version=version))

    async def _has(self, server: Server) -> None:
        """Whether one of several servers has the model: if not, a run would stop at its first call there."""
        try:
            models = await self._in_time(server.models())
        except Unanswered as error:
            self._add("model", False, f"{server.where}: {error.said(self.said_in)}", self._say(f"start_{server.backend}"), vital=False)
            return
        there = has(frozenset(models), self.model)
        cure = pull(self.model, server.where) if server.backend == "ollama" else self._say(f"get_{server.backend}")
        told = self.model if there else self._say("no_model", others=", ".join(sorted(models)[:8]) or "–")
        self._add("model", there, f"{server.where}: {told}", cure)

    async def _model(self) -> bool:
        try:
            models = await self._in_time(self.server.models())
            described = await self._in_time(self.server.describe(self.model)) if has(frozenset(models), self.model) else None
        except Unanswered as error:
            return self._add("model", False, error.said(self.said_in), self._say(f"start_{self.server.backend}"))
        if described is None:
            others = ", ".join(sorted(models)[:8]) or "–"
            return self._add("model", False, self._say("no_model", others=others), self._say(f"get_{self.server.backend}"))
        self._add("model", True, " ".join(filter(None, (self.model, described.kind))))
        wanted = self.settings.llm.num_ctx
        enough = not described.context or described.context >= wanted
        told = self._say("context", has=described.context or "?", wanted=wanted)
        self._add("context", enough, told, self._say("lower_context", has=described.context), vital=False)
        return True

    async def _structured(self) -> bool:
        """A question that asks for the opposite of JSON shows whether the schema is enforced or only obeyed. It loads the model, too."""
        try:
            answer = await self._ask(self.words["ask_plain"])
            parse(UtteranceReply, answer.text)
        except (Unanswered, Unusable) as error:
            return self._add("structured", False, self._say("unstructured", error=error), self._say("need_structure"))
        silent = not answer.thinking and "<think" not in answer.text
        self._add("thinking", silent, self._say("silent" if silent else "thinks"), self._say("silence"), vital=False)
        return self._add("structured", True, self._say("structured"))

    async def _language(self, lang: Lang) -> None:
        question, said = self.words[f"ask_{lang}"], ""
        try:
            said = parse(UtteranceReply, (await self._ask(question)).text).say
            ok = not foreign(lang, said)
        except (Unanswered, Unusable) as error:
            said, ok = fill("{error}", {"error": error}, self.said_in), False
        self._add(f"language_{lang}", ok, said, self._say("other_language"), vital=lang == self.lang)

    async def _speed(self) -> None:
        """Rates with more and more requests at once, as far as time allows."""
        rates: dict[int, tuple[float, float]] = {}
        last = 0.0
        for count in AT_ONCE:
            if 2 * last > self._end - time.monotonic():
                break
            began = time.monotonic()
            try:
                answers = await self._in_time(asyncio.gather(*(self._ask(notes(count, number)) for number in range(count))))
            except Unanswered as error:
                if not rates:
                    self._add("speed", False, error.said(self.said_in), self._say("smaller"), vital=False)
                    return
                break
            last = time.monotonic() - began
            rates[count] = _rates(answers, last)
        self.found.slots = best = best_slots({count: writing for count, (_, writing) in rates.items()})
        self.found.reading, self.found.writing = rates[best]
        told = "; ".join(self._say("rate", count=count, reading=f"{one:.0f}", writing=f"{two:.0f}") for count, (one, two) in rates.items())
        self._add("speed", True, told)
        serial = best == 1 and len(rates) > 1
        self._add("slots", not serial, self._say(f"slots_{self.server.backend}", slots=best), self._say(f"serial_{self.server.backend}"), vital=False)

    async def _memory(self) -> None:
        try:
            share = await self._in_time(self.server.gpu_share(self.model))
        except Unanswered:
            return
        if share is not None:
            self._add("loaded", share > 0.99, self._say("loaded", share=f"{share:.0%}"), self._say("too_big"), vital=False)

    async def _ask(self, question: str) -> Answer:
        schema = schema_for(UTTERANCE, None) if self.server.backend == "huggingface" else SCHEMA  # which knows patterns, and needs their bounds
        return await self._in_time(self.server.ask(self.model, question, schema, UTTERANCE.max_tokens))


def notes(count: int, number: int) -> str:
    """A prompt as long as the usual one, different from its first word on, so that no server has read it before."""
    lines = (f"{at}. At {at % 24}:{number}{count} somebody walked from house {at + number} to shop {at * count} and bought bread." for at in range(NOTES))
    return f"Round {count}, part {number}.\n" + "\n".join(lines) + "\nSay in one sentence of about 25 words what happened."


def best_slots(rates: Mapping[int, float]) -> int:
    """The most requests at once that still gained something over half as many.

    >>> best_slots({1: 40, 2: 75, 4: 120, 8: 125}), best_slots({1: 40, 2: 41})
    (4, 1)
    """
    best = 1
    for count in sorted(rates):
        if count > 1 and rates[count] < GAIN * rates[best]:
            break
        best = count
    return best


def _rates(answers: list[Answer], seconds: float) -> tuple[float, float]:
    """Tokens a second read and written, over all requests at once.

    Where the server tells how long reading took, wall time is split as it says; else as the usual rates would have it.
    """
    read, written = sum(one.prompt_tokens for one in answers), sum(one.reply_tokens for one in answers)
    reading, writing = sum(one.reading for one in answers), sum(one.writing for one in answers)
    if not (reading and writing):
        reading, writing = read / READING, written / WRITING
    share = reading / (reading + writing) if reading + writing else 0.5
    return max(read, 1) / max(seconds * share, 1e-6), max(written, 1) / max(seconds * (1 - share), 1e-6)
