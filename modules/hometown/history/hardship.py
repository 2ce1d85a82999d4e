"""How badly off the residents of a society have been: how low each need fell, and who collapsed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from hometown.frozen import frozen
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.society.bodies import need_levels
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.book.parts import FULL


@frozen
class Hardship:
    """`lowest` is the lowest level of each need, 0 to 1000 points, that anybody had when a step
    ended; `collapsed` are those whose health was then at 0.
    """

    lowest: tuple[tuple[str, int], ...]
    collapsed: tuple[str, ...]

    def in_words(self, book: Book, lang: Lang) -> list[str]:
        """The lowest levels in words: "food 30%"."""
        return [f"{book.needs[need].name[lang]} {level / FULL:.0%}" for need, level in self.lowest]


def hardship(run: RunReader, book: Book, last: int) -> Hardship:
    """That of a run up to step `last`."""
    lowest: dict[str, int] = {}
    collapsed: dict[str, None] = {}
    for who, felt in _felt(run, book, last):
        lowest = {need: min(level, lowest.get(need, level)) for need, level in felt.items()}
        if felt["health"] == 0:
            collapsed[who] = None
    return Hardship(tuple(lowest.items()), tuple(collapsed))


def _felt(run: RunReader, book: Book, last: int) -> Iterator[tuple[str, dict[str, int]]]:
    """The level of each need of each resident, step by step."""
    for who in run.residents:
        bodies = run.versions(keys.NEEDS.of(who), 0, last)
        for step in range(last + 1):
            at = bisect_right(bodies, step, key=lambda body: body[0]) - 1
            if at >= 0 and (body := bodies[at][1]):
                yield who, need_levels(book, body, run.moment(step))
