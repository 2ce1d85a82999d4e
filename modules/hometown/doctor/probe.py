"""Test requests that establish the abilities of a model: structured output, thinking, languages,
speed; and the checks of its servers, its context and its share of GPU memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hometown.doctor.doctor_messages import DOCTOR_MESSAGES
from hometown.doctor.estimate import READING, WRITING
from hometown.doctor.model_servers import Answer, Server, Unanswered
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.model.language_check import is_foreign
from hometown.model.ollama_hosts import has_model, pull_command
from hometown.model.reply_parsing import UnusableReply, is_reasoning, parse
from hometown.model.server_context import SMALLEST_CONTEXT
from hometown.model.ways import Way
from hometown.own_commands import get_command, list_command
from hometown.paths import pip_command
from hometown.prompt.dialogue import UtteranceReply
from hometown.settings import Settings
from hometown.text import fill, translate_all

T = TypeVar("T")

SECONDS = 45.0
"""The time of all questions together: the whole examination stays under a minute."""

BRIEF_SECONDS = 20.0
"""The seconds for each model of `llm.by_kind`."""

AT_ONCE = (1, 1, 2, 4, 8)
"""Requests at once, round by round. The first long prompt that a server reads is slower than the
next, since caches are allocated and kernels compiled for it: one request is measured twice, and the
second time counts, or else two at once would look like a gain where they are none.
"""

GAIN = 1.15
"""The least gain in speed for which twice as many requests at once are worthwhile."""

NOTES = 60
"""Lines of the prompt that measures speed: about as long as the average prompt of a run."""


@frozen
class Check:
    """The result of one check.

    Attributes:
        fix: The remedy, "" where none is needed.
        vital: True if a run on this model needs the check to pass.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""
    vital: bool = True


@dataclass(slots=True)
class Findings:
    """`slots` is the best number of requests at once, None if not measured; `reading` and `writing`
    are tokens a second at that number.
    """

    checks: list[Check] = field(default_factory=list)
    slots: int | None = None
    reading: float = READING
    writing: float = WRITING


