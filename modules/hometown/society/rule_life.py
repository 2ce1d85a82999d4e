"""A life by rules alone: every resident does as the arbiter decides, without model calls. It is the
baseline against which towns with a model are measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hometown.memory.arithmetic import Vector
from hometown.rng import stream
from hometown.society.arbiter import choose_activity, should_interrupt, should_wake
from hometown.society.bodies import satisfied_needs
from hometown.society.enactment import replace_rules
from hometown.society.errand_plan import TravelTime
from hometown.society.errands import (
    adopt_choice,
    advance_due_events,
    attempt_errand,
    believed_site,
    do_errands,
    post_closing_prices,
)
from hometown.society.initial_state import equip_resident, initial_effects
from hometown.society.jobs import leave_work, set_asleep
from hometown.society.knowledge import initial_knowledge, look_around, view_as
from hometown.society.notice_boards import visit_boards
from hometown.society.planner import Planner
from hometown.society.refusals import Refusal
from hometown.society.society_view import SocietyView, room_of
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.effects import Effect, TimePassed
from hometown.world.labour import Barred, CourseSet, Errand, NeedsSet
from hometown.world.rows import Clock, Row
from hometown.world.state import State

STEP_MINUTES = 10
"""The minutes of a step."""


def mindless_state(start: datetime) -> State:
    """Return a state with rows alone, in which residents have no memories."""

    def vector(text: str) -> Vector:
        raise NotImplementedError(f"nobody remembers here: {text}")

    return State({keys.CLOCK.key: Clock(start, 0)}, {}, vector)


@dataclass
class RuleResident:
    """A resident's place or destination, and the time at which they get there."""

    place: str
    walks_until: datetime | None = None


@dataclass
class RuleLife:
    """A society that lives by its rules alone.

    Attributes:
        start: The time at which it begins.
        rows: The rows of a running town, or none for the world's start.
        places: The arenas of a running town's residents; those who are out of town have none, and
            only have all their needs satisfied.
        log: All effects, in order.
        refusals: The number of refusals, by code.
    """

    book: Book
    start: datetime
    seed: int
    travel_minutes: TravelTime
    rows: Mapping[str, Row] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    log: list[Effect] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = mindless_state(self.start)
        if self.rows:
            self.state.rows |= self.rows
            self.people = {who: RuleResident(place) for who, place in self.places.items()}
            return
        self.people = {
            who: RuleResident(self.book.start.houses[part.house].home)
            for who, part in self.book.start.people.items()
        }
        self.carry_out(initial_effects(self.book, self.start))
        for who in self.people:
            self.carry_out(initial_knowledge(self.society, who))

    @property
    def society(self) -> SocietyView:
        return SocietyView(
            self.book,
            self.state,
            self.start,
            self.seed,
            place_of=lambda who: room_of(self.people[who].place) if who in self.people else "",
        )

    @property
    def prices(self) -> dict[str, int]:
        """The highest price of each kind that shops sell."""
        highest: dict[str, int] = {}
        for address in self.book.fixtures:
            shop = self.state.shop(address)
            for kind, price in shop.prices if shop else ():
                highest[kind] = max(price, highest.get(kind, 0))
        return highest

    def level(self, who: str, need: str) -> int:
        """Return the present level of a need, in points."""
        return self.society.levels(who)[need]

    def replace_book(self, book: Book) -> None:
        """Replace the rules. Work and processes without a place in them end, and stocks stay."""
        self.carry_out(replace_rules(self.society, book, {}))
        self.book = book

    def move_in(self, who: str, place: str, entries: Entries) -> None:
        """Move a resident in at a place, by entries that the rules already contain."""
        self.people[who] = RuleResident(place)
        self.carry_out(equip_resident(self.society, who, entries))

    def step(self) -> None:
        """Live one step: due events happen, all residents act in random order, then the shops that
        close in this step set the prices of the next day.
        """
        self.pass_time(STEP_MINUTES)
        order = sorted(self.people)
        stream(self.seed, "order", self.state.clock.step).shuffle(order)
        for who in order:
            self._act(who, self.people[who])
        self.carry_out(post_closing_prices(self.society, STEP_MINUTES))

    def pass_time(self, minutes: int) -> None:
        """Advance the clock by some minutes, and carry out the events due until then."""
        clock = self.state.clock
        self.carry_out([TimePassed(clock.now + timedelta(minutes=minutes), clock.step + 1)])
        needs = satisfied_needs(self.book, self.state.clock.now)
        self.carry_out(
            NeedsSet(who, needs) for who in self.book.start.people if who not in self.people
        )
        self.carry_out(advance_due_events(self.society))

    def attempt(self, who: str, errand: Errand) -> Refusal | None:
        """Carry out one errand of a resident, or return the refusal; None if it was done."""
        refusal, effects = attempt_errand(self.society, who, errand)
        if refusal is None:
            self.carry_out(effects())
        return refusal

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Apply effects to the state one by one, append them to `log`, and count refusals."""
        for effect in effects:
            apply(effect, self.state)
            self.log.append(effect)
            if isinstance(effect, Barred):
                self.refusals[effect.bar.outcome.code] = (
                    self.refusals.get(effect.bar.outcome.code, 0) + 1
                )

    def _search(self, who: str) -> Planner:
        return Planner(view_as(self.society, who, self.people[who].place), who, self.travel_minutes)

    def _act(self, who: str, person: RuleResident) -> None:
        """Carry out a resident's part of a step: they wake, drop work for an urgent need, choose an
        activity if they have none, do errands, look around, read notices, and set out for the next
        errand. Residents who sleep, walk, work or are helpless do nothing else.
        """
        if self.state.needs(who).asleep:
            if should_wake(self.society, who):
                self.carry_out(set_asleep(self.society, who, False))
            return
        if person.walks_until and person.walks_until > self.state.clock.now:
            return
        if self.state.is_helpless(who):
            return
        job = self.state.job(who)
        if (job or self.state.errand_queue(who)) and should_interrupt(
            self.society, who, person.place, self._search(who)
        ):
            self.carry_out(
                [CourseSet(who, ()), *(leave_work(self.society, who, job) if job else ())]
            )
        elif job:
            return
        if not self.state.errand_queue(who):
            choice = choose_activity(self.society, who, person.place, self._search(who))
            self.carry_out(adopt_choice(self.society, who, choice))
            if choice.need and not choice.plan:
                self.carry_out(set_asleep(self.society, who, True))

        def is_here(at: str) -> bool:
            return not self.travel_minutes(person.place, at)

        self.carry_out(do_errands(self.society, who, is_here))
        self.carry_out(look_around(self.society, who, filter(is_here, self.book.fixtures)))
        self.carry_out(visit_boards(self.society, who, is_here))
        if (left := self.state.errand_queue(who)) and not self.state.job(who):
            site = believed_site(self.society, who, left[0])
            person.walks_until = self.state.clock.now + timedelta(
                minutes=self.travel_minutes(person.place, site)
            )
            person.place = site
