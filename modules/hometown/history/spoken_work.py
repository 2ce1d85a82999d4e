"""Measure of the planned tasks, worded by the model, that become errands in a town with a
society.
"""

from __future__ import annotations

from collections import Counter
from typing import cast

from hometown.frozen import frozen
from hometown.history.reader import RunReader
from hometown.memory.schedule import MeantTask, Tasks
from hometown.prompt.errand_matching import STEPS
from hometown.society.errand_grounding import find_mentioned_work
from hometown.society.work_phrasing import WorkPhrases
from hometown.storage.codec import decode_row
from hometown.world.book.book import Book
from hometown.world.labour import Counts

_THOUGHT = (
    "SELECT state.key, state.value FROM calls JOIN state ON state.key = 'tasks/' || calls.resident AND state.step = calls.step"
    f" WHERE calls.kind = '{STEPS.kind}' AND calls.step <= ? ORDER BY calls.step"
)


@frozen
class SpokenWork:
    """Tasks planned by the model: the number of errands, and the mentions of work in other tasks,
    by family or kind.

    A task counts in its state at the end of the step in which it was planned; one that a
    conversation had interrupted by then counts once.
    """

    errands: int
    missed: Counts

    @property
    def ungrounded(self) -> int:
        """Number of tasks about work that are no errand."""
        return sum(count for _, count in self.missed)

    @property
    def share(self) -> float:
        """Share of the tasks that are no errand among all tasks about work, 0 to 1."""
        return self.ungrounded / max(1, self.errands + self.ungrounded)

    def in_words(self, telling: WorkPhrases) -> list[str]:
        """Return each kind of work or goods mentioned in tasks that are no errand, with the number
        of those tasks: "milling grain 3".
        """
        families = telling.book.families
        words = {
            what: telling.entry(families[what][0].part) if what in families else telling.some(what)
            for what, _ in self.missed
        }
        return [f"{words[what]} {count}" for what, count in self.missed]


def spoken_work(run: RunReader, book: Book, last: int) -> SpokenWork:
    """Count the errands and other tasks planned up to step `last`."""
    drawn_up = (
        cast(Tasks, decode_row(key, value)).items
        for key, value in run.database.execute(_THOUGHT, (last,))
    )
    tasks = [
        task for items in drawn_up for task in {task.activity: task for task in items}.values()
    ]
    errands = sum(isinstance(task, MeantTask) for task in tasks)
    others = Counter(task.activity for task in tasks if not isinstance(task, MeantTask))
    missed = Counter[str]()
    for words, count in others.items():  # residents do the same things day after day
        if what := find_mentioned_work(book, run.manifest.lang, words):
            missed[what] += count
    return SpokenWork(errands, tuple(missed.most_common()))
