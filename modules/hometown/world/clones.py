"""A cast of any size made from a world's own, for load tests and crowds.

A clone has the working life of one resident, the character of a second, the home of a third, and a
unique name. Its id determines it: `klaus_mueller__3` is the third of that life. Residents of one
generation know each other as their originals do, and only originals begin with a storyline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hometown.text import catalogue, contains_name
from hometown.world.persona import Habit, Persona, Seed
from hometown.world.resident_names import drop_mentions, find_kin, resident_names
from hometown.world.work import workplace
from hometown.world.world import World, sector_of

CLONE = re.compile(r"(?P<original>\w+?)__(?P<generation>[1-9][0-9]*)")

LATER_MINUTES = 5
"""The minutes by which each generation gets up later than the previous one, to spread a crowd out.
"""


def crowd(own: Sequence[str], count: int) -> list[str]:
    """Return the ids of `count` residents: part of a world's own, then clones of each in turn.

    >>> crowd(["ann", "bob"], 5)
    ['ann', 'bob', 'ann__2', 'bob__2', 'ann__3']
    """
    return [
        own[at % len(own)] if at < len(own) else f"{own[at % len(own)]}__{at // len(own) + 1}"
        for at in range(count)
    ]


def original(who: str) -> str:
    """Return the id of a clone's original; otherwise the id itself."""
    clone = CLONE.fullmatch(who)
    return clone["original"] if clone else who


def populate(world: World, ids: Sequence[str]) -> World:
    """Return the world with the residents `ids`, clones among them, and enough beds and seats.
    Raises KeyError for an unknown original.
    """
    numbers = sorted({int(clone["generation"]) for who in ids if (clone := CLONE.fullmatch(who))})
    generations = {number: _Generation(world, number, frozenset(ids)) for number in numbers}
    people = {}
    for who in ids:
        clone = CLONE.fullmatch(who)
        people[who] = (
            generations[int(clone["generation"])].clone(world.personas[clone["original"]])
            if clone
            else world.personas[who]
        )
    absent = [name for name, who in resident_names(world).items() if who not in people]
    people = {
        who: _without_absent(world, persona, people, absent) for who, persona in people.items()
    }
    most = max(numbers, default=1)
    book = world.book and world.book.peopled({who: original(who) for who in ids})
    return replace(
        world,
        personas=people,
        book=book,
        things={
            address: replace(thing, seats=thing.seats * most)
            for address, thing in world.things.items()
        },
    )


def _without_absent(
    world: World, persona: Persona, people: Mapping[str, Persona], absent: Sequence[str]
) -> Persona:
    """Return a resident with relations to `people` alone, the names of those left out whom they
    know, and a usual day without these; `absent` are all names of residents who are left out.

    A relative is also named by the term of kinship, as in "lunch with grandfather". Keepers of
    houses that the resident knows are known to them.
    """
    relations = persona.relations or {}
    if persona.id not in world.personas or not world.personas.keys() - people.keys():
        return persona
    kin = {
        other: find_kin(relation, world.lang)
        for other, relation in relations.items()
        if other not in people
    }
    called = (*absent, *filter(None, kin.values()))
    with_kin = catalogue(world.lang, "outside")["with_kin"]
    names = (
        with_kin.format(name=world.name_of(other), kin=term) if term else world.name_of(other)
        for other, term in (*kin.items(), *_list_keepers(world, persona, people))
    )
    return replace(
        persona,
        relations={other: relations[other] for other in relations if other in people},
        absent=(*persona.absent, *names),
        daily_plan=drop_mentions(world, persona.daily_plan, people.__contains__, called),
        habits=tuple(
            _habit_without_absent(world, habit, people, called) for habit in persona.habits
        ),
    )


def _list_keepers(
    world: World, persona: Persona, people: Mapping[str, Persona]
) -> Iterator[tuple[str, str]]:
    """Yield those left out who live and work in one house that a resident knows, but to whom they
    have no relation, each without a term of kinship.
    """
    for other, left in world.personas.items():
        house = sector_of(left.home)
        is_keeper = house == sector_of(workplace(left.habits, left.home))
        is_related = other in (persona.relations or {})
        if is_keeper and house in persona.knows and other not in people and not is_related:
            yield other, ""


