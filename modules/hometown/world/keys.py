"""The kinds of state rows, each declared once: name, parameters of its keys, type and visibility.

A key is `kind/town`, `kind/owner` or `kind/owner/detail`. It carries the type of its rows, so that a
misspelt kind, a missing parameter or a row of another type is a type error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from hometown.memory.action import Action, DiscreetAction
from hometown.memory.schedule import Routines, Schedule, Tasks
from hometown.world.approaches import Approaches, Notes
from hometown.world.bond import Bond
from hometown.world.deal_records import Deals
from hometown.world.director_moves import DirectorMoves
from hometown.world.feeling import Feel
from hometown.world.goal import Goals
from hometown.world.incidents import (
    Answered,
    Condition,
    Countermeasure,
    Happenings,
    Law,
    PlacedThing,
    Removed,
    StoppedHappenings,
    Voices,
)
from hometown.world.labour import (
    ActiveNeed,
    Ailment,
    BlockedErrands,
    Employment,
    ErrandQueue,
    FixtureSight,
    Job,
    Needs,
    Process,
    RecentOutcomes,
    Shop,
    Skills,
    Weather,
)
from hometown.world.matter import Counter, Item, Stock
from hometown.world.notices import Board
from hometown.world.occasion import Occasion, Occasions
from hometown.world.pending import Questions, Unsummed
from hometown.world.process_rows import HeldOpinion, Infection
from hometown.world.regard import Impression, Regard
from hometown.world.rows import (
    Body,
    Clock,
    KeptMemories,
    Known,
    KnownPlaces,
    MindState,
    Passed,
    Pondered,
    Promises,
    QuotedRelation,
    Reasons,
    Relation,
    Row,
    SettledMemories,
    Talking,
    ThingState,
)
from hometown.world.threads import Threads
from hometown.world.wish import Wishes

R = TypeVar("R")

KEYS_KEPT = 1 << 16
"""The largest number of cached keys of a kind."""


class Key(str, Generic[R]):
    """The key of a row of type `R`. It exists for the type checker: keys are plain texts."""


class _Cache(dict[str, str]):
    """The keys with a prefix, by the part after it. Keys are looked up all the time."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def __missing__(self, owner: str) -> str:
        if len(self) >= KEYS_KEPT:
            self.clear()
        key = self[owner] = self._prefix + owner
        return key


class RowKind(Generic[R]):
    """A kind of rows.

    Attributes:
        name: The first part of its keys.
        prefix: The name and a slash.
        root: The common prefix of its keys without the slash, for queries of all of them.
        row_type: The type of its rows.
        is_own: Whether a row belongs to the resident who is the second part of its key. Other
            residents cannot read it, whereas the other rows are the town's, and public.
    """

    def __init__(self, name: str, row_type: type[R], *, is_own: bool = False) -> None:
        self.name, self.row_type, self.is_own = name, row_type, is_own
        self.prefix = f"{name}/"
        self.root: Key[R] = cast(Any, name)

    def select(self, rows: Mapping[str, Row]) -> Iterator[tuple[str, R]]:
        """Yield the rows of this kind, each with the part of its key after the name."""
        for key in rows:
            if key.startswith(self.prefix):
                yield self.owner(key), cast(R, rows[key])

    @property
    def range(self) -> tuple[str, str]:
        """The bounds of this kind's keys in the order of texts: from the first to before the second."""
        return self.prefix, f"{self.name}0"

    def owner(self, key: str) -> str:
        """Return the part of a key after the name.

        >>> BODY.owner("body/ana")
        'ana'
        """
        return key.removeprefix(self.prefix)


class TownKind(RowKind[R]):
    """A kind of which the town has one row.

    Attributes:
        key: The key of that row.
    """

    def __init__(self, name: str, row_type: type[R]) -> None:
        super().__init__(name, row_type)
        self.key: Key[R] = cast(Any, f"{name}/town")


class OwnerKind(RowKind[R]):
    """A kind with one row for each owner: a resident, an address, or another id.

    Attributes:
        of: Returns the key of an owner's row.

    >>> BODY.of("ana")
    'body/ana'
    """

    def __init__(self, name: str, row_type: type[R], *, is_own: bool = False) -> None:
        super().__init__(name, row_type, is_own=is_own)
        self.of: Callable[[str], Key[R]] = cast(Any, _Cache(self.prefix).__getitem__)


class DetailKind(RowKind[R]):
    """A kind with several rows for each owner.

    Attributes:
        of: Returns the key of one row, by its owner and detail.

    >>> BOND.of("ana", "ben")
    'bond/ana/ben'
    """

    def __init__(self, name: str, row_type: type[R], *, is_own: bool = False) -> None:
        super().__init__(name, row_type, is_own=is_own)

        def of(owner: str, detail: str) -> str:
            return f"{name}/{owner}/{detail}"

        self.of: Callable[[str, str], Key[R]] = cast(Any, of)

    def below(self, owner: str) -> Key[R]:
        """Return the common prefix of an owner's keys, without the last slash."""
        return cast("Key[R]", self.prefix + owner)

    def detail(self, key: str) -> str:
        """Return the last parameter of a key.

        >>> BOND.detail("bond/ana/ben"), KNOWN.detail("known/ana/cafe/main")
        ('ben', 'cafe/main')
        """
        return key.split("/", 2)[2]


