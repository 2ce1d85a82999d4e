"""Personas: the constant part of a resident, in the run's language."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from hometown.frozen import frozen
from hometown.memory.concept import MemoryType


@frozen
class Habit:
    """A stretch of a usual day, in minutes since midnight.

    `place` is the address of an arena or a thing, `tasks` are the usual steps, and `days` the
    weekdays (0 = Monday), empty for all.
    """

    start: int
    end: int
    activity: str
    place: str
    tasks: tuple[str, ...] = ()
    days: tuple[int, ...] = ()


@frozen
class Seed:
    """An initial memory; `about` has ids of residents."""

    text: str
    type: MemoryType = "thought"
    poignancy: int = 5
    about: tuple[str, ...] = ()
    subject: str = ""
    predicate: str = ""
    object: str = ""
    storyline: str = ""


@frozen
class Pastime:
    """A pastime of a world: `tags` are those of suitable places, `tasks` its steps."""

    activity: str
    tags: tuple[str, ...]
    tasks: tuple[str, ...]


class Addressee(NamedTuple):
    """A resident to whom a sentence is spoken; pronouns as in `Persona`."""

    name: str
    pronouns: tuple[str, ...]


MIDDLING_CANDOUR = 5
"""The candour of residents for whom none is given."""


@frozen
class Persona:
    """A resident as authored.

    `wake` and `bed` are usual minutes of the day; a `bed` below `wake` is after midnight.
    `relations` maps known residents to their relation. `knows` lists the sectors or arenas known
    from the start. `home` is an arena, `sleeps` a bed (a thing). `pastimes` are those of the world,
    by default the general ones. `absent` are the names of acquaintances who are not in the run.
    `pronouns` are ("she", "her", "her") in English and ("她",) in Chinese. `at_odds` maps residents
    to what divides the two, and `candour`, 0 to 10, is how readily they say what is unwelcome. The
    mind of a visitor (`is_visitor`) is a person, who sends interventions. `look` is the look, in JSON,
    from which pictures are drawn; "" for none. A latecomer has come to the town during the run.
    """

    id: str
    name: str
    age: int
    occupation: str
    innate: str
    learned: str
    lifestyle: str
    currently: str
    daily_plan: str
    wake: int
    bed: int
    home: str
    sleeps: str
    pronouns: tuple[str, ...] = ()
    interests: tuple[str, ...] = ()
    habits: tuple[Habit, ...] = ()
    relations: dict[str, str] | None = None
    closeness: dict[str, int] | None = None
    knows: tuple[str, ...] = ()
    seeds: tuple[Seed, ...] = ()
    portrait: str = ""
    sprite: str = ""
    pastimes: tuple[Pastime, ...] = ()
    absent: tuple[str, ...] = ()
    at_odds: dict[str, str] | None = None
    candour: int = MIDDLING_CANDOUR
    is_visitor: bool = False
    look: str = ""
    is_latecomer: bool = False

    def began_with(self, memory: int) -> bool:
        """Return True if a memory is an initial one; those have the first numbers."""
        return memory <= len(self.seeds)

    def habits_on(self, day: date) -> tuple[Habit, ...]:
        """Return the habits on a weekday, in the author's order."""
        return tuple(
            habit for habit in self.habits if not habit.days or day.weekday() in habit.days
        )

    def relation_to(self, other: str) -> str:
        """Return the relation to another resident; empty for a stranger."""
        return (self.relations or {}).get(other, "")

    def divided_from(self, other: str) -> str:
        """Return what divides the resident and another; "" for nothing."""
        return (self.at_odds or {}).get(other, "")