def _habit_without_absent(
    world: World, habit: Habit, people: Mapping[str, Persona], absent: Sequence[str]
) -> Habit:
    """Return a habit without company that is not among `people`, and without steps with the names
    of those who are `absent`; an activity of which nothing is left stays as it is.
    """
    activity = drop_mentions(world, habit.activity, people.__contains__, absent)
    return replace(
        habit,
        activity=activity or habit.activity,
        tasks=tuple(
            task for task in habit.tasks if not any(contains_name(name, task) for name in absent)
        ),
    )


class _Generation:
    """The clones of one number. Texts that name a resident name their clone instead, if they live
    in town.
    """

    def __init__(self, world: World, number: int, cast: frozenset[str]) -> None:
        self.world = world
        self.number = number
        self.order = list(world.personas.values())
        self.peers = {
            who: f"{who}__{number}" for who in world.personas if f"{who}__{number}" in cast
        }
        self.names = {who: self.name(world.personas[who]) for who in self.peers}

    def clone(self, life: Persona) -> Persona:
        """Return a resident with `life`, the character of the resident `number` places after it,
        and the home of another.
        """
        at = self.order.index(life)
        character, host = (
            self.order[(at + times * self.number) % len(self.order)] for times in (1, 2)
        )
        before, home = sector_of(life.home), sector_of(host.home)
        return replace(
            life,
            id=self.peers[life.id],
            name=self.names[life.id],
            innate=character.innate,
            interests=character.interests,
            learned=self.say(life.learned),
            lifestyle=self.say(life.lifestyle),
            currently=self.say(life.currently),
            daily_plan=self.say(life.daily_plan),
            wake=life.wake + LATER_MINUTES * (self.number % 7),
            home=host.home,
            sleeps=host.sleeps,
            habits=tuple(self.habit(habit, before, home) for habit in life.habits),
            knows=(home, *(place for place in life.knows if sector_of(place) != before)),
            relations={
                self.peers.get(who, who): self.say(text)
                for who, text in (life.relations or {}).items()
            },
            closeness={
                self.peers.get(who, who): value for who, value in (life.closeness or {}).items()
            },
            at_odds={
                self.peers.get(who, who): self.say(text)
                for who, text in (life.at_odds or {}).items()
            },
            seeds=tuple(self.seed(seed) for seed in life.seeds if not seed.storyline),
        )

    def name(self, life: Persona) -> str:
        """Return a name for a resident's clone, unique in the town, from two lists whose lengths
        are coprime; once all pairs are taken, with a number.
        """
        words = catalogue(self.world.lang, "clones")
        is_female = life.pronouns[:1] in (("she",), ("她",))
        given = words["given_she" if is_female else "given_he"].split()
        family = words["family"].split()
        turn, at = divmod(
            (self.number - 2) * len(self.order) + self.order.index(life), len(given) * len(family)
        )
        name = words["name"].format(given=given[at % len(given)], family=family[at % len(family)])
        return f"{name} {turn + 1}" if turn else name

    def say(self, text: str) -> str:
        """Return a text with the clones' names in place of their originals'."""
        for who, name in self.names.items():
            text = text.replace(self.world.personas[who].name, name)
        return text

    def habit(self, habit: Habit, before: str, home: str) -> Habit:
        """Return a habit, moved from the old home to the new one."""
        is_at_home = sector_of(habit.place) == before
        place = self.counterpart(habit.place, home) if is_at_home else habit.place
        return replace(
            habit,
            activity=self.say(habit.activity),
            place=place,
            tasks=tuple(map(self.say, habit.tasks)),
        )

    def counterpart(self, address: str, sector: str) -> str:
        """Return the place of a sector that is most like another one, by its tags."""
        wanted = set(self.world.spot_tags[address])
        like = self.world.things if address in self.world.things else self.world.arenas
        return max(
            (address for address in like if address.startswith(f"{sector}/")),
            key=lambda address: len(wanted & set(self.world.spot_tags[address])),
        )

    def seed(self, seed: Seed) -> Seed:
        """Return an initial memory about the clones in place of their originals."""
        return replace(
            seed,
            text=self.say(seed.text),
            object=self.say(seed.object),
            about=tuple(self.peers.get(who, who) for who in seed.about),
            subject=self.peers.get(seed.subject, seed.subject),
        )