CLOCK = TownKind("clock", Clock)
BODY = OwnerKind("body", Body)
ACTION: OwnerKind[Action] = OwnerKind("action", cast(Any, DiscreetAction | Action))
TALKING = OwnerKind("talking", Talking)
MIND = OwnerKind("mind", MindState, is_own=True)
SCHEDULE = OwnerKind("schedule", Schedule, is_own=True)
TASKS = OwnerKind("tasks", Tasks, is_own=True)
ROUTINE = DetailKind("routine", Routines, is_own=True)
PLACES = OwnerKind("places", KnownPlaces, is_own=True)
KNOWN = DetailKind("known", Known, is_own=True)
RELATION: DetailKind[Relation] = DetailKind(
    "relation", cast(Any, QuotedRelation | Relation), is_own=True
)
PROMISES = OwnerKind("promises", Promises, is_own=True)
PASSED = OwnerKind("passed", Passed, is_own=True)
THING = OwnerKind("thing", ThingState)
ANSWERED = TownKind("answered", Answered)
VOICES = OwnerKind("voices", Voices, is_own=True)
REASONS = OwnerKind("reasons", Reasons, is_own=True)
PONDERED = OwnerKind("pondered", Pondered, is_own=True)
APPROACHES = OwnerKind("approaches", Approaches, is_own=True)
CONDITION = OwnerKind("condition", Condition)
PLACED = OwnerKind("placed", PlacedThing)
REMOVED = OwnerKind("removed", Removed)
LAW = OwnerKind("law", Law)
HAPPENINGS = TownKind("happenings", Happenings)
STOPPED = TownKind("stopped", StoppedHappenings)
MEASURE = OwnerKind("measure", Countermeasure)
OCCASION = OwnerKind("occasion", Occasion)
OCCASIONS = TownKind("occasions", Occasions)
BOND = DetailKind("bond", Bond, is_own=True)
GOALS = OwnerKind("goals", Goals, is_own=True)
STOCK = OwnerKind("stock", Stock)
ITEM = OwnerKind("item", Item)
COUNTER = TownKind("counter", Counter)
DEED = OwnerKind("deed", Job)
PROCESS = OwnerKind("process", Process)
NEEDS = OwnerKind("needs", Needs, is_own=True)
SKILLS = OwnerKind("skills", Skills, is_own=True)
SHOP = OwnerKind("shop", Shop)
WEATHER = TownKind("weather", Weather)
AIM = OwnerKind("aim", ActiveNeed, is_own=True)
COURSE = OwnerKind("course", ErrandQueue, is_own=True)
LATELY = OwnerKind("lately", RecentOutcomes, is_own=True)
BARRED = OwnerKind("barred", BlockedErrands, is_own=True)
FEEL = OwnerKind("feel", Feel, is_own=True)
KEPT = OwnerKind("kept", KeptMemories, is_own=True)
SETTLED = OwnerKind("settled", SettledMemories, is_own=True)
QUESTIONS = OwnerKind("questions", Questions, is_own=True)
UNSUMMED = OwnerKind("unsummed", Unsummed)
SEEN = DetailKind("seen", FixtureSight, is_own=True)
THREADS = TownKind("threads", Threads)
REGARD = DetailKind("regard", Regard, is_own=True)
IMPRESSION = DetailKind("impression", Impression, is_own=True)
DEALS = TownKind("deals", Deals)
HIRED = OwnerKind("hired", Employment)
AILING = OwnerKind("ailing", Ailment)
BOARD = OwnerKind("board", Board)
NOTES = OwnerKind("notes", Notes)
WISHES = OwnerKind("wishes", Wishes, is_own=True)
DIRECTOR = TownKind("director", DirectorMoves)
OPINION = OwnerKind("opinion", HeldOpinion, is_own=True)
INFECTION = OwnerKind("infection", Infection)

KINDS: Mapping[str, RowKind[Any]] = {
    kind.name: kind for kind in list(globals().values()) if isinstance(kind, RowKind)
}
"""All kinds of rows, by name."""

OWN = frozenset(kind.name for kind in KINDS.values() if kind.is_own)
"""The kinds whose rows belong to a resident."""


def resident_of(key: str) -> str:
    """Return the resident to whom a row belongs; "" where it is public.

    >>> resident_of("bond/ana/ben"), resident_of("clock/town")
    ('ana', '')
    """
    kind, owner, *_ = key.split("/", 2)
    return owner if kind in OWN else ""
