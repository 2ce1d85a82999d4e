"""The deeds of a day in words, in a town with a society. A resident who fetches a loaf eats it on
the spot, although their action still says that they fetch it.
"""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.society.work_phrasing import WorkPhrases
from hometown.world import keys
from hometown.world.labour import Errand, Verb


@frozen
class BegunDeed:
    """The beginning of a deed, as an activity with its emoji."""

    start: datetime
    activity: str
    emoji: str


def deeds_begun(
    run: RunReader, names: Names, telling: WorkPhrases, who: str, first: int, last: int
) -> list[BegunDeed]:
    """Return the work that a resident began in steps `first` to `last`, without work that was only
    resumed after a conversation.
    """
    deeds, before = list[BegunDeed](), ""
    for _, row in run.versions_or(keys.DEED.of(who), first, last, None):
        deed = row
        recipe = deed.recipe if deed else ""
        if deed and recipe != before and recipe in telling.book.recipes:
            errand, other = (
                Errand(Verb.DO, deed.at, recipe),
                names.person(deed.partner) if deed.partner else "",
            )
            deeds.append(BegunDeed(deed.since, telling.doing(errand, other), telling.emoji(errand)))
        before = recipe
    return deeds
