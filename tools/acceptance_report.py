"""The report on the day of a town that a model lived: its figures, its limits and its talk."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain

from hometown.bench.copied_examples import copies
from hometown.clock import DAY
from hometown.history.call_counts import count_mendings
from hometown.history.hardship import hardship
from hometown.history.life import life_of
from hometown.history.names import Names, model_name
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.markdown import format_table, heading, literal
from hometown.model.language_check import COMPLAINT
from hometown.model.stats import seconds_lived
from hometown.prompt.dialogue import UTTERANCE
from hometown.prompt.mending import MENDING_NAMES
from hometown.records import Call
from hometown.society.work_phrasing import WorkPhrases
from hometown.study.league.limits import (
    LIMIT_TEXTS,
    Limit,
    is_faulty,
    limits,
    list_judged,
)
from hometown.text import N_, ngettext, pgettext, translate, translate_all
from hometown.version import __version__
from hometown.world.conversation import Conversation
from hometown.world.effects import Promised
from hometown.world.rows import Promise

SAMPLES = 3

ACCEPTANCE_TEXTS = {
    **LIMIT_TEXTS,
    "title": N_("How {model} lived a day"),
    "figure": pgettext("column", "figure"),
    "value": N_("value"),
    "town": N_("world, residents, language, embedding"),
    "lived": N_("lived"),
    "steps": N_("{last} of {planned} in {minutes} minutes"),
    "calls": N_("model calls"),
    "tokens": N_("tokens"),
    "both_tokens": N_(
        "{prompts} in prompts, of which {read} were read and {cached} were in a cache; "
        "{written} written"
    ),
    "rate": N_("tokens written a second, over the whole day"),
    "mended": N_("mendings of replies"),
    "drift": N_("replies in the wrong language"),
    "conversations": N_("Conversations"),
    "conversations_held": N_("{conversations}, {lines}"),
    "repeated": N_("lines said before, word for word"),
    "honoured": N_("commitments honoured, of those due"),
    "prompts": N_("version of the prompts"),
    "versions": N_("versions"),
    "by_prompt": N_("By prompt"),
    "prompt_columns": N_(
        "prompt|calls|asked again|fallbacks|wrong language|ms each|mended|commonest fault"
    ),
    "resident_day": N_("seconds for a resident's day"),
    "most_repeated": N_("sentence repeated most, and how often"),
    "accepted": N_("Accepted: every limit is met."),
    "refused": N_("Not accepted: {why}"),
    "lowest": N_("lowest level of each need"),
    "collapsed": N_("collapsed"),
    "errands": N_("steps of the day that became errands"),
    "ungrounded": N_("steps that speak of work but are no errand"),
}


class Report:
    """A report on a model's performance, as Markdown in the run's language. Nothing in it
    identifies the machine.
    """

    def __init__(self, run: RunReader, prompts: str = "") -> None:
        self.run, self.manifest, self.prompts = run, run.manifest, prompts
        self.names = Names.of(run)
        self.last = run.last_step()
        self.calls = list(run.run.calls())
        self.conversations = run.conversations(0, self.last)
        self.mendings = count_mendings(run.database, 0, self.last)
        self.life = life_of(run)
        self.book = self.names.book
        self.fared = hardship(run, self.book, self.last) if self.book else None
        self.words = translate_all(ACCEPTANCE_TEXTS, run.manifest.lang)

    def lines(self) -> Iterator[str]:
        """Yield the whole report, as lines of Markdown."""
        yield heading(1, literal(self._say("title", model=model_name(self.manifest))))
        yield from ("", self.verdict(), "")
        yield from format_table(
            [self.words["figure"], self.words["value"]],
            chain(self._figures(), self._life(), self._society()),
        )
        yield from ("", heading(2, self.words["by_prompt"]), "")
        yield from format_table(self.words["prompt_columns"].split("|"), self._by_prompt())
        yield from ("", heading(2, self.words["conversations"]))
        for conversation in samples(self.conversations):
            yield from self._conversation(conversation)

    def missed_limits(self) -> list[Limit]:
        """Return the limits that the model has not met."""
        every = limits(
            self.calls,
            self.life,
            self.last * self.manifest.stride,
            self.fared,
            self.conversations,
        )
        return [limit for limit in every if not limit.is_met]

    def verdict(self) -> str:
        """Return in one line that the model is accepted, or the limits that it missed."""
        missed = self.missed_limits()
        return (
            self._say("refused", why="; ".join(limit.in_words(self.words) for limit in missed))
            if missed
            else self.words["accepted"]
        )

    def _translate(self, message: str) -> str:
        return translate(message, self.manifest.lang)

    def _say(self, key: str, **values: object) -> str:
        return self.words[key].format(**values)

    def _figures(self) -> Iterator[tuple[str, str]]:
        manifest = self.manifest
        seconds = seconds_lived(self.run.run.stats())
        yield (
            self.words["town"],
            f"{manifest.world}, {len(manifest.residents)}, {manifest.lang}, {manifest.embedding}",
        )
        yield (
            self.words["lived"],
            self._say(
                "steps",
                last=self.last,
                planned=self._translate(
                    ngettext("{count} step", "{count} steps", self.run.planned_end())
                ),
                minutes=f"{seconds / 60:.1f}",
            ),
        )
        yield from self._costs(seconds)
        yield from self._quality()
        yield from self._talk()
        if self.prompts:
            yield self.words["prompts"], self.prompts
        yield (
            self.words["versions"],
            f"Hometown {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        )

    def _costs(self, seconds: float) -> Iterator[tuple[str, str]]:
        """Yield the number of calls, and their tokens and times."""
        manifest, calls = self.manifest, self.calls
        prompts = sum(call.prompt_tokens for call in calls)
        cached = sum(attempt.cached_tokens for call in calls for attempt in call.attempts)
        written = sum(call.reply_tokens for call in calls)
        yield self.words["calls"], f"{len(calls)}"
        yield (
            self.words["tokens"],
            self._say(
                "both_tokens",
                prompts=prompts,
                read=prompts - cached,
                cached=cached,
                written=written,
            ),
        )
        days = len(manifest.residents) * self.last * manifest.stride / DAY
        yield self.words["resident_day"], f"{seconds / days:.1f}" if days else "–"
        yield self.words["rate"], f"{written / max(seconds, 1e-9):.1f}"

    def _quality(self) -> Iterator[tuple[str, str]]:
        """Yield the shares of calls whose replies were unusable, copied or in another language."""
        calls = self.calls
        for outcome in ("retried", "fallback"):
            yield (
                self.words[outcome],
                share(sum(call.outcome == outcome for call in calls), len(calls)),
            )
        yield self.words["copied"], share(sum(map(copies, calls)), len(calls))
        yield self.words["mended"], f"{sum(mending.count for mending in self.mendings)}"
        replies = list_judged(calls)
        lines = [call for call in replies if call.kind == UTTERANCE.kind]
        yield self.words["faulty_replies"], share(sum(map(is_faulty, replies)), len(replies))
        yield self.words["faulty_lines"], share(sum(map(is_faulty, lines)), len(lines))
        yield self.words["drift"], share(sum(map(has_wrong_language, calls)), len(calls))

    def _talk(self) -> Iterator[tuple[str, str]]:
        """Yield the number of conversations, their repetitions, and the promises that were kept."""
        lines = [line.text for conversation in self.conversations for line in conversation.lines]
        due, kept = self._promises()
        yield (
            self.words["conversations"],
            self._say(
                "conversations_held",
                conversations=len(self.conversations),
                lines=self._translate(ngettext("{count} line", "{count} lines", len(lines))),
            ),
        )
        yield self.words["repeated"], share(repeats(lines), len(lines))
        yield (
            self.words["stuck"],
            share(
                sum(conversation.ended_by == "repetition" for conversation in self.conversations),
                len(self.conversations),
            ),
        )
        yield self.words["honoured"], share(kept, due)

    def _life(self) -> Iterator[tuple[str, str]]:
        """Yield the figures of the residents' life: valid replies alone are no life."""
        life = self.life
        yield self.words["up"], f"{life.on_time_share:.0%}"
        yield self.words["at_work"], f"{life.work_share:.0%}"
        yield self.words["activities"], f"{life.fewest_activities}"
        yield self.words["places"], f"{life.fewest_places}"
        yield (
            self.words["most_repeated"],
            f"{life.times}: {literal(life.repeated)}" if life.times else "–",
        )

    def _society(self) -> Iterator[tuple[str, str]]:
        """Yield the residents' welfare in a town with a society, and the share of announced work
        that was done.
        """
        if self.names.world and self.book and self.fared:
            work = spoken_work(self.run, self.book, self.last)
            missed = work.in_words(WorkPhrases(self.names.world))
            yield (
                self.words["lowest"],
                ", ".join(self.fared.in_words(self.book, self.manifest.lang)),
            )
            yield (
                self.words["collapsed"],
                ", ".join(map(self.names.person, self.fared.collapsed)) or "–",
            )
            yield self.words["errands"], f"{work.errands}"
            yield (
                self.words["ungrounded"],
                f"{share(work.ungrounded, work.errands + work.ungrounded)}{': ' if missed else ''}{', '.join(missed)}",
            )

    def _by_prompt(self) -> Iterator[tuple[str, ...]]:
        for kind in sorted({call.kind for call in self.calls}):
            calls = [call for call in self.calls if call.kind == kind]
            outcomes = Counter(call.outcome for call in calls)
            wrong = Counter(
                attempt.error for call in calls for attempt in call.attempts if attempt.error
            )
            usual = wrong.most_common(1)[0][0][:80] if wrong else ""
            ms = sum(call.ms for call in calls) / len(calls)
            mended = ", ".join(
                f"{self._translate(MENDING_NAMES.get(each.rule, each.rule))} {each.count}"
                for each in self.mendings
                if each.kind == kind
            )
            counts = (
                len(calls),
                outcomes["retried"],
                outcomes["fallback"],
                sum(map(has_wrong_language, calls)),
            )
            yield kind, *map(str, counts), f"{ms:.0f}", mended, literal(usual)

    def _promises(self) -> tuple[int, int]:
        """Return the number of agreements due by the end of the run, and the number kept."""
        made = {
            (promise.talk, promise.what, promise.start): promise
            for promise in chain.from_iterable(
                logged.effect.promises.items
                for _, logged in self.run.run.effects()
                if isinstance(logged.effect, Promised)
            )
        }
        end = self.run.moment(self.last)
        due = [
            promise
            for promise in made.values()
            if promise.start + timedelta(minutes=promise.minutes) <= end
        ]
        return len(due), sum(map(self._is_kept, due))

    def _is_kept(self, promise: Promise) -> bool:
        """Return True if all parties were in the same arena, the agreed one if any, at the start of
        a step within the agreed time.
        """
        return any(
            self._together(step, promise)
            for step in range(1, self.last + 1)
            if within(self.run.moment(step - 1), promise)
        )

    def _together(self, step: int, promise: Promise) -> bool:
        if self.names.world is None:
            return False
        tiles = self.run.positions(step)
        places = {self.names.world.maze.arena_at(tiles[who]) for who in promise.people}
        return len(places) == 1 and promise.address in ("", *places)

    def _conversation(self, conversation: Conversation) -> Iterator[str]:
        people = " – ".join(map(self.names.person, conversation.people))
        yield ""
        yield heading(
            3,
            literal(
                f"{conversation.started:%H:%M}, {people}, {self.names.place(conversation.address)}"
            ),
        )
        yield ""
        for line in conversation.lines:
            yield f"- **{literal(self.names.person(line.speaker))}**: {literal(line.text)}"
        yield ""
        yield f"*{literal(conversation.summary)}*"


def within(moment: datetime, promise: Promise) -> bool:
    return promise.start <= moment <= promise.start + timedelta(minutes=promise.minutes)


def samples(conversations: Sequence[Conversation]) -> list[Conversation]:
    """Return the first, the middle and the last conversation: a sample without selection."""
    if len(conversations) <= SAMPLES:
        return list(conversations)
    return [conversations[at * (len(conversations) - 1) // (SAMPLES - 1)] for at in range(SAMPLES)]


def has_wrong_language(call: Call) -> bool:
    """Return True if a reply to this call was in the wrong language."""
    return any(
        complaint in attempt.error for attempt in call.attempts for complaint in COMPLAINT.values()
    )


def repeats(lines: Sequence[str]) -> int:
    """Return the number of lines that repeat an earlier one word for word."""
    return len(lines) - len({" ".join(line.split()).casefold() for line in lines})


def share(part: int, whole: int) -> str:
    """
    >>> share(1, 8), share(0, 0)
    ('1 / 8 (12.5%)', '0')
    """
    return f"{part} / {whole} ({part / whole:.1%})" if whole else "0"
