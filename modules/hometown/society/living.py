"""A life by rules alone: everybody does what the arbiter says, with nobody's model asked. What a town with a model does is measured against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hometown.clock import minute_of_day
from hometown.memory.stream import Vector
from hometown.rng import stream
from hometown.society.affairs import Affairs
from hometown.society.arbiter import choose, interrupts, wakes
from hometown.society.beginning import beginning
from hometown.society.bodies import levels
from hometown.society.market import posted
from hometown.society.means import Apart, Search, Task
from hometown.society.refusals import Refusal, refuse_gift, refuse_move, refuse_purchase, refuse_work
from hometown.society.work import begin_work, buy, fall_asleep, finish_work, leave_work, ripen
from hometown.world.apply import apply
from hometown.world.book.book import Book
from hometown.world.effects import Effect, TimePassed
from hometown.world.labour import AimSet, Deed, Process
from hometown.world.matter import Move, Shifted
from hometown.world.rows import Clock
from hometown.world.state import State

MINUTES = 10
"""Of a step."""


def without_minds(start: datetime) -> State:
    """A state with rows alone: nobody in it remembers anything."""

    def vector(text: str) -> Vector:
        raise NotImplementedError(f"nobody remembers here: {text}")

    return State({"clock/town": Clock(start, 0)}, {}, vector)


@dataclass
class Person:
    """Where somebody is, what it is about to do, and until when it is on its way."""

    place: str
    tasks: list[Task] = field(default_factory=list)
    walks_until: datetime | None = None


@dataclass
class Life:
    """A society that lives by its rules from `start` on. `log` has all effects, in order; `refusals` what was refused, by code."""

    book: Book
    start: datetime
    seed: int
    apart: Apart
    log: list[Effect] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = without_minds(self.start)
        self.people = {who: Person(self.book.start.houses[part.house].home) for who, part in self.book.start.people.items()}
        self.carry_out(beginning(self.book, self.start))

    @property
    def affairs(self) -> Affairs:
        return Affairs(self.book, self.state, self.start)

    def level(self, who: str, need: str) -> int:
        """Points of a need now."""
        return levels(self.book, self.state.needs(who), self.state.clock.now)[need]

    def replace_book(self, book: Book) -> None:
        """From now on other rules hold. Work at a fixture that is gone is left, and what lies there stays."""
        for who in self.people:
            deed = self.state.deed(who)
            if deed and deed.at and deed.at not in book.fixtures:
                self.carry_out(leave_work(self.affairs, who, deed))
        self.book = book

    def step(self) -> None:
        """Ten minutes: what is due is done, then everybody acts in an order drawn for the step, then shops close that do."""
        self.pass_time(MINUTES)
        order = sorted(self.people)
        stream(self.seed, "order", self.state.clock.step).shuffle(order)
        for who in order:
            self._act(who, self.people[who])
        for address, fixture in self.book.fixtures.items():
            if fixture.shop and 0 <= minute_of_day(self.state.clock.now) - fixture.shop.closes < MINUTES:
                self.carry_out(posted(self.book, self.state, address))

    def pass_time(self, minutes: int) -> None:
        """So many minutes later, all work and whatever went on by itself until then is done."""
        clock = self.state.clock
        self.carry_out([TimePassed(clock.now + timedelta(minutes=minutes), clock.step + 1)])
        self._carry_out_due()

    def attempt(self, who: str, task: Task) -> Refusal | None:
        """Somebody does one task, or is refused."""
        refusal, effects = self._effects_of(who, task)
        if refusal is None:
            self.carry_out(effects())
        return refusal

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Applies effects, and logs them."""
        for effect in effects:
            apply(effect, self.state)
            self.log.append(effect)

    def _carry_out_due(self) -> None:
        """Deeds and processes that are over."""
        now = self.state.clock.now
        for who in self.people:
            deed: Deed | None = self.state.deed(who)
            if deed and deed.until <= now:
                self.carry_out(finish_work(self.affairs, who, deed))
        for address in self.book.fixtures:
            process: Process | None = self.state.process(address)
            if process and process.due <= now:
                self.carry_out(ripen(self.affairs, address, process))

    def _act(self, who: str, person: Person) -> None:
        """What one person does now."""
        if self.state.needs(who).asleep:
            if wakes(self.affairs, who):
                self.carry_out(fall_asleep(self.affairs, who, False))
            return
        if person.walks_until and person.walks_until > self.state.clock.now:
            return
        deed = self.state.deed(who)
        if (deed or person.tasks) and interrupts(self.affairs, who, person.place, Search(self.affairs, who, self.apart)):
            person.tasks.clear()
            if deed:
                self.carry_out(leave_work(self.affairs, who, deed))
        elif deed:
            return
        if not person.tasks:
            self._decide(who, person)
        self._go_on(who, person)

    def _decide(self, who: str, person: Person) -> None:
        """A new plan, if there is anything to do; whoever is to sleep does."""
        search = Search(self.affairs, who, self.apart)
        choice = choose(self.affairs, who, person.place, search)
        if choice.need != self.state.aim(who):
            self.carry_out([AimSet(who, choice.need)])
        if choice.plan:
            person.tasks = list(choice.plan.tasks)
        elif choice.need:
            self.carry_out(fall_asleep(self.affairs, who, True))

    def _go_on(self, who: str, person: Person) -> None:
        """The next tasks of the plan, as far as they take no time; one that is refused ends it."""
        while person.tasks:
            task = person.tasks[0]
            if task.at and (minutes := self.apart(person.place, task.at)):
                person.place, person.walks_until = task.at, self.state.clock.now + timedelta(minutes=minutes)
                return
            person.tasks.pop(0)
            refusal = self.attempt(who, task)
            if refusal:
                self.refusals[refusal.code] = self.refusals.get(refusal.code, 0) + 1
                person.tasks.clear()
            if task.verb == "do":
                return

    def _effects_of(self, who: str, task: Task) -> tuple[Refusal | None, Callable[[], list[Effect]]]:
        """Why a task is refused, and what it would come to if it is not."""
        affairs, at, what, count = self.affairs, task.at, task.what, task.count
        match task.verb:
            case "do":
                return refuse_work(affairs, who, what, at), lambda: begin_work(affairs, who, what, at)
            case "buy":
                return refuse_purchase(affairs, who, at, what, count), lambda: buy(affairs, who, at, what, count)
            case "ask":
                return refuse_gift(affairs, who, at, what), lambda: [Shifted(Move(at, who, ((what, 1),)))]
            case "take" | "put":
                giver, taker = (at, who) if task.verb == "take" else (who, at)
                return refuse_move(affairs, who, giver, taker, ((what, count),)), lambda: [Shifted(Move(giver, taker, ((what, count),)))]
