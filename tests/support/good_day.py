"""What makes two days of a town good days, read off the run's database alone: where people slept,
worked, ate and met, and how news went.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from hometown.clock import at_minute
from hometown.history.diary import Doing, Stay, days_of, stays, steps_of
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, knowers, visits
from hometown.history.topics import find_changes
from hometown.world.conversation import Conversation
from hometown.world.persona import Persona
from hometown.world.world import Storyline, World, arena_of

NOON, SMALL_HOURS = 12 * 60, 4 * 60
WORKING_HOURS = (8 * 60, 19 * 60)
MEALS = {
    "breakfast": (5 * 60, 11 * 60 + 30),
    "lunch": (11 * 60 + 30, 15 * 60),
    "supper": (17 * 60, 22 * 60 + 30),
}
"""Between which minutes of the day each meal is begun."""

EATING = {
    "en": re.compile(
        r"breakfast|lunch|supper|dinner|brunch|porridge|sandwich|\b(?:eat|toast|soup|meal|noodle|pie|stew|scone|bun|eggs?\b(?! timer))"
    ),
    "zh": re.compile("[早午晚夜]饭|[早午晚]餐|吃|喝粥|喝汤|司康|面包|三明治"),
}
FOOD = frozenset({"eat", "dining", "snack", "kitchen", "cook", "coffee"})
"""Tags of places where there is food."""

BROUGHT = {
    "en": re.compile(r"tiffin|picnic|packed lunch|lunch ?box|\beat(?:s|ing)?\b"),
    "zh": re.compile("野餐|便当|饭盒|午餐盒|吃"),
}
"""What somebody does who eats what it has brought along, wherever that is."""


NO_FOOD = frozenset({"bathroom", "sleep", "toilet"})
VISIT = 10
"""Minutes from which on somebody counts as having come to a gathering."""

Lives = dict[tuple[str, date], list[Stay]]


class GoodDay:
    """A run, and what it should show. Each check gives the complaints it has, as lines."""

    def __init__(self, run: RunReader) -> None:
        self.run = run
        self.last = run.last_step()
        world = Names.of(run).world
        assert world is not None
        self.world: World = world
        self.days = days_of(run, self.last)
        by_day = {
            day: [
                talk
                for talk in run.conversations(*steps_of(run, day, self.last))
                if talk.started.date() == day
            ]
            for day in self.days
        }
        self.lives: Lives = {
            (who, day): stays(run, who, day, self.last, by_day[day])
            for who in run.residents
            for day in self.days
        }
        self.talks: list[Conversation] = [talk for day in self.days for talk in by_day[day]]

    # on every seed --------------------------------------------------------------------------

    def walls(self) -> Iterator[str]:
        """Nobody stands or walks where nobody can, or leaps."""
        at = self.run.positions(1)
        for who, tile in at.items():
            if not self.world.maze.walkable(tile):
                yield f"{who} begins in a wall at {tile}"
        for step, walks in sorted(self.run.trajectories(1, self.last).items()):
            for who, path in walks.items():
                for _, column, row in path:
                    if (
                        not self.world.maze.walkable((column, row))
                        or abs(column - at[who][0]) + abs(row - at[who][1]) > 1
                    ):
                        yield f"{who} goes from {at[who]} to {(column, row)} in step {step}"
                    at[who] = (column, row)

    def beds_at_noon(self) -> Iterator[str]:
        """Nobody is in a bed at noon, nor asleep anywhere."""
        for who, day in self.lives:
            doing = self.doing_at(who, day, NOON)
            if doing and (doing.asleep or "bed" in self.tags(doing.address)):
                yield f"{who} is at {doing.address} on {day} at noon: {doing.label}"

    # on most seeds --------------------------------------------------------------------------

    def sleep(self) -> Iterator[str]:
        """Before dawn everybody sleeps in its own bed, and nobody ever sleeps elsewhere."""
        for (who, day), life in self.lives.items():
            own = self.persona(who).sleeps
            doing = self.doing_at(who, day, SMALL_HOURS)
            if not doing or not doing.asleep:
                yield f"{who} is up on {day} at 4 a.m.: {doing and doing.label}"
            for one in (
                doing
                for stay in life
                for doing in stay.doings
                if doing.asleep and doing.address != own
            ):
                yield f"{who} sleeps at {one.address} on {day}"

    def work(self) -> Iterator[str]:
        """Everybody spends at least a third of the time at its work or studies that its habits have
        for it, what it agreed to and a party included.
        """
        for who, day in self.lives:
            place, minutes = self.work_of(self.persona(who), day)
            spent = self.minutes_at(who, day, place)
            if spent < minutes / 3:
                yield f"{who} is at {place} for {spent} of {minutes} minutes on {day}"

    def meals(self) -> Iterator[str]:
        """Everybody has at least two of three meals a day, where there is food or out of what it
        has brought, and nobody eats in bed or in a bathroom.
        """
        for who, day in self.lives:
            had = set()
            for doing, _ in self.doings(who, day):
                if not self.eats(who, doing):
                    continue
                if EATING[self.world.lang].search(doing.label) and not NO_FOOD.isdisjoint(
                    self.tags(doing.address)
                ):
                    yield f"{who} eats at {doing.address} on {day}: {doing.label}"
                if not FOOD.isdisjoint(self.tags(doing.address)) or BROUGHT[self.world.lang].search(
                    doing.label
                ):
                    had |= {
                        meal
                        for meal, (start, end) in MEALS.items()
                        if at_minute(day, start) <= doing.start < at_minute(day, end)
                    }
            if len(had) < 2:
                yield f"{who} has {' and '.join(had) or 'nothing to eat'} on {day}"

    def desks(self) -> Iterator[str]:
        """Nobody sits for hours at a desk that is somebody else's: in whose bedroom it stands, or
        who alone has its habit there.
        """
        owners = self.desk_owners()
        for who, day in self.lives:
            spent: Counter[str] = Counter()
            for doing, end in self.doings(who, day):
                if who not in owners.get(doing.address, {who}):
                    spent[doing.address] += int((end - doing.start).total_seconds())
            for desk, seconds in spent.items():
                if seconds > timedelta(hours=2).total_seconds():
                    yield f"{who} sits at {desk} for {seconds // 60} minutes on {day}"

    def company(self) -> Iterator[str]:
        """At least 15 residents come to talk."""
        talkers = {who for talk in self.talks for who in talk.people}
        if len(talkers) < 15:
            yield f"only {len(talkers)} residents come to talk"

    def news(self) -> Iterator[str]:
        """The party's news goes from one to at least 8, not to all, each time told by somebody who
        knew and to whose mind it came, or seen, as it is prepared, or overheard from those who talk
        about it.
        """
        first, *others = self.learnt()
        if first.memory.step != 0 or any(one.memory.step == 0 for one in others):
            yield f"{[one.memory.who for one in (first, *others) if one.memory.step == 0]} know of the party at the start"
        known = {first.memory.who: first.memory.concept.created}
        for one in others:
            concept = one.memory.concept
            talking = next((each.people for each in self.talks if each.id == concept.talk), ())
            by_whom = talking if concept.talk else (concept.subject,)
            seen = concept.type == "event" and not known.keys().isdisjoint(by_whom)
            if not seen and (
                not concept.talk
                or not one.teller
                or known.get(one.teller, concept.created) >= concept.created
            ):
                yield f"{one.memory.who} knows of the party from {one.teller or 'nobody'}: {concept.text}"
            elif not seen and not self.was_recalled(one):
                yield f"{one.teller} told {one.memory.who} of the party, but never recalled it in {concept.talk}"
            known[one.memory.who] = concept.created
        if not 8 <= len(known) < len(self.run.residents):
            yield f"{len(known)} residents know of the party"

    def rumour(self) -> Iterator[str]:
        """The hour of the party changes in the telling."""
        changes = find_changes(self.run, Names.of(self.run), self.party, self.learnt())
        if not any(":" in fact for changed in changes for fact in changed):
            yield "nobody is told another hour of the party"

    def attendance(self) -> Iterator[str]:
        """The host and some of those who were told come, and others do not."""
        assert self.party.gathering is not None
        host, *invited = (one.memory.who for one in self.learnt())
        came = {
            visit.who
            for visit in visits(self.run, self.party.gathering, self.last)
            if visit.minutes >= VISIT
        }
        if host not in came or len(came & set(invited)) < 3 or not set(invited) - came:
            yield f"{sorted(came & set(invited))} came to the party{'' if host in came else ' without its host'}, {sorted(set(invited) - came)} stayed away"

    def punctuality(self) -> Iterator[str]:
        """Of those who have agreed to be somewhere, five in six are there when it begins."""
        late = [one for one, there in self.appointments() if not there]
        if len(late) > len(list(self.appointments())) / 6:
            yield f"late: {'; '.join(late)}"

    def reflections(self) -> Iterator[str]:
        """More than half come to a thought that rests on memories."""
        thinkers = {
            one.who for one in self.run.memories(1, self.last, ("thought",)) if one.concept.evidence
        }
        if len(thinkers) <= len(self.run.residents) // 2:
            yield f"only {len(thinkers)} residents come to reflect"

    # ----------------------------------------------------------------------------------------

    @property
    def party(self) -> Storyline:
        return next(story for story in self.world.storylines if story.gathering)

    def learnt(self) -> list[Learning]:
        """Who knows of the party, in the order in which they came to know."""
        return knowers(self.run, self.party, self.last)

    def was_recalled(self, one: Learning) -> bool:
        """Whether the teller spoke of the party in a line for which its own memory of it was
        retrieved.
        """
        talk = self.run.conversation(one.memory.concept.talk)
        assert talk is not None
        knows = {
            memory.concept.id
            for memory in self.run.memories(0, talk.step, who=one.teller)
            if self.party.is_mentioned_in(memory.concept.text)
        }
        lines = {line.call for line in talk.lines if line.speaker == one.teller}
        calls = (
            call
            for call in self.run.run.calls(talk.step)
            if call.who == one.teller and call.ref in lines
        )
        return any(knows & {found.memory for found in call.retrieved} for call in calls)

    def appointments(self) -> Iterator[tuple[str, bool]]:
        """What somebody has agreed to and where, and whether it is there when it begins."""
        for who, day in self.lives:
            schedule = self.run.schedule(who, steps_of(self.run, day, self.last)[1] - 1)
            for entry in schedule.entries if schedule else ():
                if entry.kind == "appointment" and entry.address:
                    start = at_minute(day, entry.start)
                    there = any(
                        stay.address == arena_of(entry.address) and stay.start <= start < stay.end
                        for stay in self.lives[who, day]
                    )
                    yield f"{who} {entry} at {entry.address} on {day}", there

    def persona(self, who: str) -> Persona:
        return self.world.personas[who]

    def tags(self, address: str) -> frozenset[str]:
        return frozenset(self.world.spot_tags.get(address, ()))

    def doings(self, who: str, day: date) -> Iterator[tuple[Doing, datetime]]:
        """What somebody did on a day, each with its end."""
        for stay in self.lives[who, day]:
            yield from zip(
                stay.doings, [doing.start for doing in stay.doings[1:]] + [stay.end], strict=True
            )

    def doing_at(self, who: str, day: date, minute: int) -> Doing | None:
        """What somebody did at a minute of a day; None on its way."""
        moment = at_minute(day, minute)
        return next(
            (doing for doing, end in self.doings(who, day) if doing.start <= moment < end), None
        )

    def minutes_at(self, who: str, day: date, place: str) -> int:
        there = (
            stay.end - stay.start
            for stay in self.lives[who, day]
            if arena_of(stay.address) == place
        )
        return int(sum(there, timedelta()).total_seconds()) // 60

    def eats(self, who: str, doing: Doing) -> bool:
        """Whether what somebody does is eating, by its words or by those of the schedule's entry."""
        if doing.asleep or doing.conversation:
            return False
        step = (
            steps_of(self.run, doing.start.date(), self.last)[0]
            + (doing.start.hour * 60 + doing.start.minute) // self.run.manifest.stride
        )
        schedule = self.run.schedule(who, step)
        entry = (
            schedule.at(doing.start.hour * 60 + doing.start.minute).activity
            if schedule and schedule.date == doing.start.date()
            else ""
        )
        return bool(
            EATING[self.world.lang].search(doing.label) or EATING[self.world.lang].search(entry)
        )

    def desk_owners(self) -> dict[str, set[str]]:
        """Whose a desk is, by address: those who sleep in its room, or the only one whose habits
        name it.
        """
        owners: dict[str, set[str]] = {}
        for who, persona in self.world.personas.items():
            for address in self.world.things:
                if "desk" in self.tags(address) and arena_of(address) == arena_of(persona.sleeps):
                    owners.setdefault(address, set()).add(who)
        named = {
            (habit.place, who)
            for who, persona in self.world.personas.items()
            for habit in persona.habits
            if "desk" in self.tags(habit.place)
        }
        for address, users in Counter(place for place, _ in named).items():
            if users == 1:
                owners.setdefault(address, set()).update(
                    who for place, who in named if place == address
                )
        return owners

    def work_of(self, persona: Persona, day: date) -> tuple[str, int]:
        """The arena where somebody's habits of that day have it longest in working hours, and for
        how many minutes of the day.
        """
        minutes, work = Counter[str](), Counter[str]()
        for habit in persona.habits_on(day):
            arena = arena_of(habit.place)
            minutes[arena] += habit.end - habit.start
            work[arena] += max(
                0, min(habit.end, WORKING_HOURS[1]) - max(habit.start, WORKING_HOURS[0])
            )
        place, _ = work.most_common(1)[0]
        return place, minutes[place]


ALWAYS = ("walls", "beds_at_noon")
RUMOUR = "rumour"
MOSTLY = (
    "sleep",
    "work",
    "meals",
    "desks",
    "company",
    "news",
    "attendance",
    "punctuality",
    "reflections",
)
