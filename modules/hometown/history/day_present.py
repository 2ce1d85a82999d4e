"""The present concerns of a resident in their own words, and their acts about them on a day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby, takewhile

from hometown.frozen import frozen
from hometown.history.day_matters import Beat
from hometown.history.day_wording import DayWording
from hometown.history.diary import Doing, Stay
from hometown.history.spoken_time import COLON
from hometown.language import Lang
from hometown.memory.keywords import find_keywords
from hometown.scripted.pursuits import plain
from hometown.world.verbs import shift_back
from hometown.world.world import arena_of

MAX_TASKS = 2
"""Maximum number of tasks named of a stretch of work."""

LONGEST_TASK = {"en": 70, "zh": 20}
"""Maximum length of a task that is named, in characters."""

ABOUT_MIN = 3
"""Number of stems that two texts have in common from which on they are about the same."""

ABOUT_SHARE = 0.4
"""Share of a text's stems from which on two in common are enough."""

LATE = 21
"""Hour from which on it is late."""

SCENE = timedelta(minutes=40)
"""Maximum time since a task began within which it is under way."""

SOON = timedelta(minutes=30)
"""Time after an event within which a new task may answer it."""

LATE_TASKS = 3
"""Number of tasks before bed among which the last of a day is looked for."""

STEM = 5
"""Number of letters by which English words are compared; shorter ones are left out."""


@frozen
class DoneTask:
    """A task that a resident did in an arena, from `start` to `end`.

    Attributes:
        text: The task in words, in the first person.
        habit: The habit to which the task belongs, in the same form; "" for none.
        stems: The stems (`STEM`) of the words of the task.
    """

    start: datetime
    end: datetime
    arena: str
    text: str
    habit: str
    stems: frozenset[str]


@frozen
class DayStretch:
    """A stretch of a day: its tasks, in order, and the usual activity to which they belong, "" for
    none.
    """

    start: datetime
    end: datetime
    habit: str
    tasks: tuple[str, ...]


class Present:
    """The present concerns of a resident in the first person: `sentences` are those that are new,
    without notes of what others said, and `still` the first of those that are not.
    """

    def __init__(self, wording: DayWording, text: str, earlier: str, life: Sequence[Stay]) -> None:
        """Take the run's words about the concerns on a day, and on the day before."""
        self.wording = wording
        known, told = wording.present(earlier), wording.present(text)
        new = (each for each in told if each not in known)
        self.sentences = list(takewhile(lambda each: not (known and COLON.search(each)), new))
        self.still = [each for each in told[:1] if each in known]
        self._stems = self._find_stems(" ".join(told))
        self.tasks = list(self._list_tasks(life))
        self.begins = life[0].start

    def is_about(self, text: str) -> bool:
        """Return True if a text is about the present concerns."""
        own = self._find_stems(text)
        common = len(self._stems & own)
        return common >= ABOUT_MIN or (common > 1 and common >= ABOUT_SHARE * len(own))

    def find_work(self) -> DayStretch | None:
        """Return the stretch of the day that has most to do with the concerns, with up to
        `MAX_TASKS` of its tasks; None if there is none.
        """
        own = [task for task in self.tasks if task.habit]
        done = own if len(own) > MAX_TASKS else self.tasks
        best: list[DoneTask] = []
        ends = self.begins
        for _, grouped in groupby(done, key=lambda task: task.habit or task.start.hour):
            together = list(grouped)
            tasks = list({task.text: task for task in reversed(together)}.values())[::-1]
            if self._rank(tasks) > self._rank(best):
                best, ends = tasks, together[-1].end
        if not best:
            return None
        chosen = sorted(best, key=lambda task: (-len(task.stems & self._stems), -len(task.text)))
        told = tuple(task.text for task in best if task in chosen[:MAX_TASKS])
        return DayStretch(best[0].start, ends, best[0].habit, told)

    def find_late(self, written: Iterable[str]) -> DoneTask | None:
        """Return the latest of the last `LATE_TASKS` tasks of the day that has to do with the
        concerns and is not told yet; None if there is none.
        """
        late = reversed(self.tasks[-LATE_TASKS:])
        return next(
            (
                task
                for task in late
                if task.start.hour >= LATE
                and task.habit
                and task.stems & self._stems
                and task.text not in written
            ),
            None,
        )

    def doing_after(self, moment: datetime) -> str:
        """Return the act that a resident began soon after a moment; "" for nothing."""
        begun = (task for task in self.tasks if moment <= task.start < moment + SOON)
        return next((task.text for task in begun), "")

    def doing_at(self, beat: Beat) -> DoneTask | None:
        """Return the task of a habit that a resident was at, in the same arena and for less than
        `SCENE`, when something happened; None if there is none.
        """
        before = [task for task in self.tasks if task.start <= beat.moment]
        task = before[-1] if before else None
        is_scene = (
            task
            and task.habit
            and task.arena == arena_of(beat.address)
            and beat.moment - task.start < SCENE
            and not re.search("[,，]", task.text)
        )
        return task if is_scene else None

    def _rank(self, tasks: Sequence[DoneTask]) -> tuple[int, int]:
        near = sum(len(task.stems & self._stems) for task in tasks)
        if tasks:
            near += len(self._stems & self._find_stems(tasks[0].habit))
        return near, len(tasks) if near else 0

    def _list_tasks(self, life: Sequence[Stay]) -> Iterator[DoneTask]:
        """Yield the tasks of a day, in order, without those that are named as a habit as a whole,
        only lead to others (`DayWording.is_passing`), have more than `LONGEST_TASK` characters, or
        are unclear in the first person.
        """
        lang = self.wording.lang
        persona = self.wording.persona
        habits = persona.habits_on(life[0].start.date()) if persona else ()
        of = {task: habit.activity for habit in habits for task in habit.tasks}
        headings = {habit.activity for habit in habits}
        for doing, end in _doings(life):
            activity = plain(doing.activity, lang)
            is_long = len(activity) > LONGEST_TASK[lang]
            if is_long or activity in headings or self.wording.is_passing(activity):
                continue
            habit = self.wording.doing(of[activity]) if activity in of else ""
            text = shift_back(self.wording.doing(activity))
            if not self.wording.is_unclear(text):
                yield DoneTask(
                    doing.start, end, arena_of(doing.address), text, habit, self._find_stems(text)
                )

    def _find_stems(self, text: str) -> frozenset[str]:
        return stems(self.wording.without_names(text), self.wording.lang)


def stems(text: str, lang: Lang) -> frozenset[str]:
    """Return the keywords of a text, English ones without their endings.

    >>> sorted(stems("She is tuning the old piano.", "en")), sorted(stems("她在调钢琴", "zh"))
    (['piano', 'tunin'], ['调钢', '钢琴'])
    """
    least = STEM if lang == "en" else 2
    return frozenset(word[:STEM] for word in find_keywords(text) if len(word) >= least)


def _doings(life: Sequence[Stay]) -> Iterator[tuple[Doing, datetime]]:
    """Yield the waking acts of a resident without conversations, in order, each with its end."""
    done = [doing for stay in life for doing in stay.doings if not doing.conversation]
    ends = [*(doing.left for doing in done[1:]), life[-1].end]
    for doing, end in zip(done, ends, strict=True):
        if doing.activity and not doing.asleep:
            yield doing, end
