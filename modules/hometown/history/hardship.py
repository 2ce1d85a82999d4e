"""The hardship of the residents of a society: the lowest level of each need, and the residents who
collapsed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from hometown.frozen import frozen
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.society.bodies import need_levels
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.book.parts import FULL
from hometown.world.labour import Counts, Needs


@frozen
class Hardship:
    """The hardship of a run: `lowest` is the lowest level of each need of any resident at the end
    of a step, 0 to 1000 points; `collapsed` are the residents whose health was 0 at the end of a
    step.
    """

    lowest: Counts
    collapsed: tuple[str, ...]

    def in_words(self, book: Book, lang: Lang) -> list[str]:
        """Return the lowest levels in words: "food 30%"."""
        return [f"{book.needs[need].name[lang]} {level / FULL:.0%}" for need, level in self.lowest]


def hardship(run: RunReader, book: Book, last: int) -> Hardship:
    """Return the hardship of a run up to step `last`, after which the rules are those of `book`."""
    lowest: dict[str, int] = {}
    collapsed: dict[str, None] = {}
    for who, _, felt in read_levels(run, book, last):
        lowest |= {need: min(level, lowest.get(need, level)) for need, level in felt.items()}
        if felt.get("health") == 0:
            collapsed[who] = None
    return Hardship(tuple(lowest.items()), tuple(collapsed))


def read_levels(run: RunReader, book: Book, last: int) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Yield each resident, step and levels of their needs after it, resident by resident. `book`
    holds the rules after step `last`.
    """
    for who in run.residents:
        bodies = run.versions(keys.NEEDS.of(who), 0, last)
        for step in range(last + 1):
            at = bisect_right(bodies, step, key=lambda body: body[0]) - 1
            if at >= 0 and (body := bodies[at][1]):
                yield who, step, levels_under(book, body, run.moment(step))


def levels_under(book: Book, needs: Needs, now: datetime) -> dict[str, int]:
    """Return the level now of each need that the rules have, 0 to 1000 points: rules and needs may
    be of different times, with a law between them.
    """
    known = tuple(each for each in needs.levels if each[0] in book.needs)
    return need_levels(book, replace(needs, levels=known), now)
