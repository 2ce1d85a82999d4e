"""The check that names and titles are distinct. Data are kept by them, so that of two things with
one name, the data of one would be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from hometown.storage.run_names import LONGEST
from hometown.study.experiment.run_plans import build_run_name
from hometown.study.experiment.spec import Experiment
from hometown.study.questionnaire import is_shipped, list_questionnaires
from hometown.study.questionnaire_definition import Questionnaire
from hometown.text import Phrase
from hometown.world.world import World

T = TypeVar("T", bound=Hashable)


def list_name_faults(experiment: Experiment, world: World | None) -> Iterator[Phrase]:
    """Yield the faults of names in an experiment, and of the titles of storylines in its world."""
    yield from _list_grid_faults(experiment)
    yield from _list_long_names(experiment)
    yield from _list_interview_faults(experiment)
    for title in find_repeated(story.title for story in world.storylines) if world else ():
        yield Phrase(
            "two storylines have the title {title!r}, by which their figures are named; "
            "give one of them another",
            title=title,
        )


def find_repeated(values: Iterable[T]) -> list[T]:
    """Return the values that occur more than once.

    >>> find_repeated(["full", "none", "full"])
    ['full']
    """
    return [value for value, count in Counter(values).items() if count > 1]


def _list_grid_faults(experiment: Experiment) -> Iterator[Phrase]:
    """Yield a fault for each setting of which two values make the same level."""
    made = list(experiment.crossed.values())[len(experiment.factors) :]
    for (path, values), levels in zip(experiment.grid.items(), made, strict=True):
        if len(levels) < len(values):
            yield Phrase(
                "grid: {path}: {values} make only the levels {names}; write them as a factor, "
                "with names of your own",
                path=path,
                values=[str(value) for value in values],
                names=list(levels),
            )


def _list_long_names(experiment: Experiment) -> Iterator[Phrase]:
    """Yield a fault for the longest name of a run, if it is too long."""
    longest = max(
        (build_run_name(name, seed) for name in experiment.conditions for seed in experiment.seeds),
        key=len,
    )
    if len(longest) > LONGEST:
        yield Phrase(
            "a condition and its seed make the name {name}, which has {count} characters; "
            "{most} are allowed, so shorten the names of levels",
            name=longest,
            count=len(longest),
            most=LONGEST,
        )


def _list_interview_faults(experiment: Experiment) -> Iterator[Phrase]:
    """Yield the faults of questionnaires with one name, and of what interviews name twice."""
    kept: dict[str, Questionnaire] = {}
    for part in experiment.interviews:
        asked = part.questionnaire
        if asked.name in list_questionnaires() and not is_shipped(asked):
            yield Phrase(
                "interviews: {name!r} is the name of a questionnaire of the package; give yours "
                "another",
                name=asked.name,
            )
        elif kept.setdefault(asked.name, asked) != asked:
            yield Phrase(
                "interviews: two different questionnaires have the name {name!r}; rename one",
                name=asked.name,
            )
        for field, values in (("at", part.at), ("access", part.access)):
            for value in find_repeated(values):
                yield Phrase(
                    "interviews: {name}: {field} has {value!r} twice; remove one",
                    name=asked.name,
                    field=field,
                    value=value,
                )