class Probe:
    """Examines a model on the first of `servers`; the others are only checked for being reachable
    and having it.

    Results are worded in `ui_lang`; `lang` is the language that a run would have. A `brief`
    examination leaves out the other language and all speed, which is sufficient for a model that
    answers single kinds of prompt. All times are those of the event loop in which the probe is
    made.
    """

    def __init__(
        self,
        servers: Sequence[Server],
        model: str,
        settings: Settings,
        ui_lang: Lang,
        lang: Lang,
        *,
        brief: bool = False,
    ) -> None:
        self.server, self.others = servers[0], servers[1:]
        self.brief, self.seconds = brief, BRIEF_SECONDS if brief else SECONDS
        self.model, self.settings, self.lang = model, settings, lang
        self.ui_lang, self.words = ui_lang, translate_all(DOCTOR_MESSAGES, ui_lang)
        self.findings = Findings()
        self._now = asyncio.get_running_loop().time
        self._end = self._now() + self.seconds

    async def examine(self) -> Findings:
        """Return all checks, in the order of their dependence: if a server or its model is missing,
        the rest is left out. The servers are closed.
        """
        try:
            await self._examine()
        finally:
            for server in (self.server, *self.others):
                await server.close()
        return self.findings

    async def _examine(self) -> None:
        """Carry out the checks: all servers, the model, its structured output, its languages, and,
        unless the examination is brief, its speed and its share of GPU memory.
        """
        there = await self._check_server(self.server, vital=True)
        for other in self.others:
            if await self._check_server(other, vital=False):
                await self._check_other_has_model(other)
        if there and await self._check_model() and await self._check_structure():
            for lang in (self.lang,) if self.brief else LANGS:
                await self._check_language(lang)
            if not self.brief:
                await self._measure_speed()
                await self._check_memory()

    def _add(self, name: str, ok: bool, detail: str, fix: str = "", *, vital: bool = True) -> bool:
        """Add a check, with its remedy if it failed; return True if it passed."""
        self.findings.checks.append(Check(name, ok, detail, "" if ok else fix, vital))
        return ok

    def _say(self, key: str, **values: object) -> str:
        """Return a text with the model, the server's address and the given values."""
        return fill(
            self.words[key],
            {"model": self.model, "where": self.server.where, **values},
            self.ui_lang,
        )

    def _advice(self, key: str, **values: object) -> str:
        """Return the words for this backend, or else those for any."""
        own = f"{key}_{self.server.backend}"
        return self._say(own if own in self.words else f"{key}_other", **values)

    def _remedy(self, error: Unanswered, usual: str = "") -> str:
        """Return what a run would say about the same refusal, or else the usual advice."""
        return error.remedy.localize(self.ui_lang) if error.remedy else usual

    def _start_advice(self) -> str:
        """Return the command that starts the server, or makes a model of this process available."""
        return self._advice(
            "start", command=pip_command("huggingface"), list=list_command(), get=get_command()
        )

    async def _in_time(self, answer: Awaitable[T]) -> T:
        """Return the result of an awaitable. Raises Unanswered once the examination's time is up."""
        try:
            return await asyncio.wait_for(answer, max(0.1, self._end - self._now()))
        except TimeoutError:
            raise Unanswered(self._say("no_time", seconds=f"{self.seconds:.0f}")) from None

    async def _check_server(self, server: Server, *, vital: bool) -> bool:
        """Check that a server answers; return True if it does. An address that had to be corrected
        is a failed check that is not vital.
        """
        try:
            version = await self._in_time(server.version())
        except Unanswered as error:
            key = "other_answer" if error.answered else "no_server"
            detail = fill(self.words[key], {"where": server.where, "error": error}, self.ui_lang)
            advice = self._advice("no_api") if error.answered else self._start_advice()
            return self._add("server", False, detail, self._remedy(error, advice), vital=vital)
        if server.corrected:
            detail = self._say("corrected", given=server.corrected, where=server.where)
            self._add("server", False, detail, self._say("set_address"), vital=False)
            return True
        return self._add(
            "server", True, self.words["server"].format(where=server.where, version=version)
        )

    async def _check_other_has_model(self, server: Server) -> None:
        """Check that another server has the model; else a run would stop at its first call there."""
        try:
            models = await self._in_time(server.models())
        except Unanswered as error:
            self._add(
                "model",
                False,
                f"{server.where}: {error.localize(self.ui_lang)}",
                self._remedy(error, self._start_advice()),
                vital=False,
            )
            return
        there = has_model(frozenset(models), self.model)
        fix = (
            pull_command(self.model, server.where)
            if server.backend == "ollama"
            else self._advice("get")
        )
        detail = (
            self.model
            if there
            else self._say("no_model", others=", ".join(sorted(models)[:8]) or "–")
        )
        self._add("model", there, f"{server.where}: {detail}", fix)

    async def _check_model(self) -> bool:
        """Check that the server has the model, and that its context, if known, holds `llm.num_ctx`
        or at least `SMALLEST_CONTEXT` tokens; return True if both hold.
        """
        try:
            models = await self._in_time(self.server.models())
            described = (
                await self._in_time(self.server.describe(self.model))
                if has_model(frozenset(models), self.model)
                else None
            )
        except Unanswered as error:
            advice = self._remedy(error, self._start_advice())
            return self._add("model", False, error.localize(self.ui_lang), advice)
        if described is None:
            others = ", ".join(sorted(models)[:8]) or "–"
            return self._add(
                "model", False, self._say("no_model", others=others), self._advice("get")
            )
        self._add("model", True, " ".join(filter(None, (self.model, described.kind))))
        wanted = self.settings.llm.num_ctx
        has = described.context
        is_long = not has or has >= min(wanted, SMALLEST_CONTEXT)
        key = "context_shortened" if is_long and 0 < has < wanted else "context"
        detail = self._say(key, has=has or "?", wanted=wanted)
        return self._add(
            "context", is_long, detail, self._advice("longer_context", least=SMALLEST_CONTEXT)
        )

    async def _check_structure(self) -> bool:
        """Check whether the schema is enforced or only obeyed, by a question that asks for the
        opposite of JSON, and whether the model answers without thinking first; return True if
        replies follow the schema, if need be in another way of asking. This loads the model, too.
        """
        try:
            answer = await self._ask(self.words["ask_plain"], self.ui_lang)
        except Unanswered as error:
            if error.remedy:
                return self._add("structured", False, self._say("refused"), self._remedy(error))
            return self._add_unstructured(error)
        direct = not answer.reasoned and not is_reasoning(answer.text)
        try:
            parse(UtteranceReply, answer.text)
        except UnusableReply as error:
            way = await self._learn()
            if way is None and not answer.text.strip() and not direct:
                return self._add(
                    "structured", False, self._say("only_thinks"), self._say("turn_thinking_off")
                )
            if way is None:
                return self._add_unstructured(error)
            direct = not way.is_reasoning
            words = {
                "form": self._say(f"form_{way.form}"),
                "thinking": self._say(f"thinking_{way.thinking}"),
            }
            self._add("structured", True, self._say("structured_in", **words))
        else:
            self._add("structured", True, self._say("structured"))
        self._add(
            "thinking",
            direct,
            self._say("answers_directly" if direct else "thinks"),
            self._say("turn_thinking_off"),
            vital=False,
        )
        return True

    async def _learn(self) -> Way | None:
        """Return the way of asking that the model obeys, None if there is none."""
        try:
            return await self._in_time(self.server.learn(self.model, self.lang))
        except Unanswered:
            return None

    def _add_unstructured(self, error: Exception) -> bool:
        return self._add(
            "structured", False, self._say("unstructured", error=error), self._say("need_structure")
        )

    async def _check_language(self, lang: Lang) -> None:
        """Check that a reply in a language is in that language; vital for that of the run."""
        try:
            line = parse(
                UtteranceReply, (await self._ask(self.words[f"ask_{lang}"], lang)).text
            ).say
            ok = not is_foreign(lang, line)
        except (Unanswered, UnusableReply) as error:
            line = fill("{error}", {"error": error}, self.ui_lang)
            ok = False
        self._add(
            f"language_{lang}", ok, line, self._say("other_language"), vital=lang == self.lang
        )

    async def _measure_speed(self) -> None:
        """Measure rates with more and more requests at once, and report them and the best number;
        if the first round fails, only that.
        """
        try:
            rates = await self._rates()
        except Unanswered as error:
            reason = error.localize(self.ui_lang)
            self._add("speed", False, reason, self._say("smaller"), vital=False)
            return
        self.findings.slots = best = best_slots(
            {count: writing for count, (_, writing) in rates.items()}
        )
        self.findings.reading, self.findings.writing = rates[best]
        lines = (
            self._say("rate", count=count, reading=f"{reading:.0f}", writing=f"{writing:.0f}")
            for count, (reading, writing) in rates.items()
        )
        self._add("speed", True, "; ".join(lines))
        serial = best == 1 and len(rates) > 1
        self._add(
            "slots",
            not serial,
            self._advice("slots", slots=best),
            self._advice("serial"),
            vital=False,
        )

    async def _rates(self) -> dict[int, tuple[float, float]]:
        """Return the tokens a second read and written, by the number of requests at once, as far as
        time allows; of two rounds with equally many, the later counts.

        Raises Unanswered if the first round fails.
        """
        rates: dict[int, tuple[float, float]] = {}
        last = 0.0
        for turn, count in enumerate(AT_ONCE, 1):
            if 2 * last > self._end - self._now():
                break
            began = self._now()
            questions = (self._ask(notes(turn, number), "en") for number in range(count))
            try:
                answers = await self._in_time(asyncio.gather(*questions))
            except Unanswered:
                if not rates:
                    raise
                break
            last = self._now() - began
            rates[count] = _rates(answers, last)
        return rates

    async def _check_memory(self) -> None:
        """Check that the whole model is in GPU memory; nothing where that is unknown."""
        try:
            share = await self._in_time(self.server.gpu_share(self.model))
        except Unanswered:
            return
        if share is not None:
            self._add(
                "loaded",
                share > 0.99,
                self._say("loaded", share=f"{share:.0%}"),
                self._say("too_big"),
                vital=False,
            )

    async def _ask(self, question: str, lang: Lang) -> Answer:
        return await self._in_time(self.server.ask(self.model, question, lang))


def notes(turn: int, number: int) -> str:
    """Return a prompt of usual length that differs from its first word on, so that no server has it in a
    cache.
    """
    lines = (
        f"{at}. At {at % 24}:{number}{turn} somebody walked from house {at + number} to shop {at * turn} and bought bread."
        for at in range(NOTES)
    )
    return (
        f"Round {turn}, part {number}.\n"
        + "\n".join(lines)
        + "\nSay in one sentence of about 25 words what happened."
    )


def best_slots(rates: Mapping[int, float]) -> int:
    """Return the largest number of requests at once up to which each was faster than the one before
    by `GAIN`.

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
    """Return the tokens a second read and written, over all requests at once.

    Wall time is divided in the proportion that the server reports for reading and writing; without
    a report, by the usual rates.
    """
    read = sum(answer.prompt_tokens for answer in answers)
    written = sum(answer.reply_tokens for answer in answers)
    reading = sum(answer.reading for answer in answers)
    writing = sum(answer.writing for answer in answers)
    if not (reading and writing):
        reading = read / READING
        writing = written / WRITING
    share = reading / (reading + writing) if reading + writing else 0.5
    return max(read, 1) / max(seconds * share, 1e-6), max(written, 1) / max(
        seconds * (1 - share), 1e-6
    )
