"""Personas: the part of a resident that a run never changes, in the run's language."""

from __future__ import annotations

from datetime import date

from hometown.frozen import frozen
from hometown.memory.concept import MemoryType


@frozen
class Habit:
    """One stretch of a usual day, in minutes since midnight.

    `place` is an arena's or a thing's address. `tasks` are the steps it usually consists of.
    `days` are the weekdays it holds on (0 = Monday); empty means every day.
    """

    start: int
    end: int
    activity: str
    place: str
    tasks: tuple[str, ...] = ()
    days: tuple[int, ...] = ()


@frozen
class Seed:
    """A memory that a resident begins with; `about` holds ids of residents."""

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
    """What anybody in a world may do in an idle hour: `tags` are those of fitting places, `tasks`
    its steps.
    """

    activity: str
    tags: tuple[str, ...]
    tasks: tuple[str, ...]


@frozen
class Persona:
    """A resident as the world's author wrote it.

    `wake` and `bed` are usual minutes of the day; a `bed` below `wake` lies after midnight.
    `relations` maps the ids of residents it knows to what they are to it. `knows` lists the
    sectors or arenas it can find from the start. `home` is an arena, `sleeps` its bed (a thing).
    `pastimes` are those of its world; where there are none, it has those of every world.
    `pronouns` are ("she", "her", "her") in English and ("她",) in Chinese.
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

    def began_with(self, memory: int) -> bool:
        """Whether the memory of this number is one that this resident had before the run: those are
        numbered first.
        """
        return memory <= len(self.seeds)

    def habits_on(self, day: date) -> tuple[Habit, ...]:
        """What this resident usually does on such a day of the week, in the author's order."""
        return tuple(
            habit for habit in self.habits if not habit.days or day.weekday() in habit.days
        )

    def relation_to(self, other: str) -> str:
        """What `other` (an id) is to this resident; empty for a stranger."""
        return (self.relations or {}).get(other, "")
