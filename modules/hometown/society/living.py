"""A life by rules alone: every resident does as the arbiter decides, without model calls. It is the
baseline against which towns with a model are measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hometown.memory.arithmetic import Vector
from hometown.rng import stream
from hometown.society.affairs import Affairs
from hometown.society.arbiter import choose, interrupts, wakes
from hometown.society.beginning import beginning
from hometown.society.beliefs import as_seen_by, known_from_the_start, looked
from hometown.society.enacting import changeover
from hometown.society.errands import attempted, believed_site, closing, due, go_on, take_course
from hometown.society.means import Apart, Search
from hometown.society.notices import at_boards
from hometown.society.refusals import Refusal
from hometown.society.settling import provided
from hometown.society.work import fall_asleep, leave_work
from hometown.world.apply import apply
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.effects import Effect, TimePassed
from hometown.world.labour import Barred, CourseSet, Errand
from hometown.world.rows import Clock, Row
from hometown.world.state import State
from hometown.world.world import arena_of

MINUTES = 10
"""The minutes of a step."""


def without_minds(start: datetime) -> State:
    """Return a state with rows alone, in which residents have no memories."""

    def vector(text: str) -> Vector:
        raise NotImplementedError(f"nobody remembers here: {text}")

    return State({"clock/town": Clock(start, 0)}, {}, vector)


@dataclass
class Person:
    """A resident's place or destination, and the time at which they get there."""

    place: str
    walks_until: datetime | None = None


@dataclass
class Life:
    """A society that lives by its rules alone.

    Attributes:
        start: The time at which it begins.
        rows: The rows of a running town, or none for the world's start.
        places: The residents' arenas in a running town.
        log: All effects, in order.
        refusals: The number of refusals, by code.
    """

    book: Book
    start: datetime
    seed: int
    apart: Apart
    rows: Mapping[str, Row] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    log: list[Effect] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = without_minds(self.start)
        if self.rows:
            self.state.rows |= self.rows
            self.people = {who: Person(place) for who, place in self.places.items()}
            return
        self.people = {
            who: Person(self.book.start.houses[part.house].home)
            for who, part in self.book.start.people.items()
        }
        self.carry_out(beginning(self.book, self.start))
        for who in self.people:
            self.carry_out(known_from_the_start(self.affairs, who))

    @property
    def affairs(self) -> Affairs:
        return Affairs(
            self.book,
            self.state,
            self.start,
            self.seed,
            places=lambda who: arena_of(self.people[who].place),
        )

    def level(self, who: str, need: str) -> int:
        """Return the present level of a need, in points."""
        return self.affairs.levels(who)[need]

    def replace_book(self, book: Book) -> None:
        """Replace the rules. Work and processes without a place in them end, and stocks stay."""
        self.carry_out(changeover(self.affairs, book, {}))
        self.book = book

    def settle(self, who: str, place: str, entries: Entries) -> None:
        """Move a resident in at a place, by entries that the rules already contain."""
        self.people[who] = Person(place)
        self.carry_out(provided(self.affairs, who, entries))

    def step(self) -> None:
        """Live one step: due events happen, all residents act in random order, then shops close."""
        self.pass_time(MINUTES)
        order = sorted(self.people)
        stream(self.seed, "order", self.state.clock.step).shuffle(order)
        for who in order:
            self._act(who, self.people[who])
        self.carry_out(closing(self.affairs, MINUTES))

    def pass_time(self, minutes: int) -> None:
        """Advance the clock by some minutes, and carry out the events due until then."""
        clock = self.state.clock
        self.carry_out([TimePassed(clock.now + timedelta(minutes=minutes), clock.step + 1)])
        self.carry_out(due(self.affairs))

    def attempt(self, who: str, errand: Errand) -> Refusal | None:
        """Carry out one errand of a resident, or return the refusal."""
        refusal, effects = attempted(self.affairs, who, errand)
        if refusal is None:
            self.carry_out(effects())
        return refusal

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Apply effects one by one, and log them."""
        for effect in effects:
            apply(effect, self.state)
            self.log.append(effect)
            if isinstance(effect, Barred):
                self.refusals[effect.bar.outcome.code] = (
                    self.refusals.get(effect.bar.outcome.code, 0) + 1
                )

    def _search(self, who: str) -> Search:
        return Search(as_seen_by(self.affairs, who, self.people[who].place), who, self.apart)

    def _act(self, who: str, person: Person) -> None:
        """Carry out a resident's present activity."""
        if self.state.needs(who).asleep:
            if wakes(self.affairs, who):
                self.carry_out(fall_asleep(self.affairs, who, False))
            return
        if person.walks_until and person.walks_until > self.state.clock.now:
            return
        if self.state.helpless(who):
            return
        deed = self.state.deed(who)
        if (deed or self.state.course(who)) and interrupts(
            self.affairs, who, person.place, self._search(who)
        ):
            self.carry_out(
                [CourseSet(who, ()), *(leave_work(self.affairs, who, deed) if deed else ())]
            )
        elif deed:
            return
        if not self.state.course(who):
            choice = choose(self.affairs, who, person.place, self._search(who))
            self.carry_out(take_course(self.affairs, who, choice))
            if choice.need and not choice.plan:
                self.carry_out(fall_asleep(self.affairs, who, True))
        self.carry_out(go_on(self.affairs, who, lambda at: not self.apart(person.place, at)))
        self.carry_out(
            looked(
                self.affairs,
                who,
                [at for at in self.book.fixtures if not self.apart(person.place, at)],
            )
        )
        self.carry_out(at_boards(self.affairs, who, lambda at: not self.apart(person.place, at)))
        if (left := self.state.course(who)) and not self.state.deed(who):
            site = believed_site(self.affairs, who, left[0])
            person.walks_until = self.state.clock.now + timedelta(
                minutes=self.apart(person.place, site)
            )
            person.place = site
