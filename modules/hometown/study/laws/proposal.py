"""A proposal of a law, or of a new resident, for the present town, judged before it is entered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import orjson

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.society.forecast import Forecast, forecast_days, snapshot_society
from hometown.society.law_impact import Harm, LawImpact, assess_law
from hometown.storage.run import RunFile
from hometown.study.laws import law_wording
from hometown.study.laws.greedy_trial import find_greediest
from hometown.study.laws.value_search import find_value_leap
from hometown.text import Phrase
from hometown.world import keys
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.faults import Faults
from hometown.world.furnish import furnish_world
from hometown.world.incidents import Law
from hometown.world.interventions import Intervention
from hometown.world.laws import in_force, propose_entries
from hometown.world.resolve import one_line
from hometown.world.state import State
from hometown.world.world import World

MAX_PATCH_CHARACTERS = 20_000
"""Maximum number of characters of a patch."""


@dataclass(frozen=True)
class Proposal:
    """A law for a town: `world` and `state` as they are now, including waiting laws and residents;
    its changes, and all faults.

    `patch` is its JSON in one line.
    """

    world: World
    state: State
    seed: int
    patch: str
    entries: Entries
    faults: tuple[Phrase, ...]

    @cached_property
    def after(self) -> World:
        """The town once the law holds."""
        return in_force(self.world, self.entries)

    def trial(self, days: int) -> Iterator[Forecast]:
        """Simulate the town for some days, by its rules alone, with the law and without; yield the
        same forecast after each day. Yield none for a town without a society.
        """
        if self.after.book is None:
            return iter(())
        rows, places = snapshot_society(self.world, self.state)
        return forecast_days(
            self.world, self.after.book, self.entries, rows, places, days, self.seed
        )

    def judge(self, outlook: Forecast) -> LawImpact:
        """Return the harms of the law: those of a forecast, and a leap of the worth of work."""
        verdict = assess_law(self.state, outlook)
        leap = self._find_leap(outlook)
        return LawImpact((leap, *verdict.breaches)) if leap else verdict

    def _find_leap(self, outlook: Forecast) -> Harm | None:
        """Return the harm of work that creates value from nothing, with the resident who would make
        most of it on the first day; None if there is no such work.
        """
        days = find_value_leap(outlook.before, outlook.after)
        if days is None:
            return None
        was, now = days
        rows, places = snapshot_society(self.world, self.state)
        greedy = find_greediest(self.world, outlook.after, self.entries, rows, places, now.runs)
        family = outlook.after.recipes[next(iter(now.runs))].family
        return Harm(
            "leap",
            family,
            outlook.begins,
            greedy.who,
            supplied=round(greedy.coins or now.coins),
            used=round(was.coins),
        )

    def verdict_lines(self, outlook: Forecast, verdict: LawImpact, lang: Lang) -> list[str]:
        """Return the breaches of a verdict, a line each, the earliest first."""
        return law_wording.verdict_lines(self.after, outlook, verdict, lang)

    def find_breaches(self, days: int) -> list[Phrase]:
        """Simulate `days` days, and return the breaches that this shows, a line each in English;
        none if the law is harmless, or the town has no society.
        """
        outlook = next(iter(deque(self.trial(days), maxlen=1)), None)
        if outlook is None:
            return []
        verdict = self.judge(outlook)
        return (
            []
            if verdict.harmless
            else [Phrase(line) for line in self.verdict_lines(outlook, verdict, "en")]
        )

    def changes(self) -> list[str]:
        """Return the changes, a line each."""
        return law_wording.changes(self.world.book, self.entries)

    def write_announcement(self) -> str:
        """Return the default announcement to residents, in the run's language."""
        return law_wording.write_announcement(self.world, self.after, self.entries)

    def intervention(self, step: int, words: str = "") -> Intervention:
        """Return the law as an intervention for the inbox, with `words` in place of the default
        announcement.

        Raises:
            BadInput: The words are no text.
        """
        return Intervention(
            "law", "", self.patch, step, memory=one_line(words) or self.write_announcement()
        )


def propose_law(run: RunFile, founded: World, patch: str) -> Proposal:
    """Return the proposal of a patch for the present town of a run; `founded` is its world with its
    cast.

    Raises:
        BadInput: The patch is too long.
    """
    world, state = read_present_town(run, founded)
    if len(patch) > MAX_PATCH_CHARACTERS:
        raise BadInput(
            "the patch has {count} characters; at most {most} are allowed: make several laws of it",
            count=len(patch),
            most=MAX_PATCH_CHARACTERS,
        )
    faults = Faults(world.id)
    entries = propose_entries(world, patch, faults)
    line = orjson.dumps(orjson.loads(patch)).decode() if entries else patch
    return Proposal(world, state, run.manifest.seed, line, entries, tuple(faults.lines))


def read_present_town(run: RunFile, founded: World) -> tuple[World, State]:
    """Return the world and the state after the last step; waiting laws and residents are in the
    world alone.
    """
    state = run.restore()
    world = furnish_world(founded, state.rows)
    answered = run.answered(run.last.step)
    rows = dict(state.rows)
    for waiting in (
        entry
        for entry in run.inbox.interventions()
        if entry.kind == "law" and entry.number not in answered
    ):
        rows |= {
            keys.LAW.of(key): Law(entry)
            for key, entry in propose_entries(world, waiting.text, Faults(world.id)).items()
        }
        world = furnish_world(founded, rows)
    return world, state


def require_rules(world: World) -> Book:
    """Return the rules of a town.

    Raises:
        BadInput: It has no society.
    """
    if world.book is None:
        raise BadInput(
            "world {name!r} has no society, so there are no laws to change: use a world that has one (docs/society.md)",
            name=world.id,
        )
    return world.book
