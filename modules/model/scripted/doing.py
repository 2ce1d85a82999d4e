"""An hour as rules fill it: the tasks of a schedule entry, and the place for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import cycle
from random import Random
from typing import Any

from modules.memory.schedule import Entry
from modules.model.scripted.pursuits import Theme, pursuit, themes_of
from modules.model.scripted.words import bank, clip
from modules.prompt.planning import DecomposeReply, DecomposeVars, PlaceReply, PlaceVars, PlannedTask, Spot
from modules.world.persona import Persona
from modules.world.world import Lang

MOST_TASKS = 40
LATE = 25
"""Minutes after its usual start from which on a habit counts as begun already."""

TASK_MINUTES = (10, 15, 15)
PAUSE_MINUTES = 5


# schedule_decompose ------------------------------------------------------------------------


def answer_schedule_decompose(v: DecomposeVars, rng: Random, lang: Lang) -> DecomposeReply:
    """The habit's own tasks from where the day stands, with pauses and returns where time is long."""
    length = v.entry.end - v.entry.start
    if v.entry.kind == "activity":
        steps = _steps(v, rng, lang)
    elif v.entry.kind == "appointment":
        steps = _at_appointment(v.entry.activity, rng, lang)
    else:
        steps = iter(())
    return DecomposeReply(tasks=_timed(steps, v.entry.activity, length, max(v.shortest, 1), rng, lang))


def _timed(steps: Iterator[tuple[str, int]], name: str, length: int, shortest: int, rng: Random, lang: Lang) -> list[PlannedTask]:
    """Tasks of at least `shortest` minutes, multiples of five but for the last, that sum up to `length`."""
    unit = max(-(-shortest // 5) * 5, -(-length // MOST_TASKS // 5) * 5)
    tasks: list[PlannedTask] = []
    left = length
    for text, minutes in steps:
        if left < 2 * unit or len(tasks) == MOST_TASKS - 1:
            break
        took = min(max(minutes, unit), left - unit)
        tasks.append(PlannedTask(activity=clip(text, 240, lang) or name, minutes=took - took % 5 or took))
        left -= tasks[-1].minutes
    text, _ = next(steps, (name, 0))
    return [*tasks, PlannedTask(activity=clip(text, 240, lang) or name, minutes=left)]


def _steps(v: DecomposeVars, rng: Random, lang: Lang) -> Iterator[tuple[str, int]]:
    """(task, minutes) without end: the tasks in turn, some skipped, then again as returned to."""
    own = _own_tasks(v.situation.me, v.entry, v.situation.now.date(), rng, lang)
    found = themes_of(v.entry.activity, lang)
    between = [task for theme in found[:1] for task in theme.tasks] + bank(lang, "doing")["pauses"]
    rng.shuffle(between)
    pauses = cycle(between)
    for task in own:
        yield task, rng.choice(TASK_MINUTES)
        if rng.random() < 0.25:
            yield next(pauses), PAUSE_MINUTES
    while True:
        for task in rng.sample(own, len(own)):
            yield next(pauses), PAUSE_MINUTES
            yield _again(task, rng, lang), rng.choice(TASK_MINUTES)


def _own_tasks(me: Persona, entry: Entry, day: date, rng: Random, lang: Lang) -> list[str]:
    """The tasks still to do: from where a late start puts it, one perhaps left out, two perhaps exchanged."""
    usual = pursuit(me, entry.activity, entry.start, day, lang)
    if usual and usual.tasks:
        tasks = list(usual.tasks)
        late = entry.start - usual.start if usual.end else 0
        if late > LATE:
            tasks = tasks[min(late * len(tasks) // max(usual.end - usual.start, 1), len(tasks) - 1) :]
    else:
        tasks = [entry.activity, *rng.sample(*_some([task for theme in themes_of(entry.activity, lang) for task in theme.tasks], 4))]
    if len(tasks) > 3 and rng.random() < 0.3:
        tasks.pop(rng.randrange(1, len(tasks)))
    if len(tasks) > 2 and rng.random() < 0.3:
        at = rng.randrange(1, len(tasks) - 1)
        tasks[at], tasks[at + 1] = tasks[at + 1], tasks[at]
    return tasks


def _some(items: list[str], most: int) -> tuple[list[str], int]:
    return items, min(most, len(items))


def _again(task: str, rng: Random, lang: Lang) -> str:
    phrases = bank(lang, "doing")
    if not re.search(phrases["resumable"], task):
        return task
    text: str = rng.choice(phrases["resume"]).format(task=task)
    return text


def _at_appointment(what: str, rng: Random, lang: Lang) -> Iterator[tuple[str, int]]:
    phrases = bank(lang, "doing")["appointment"]
    yield rng.choice(phrases["before"]), PAUSE_MINUTES
    yield what, 30
    yield rng.choice(phrases["after"]), PAUSE_MINUTES
    while True:
        yield what, 30


# place -------------------------------------------------------------------------------------


def answer_place(v: PlaceVars, rng: Random, lang: Lang) -> PlaceReply:
    """The known spot that fits best, what it shows while used, and emoji for the activity."""
    themes = themes_of(v.activity, lang) or themes_of(v.entry, lang)
    best = max(_fits(v, themes, rng, lang), key=lambda fit: fit[0])[1]
    thing = _shown(best, themes, lang)
    emoji = rng.choice(themes[0].emoji) if themes else thing["emoji"]
    is_thing = best.address.count("/") >= 2
    return PlaceReply(address=best.address, emoji=emoji, thing_state=rng.choice(thing["states"]) if is_thing else "")


def _fits(v: PlaceVars, themes: Sequence[Theme], rng: Random, lang: Lang) -> list[tuple[float, Spot]]:
    """How well each spot suits, with some chance among near equals."""
    me = v.situation.me
    usual = pursuit(me, v.entry, v.situation.now.hour * 60 + v.situation.now.minute, v.situation.now.date(), lang)
    place, wanted = (usual.place, usual.tags) if usual else ("", ())
    entry_themes = themes_of(v.entry, lang)
    return [
        (
            _nearness(spot.address, place)
            + 2.5 * len({*wanted} & {*spot.tags})
            + _suits(spot, themes)
            + 0.3 * _suits(spot, entry_themes)
            + (2.0 if _own_name(spot) in v.activity else 0.0)
            + (0.8 if spot.address.startswith(v.here) else 0.0)
            - _drawbacks(spot, v, me, themes)
            + 0.8 * rng.random(),
            spot,
        )
        for spot in v.spots
    ]


def _nearness(address: str, place: str) -> float:
    """How close a spot is to where a habit has its place: the thing itself, the room, the house."""
    if not place:
        return 0.0
    shared = 0
    for ours, theirs in zip(address.split("/"), place.split("/"), strict=False):
        if ours != theirs:
            break
        shared += 1
    return (0.0, 2.5, 5.0, 7.0)[min(shared, 3)]


def _suits(spot: Spot, themes: Sequence[Theme]) -> float:
    """The best of what the themes ask for that this spot has; earlier themes and earlier tags weigh more."""
    return max(
        (3.5 - 0.8 * nth - 0.25 * at for nth, theme in enumerate(themes[:3]) for at, tag in enumerate(theme.tags) if tag in spot.tags),
        default=0.0,
    )


def _own_name(spot: Spot) -> str:
    """What a thing is called by itself, without its room; a name that no activity holds if there is none."""
    return re.split(r": |：", spot.name)[-1].lower() if re.search(": |：", spot.name) else "\x00"


def _drawbacks(spot: Spot, v: PlaceVars, me: Persona, themes: Sequence[Theme]) -> float:
    """Taken, refused a moment ago, a bed by day, or somebody else's home."""
    home = me.home.split("/")[0]
    sleepy = any(theme.key == "sleep" for theme in themes)
    return (
        (4.0 if spot.taken else 0.0)
        + (8.0 if v.refused and (spot.address in v.refused or _own_name(spot) in v.refused.lower()) else 0.0)
        + (3.0 if "bed" in spot.tags and not sleepy else 0.0)
        + (20.0 if "bed" in spot.tags and spot.address != me.sleeps else 0.0)
        + (40.0 if "home" in spot.tags and spot.address.split("/")[0] != home else 0.0)
        + (0.5 if spot.address.count("/") < 2 else 0.0)
    )


def _shown(spot: Spot, themes: Sequence[Theme], lang: Lang) -> dict[str, Any]:
    """The emoji and states of a spot in use: by the tag that the activity is about, else by its first known one."""
    things: dict[str, dict[str, Any]] = bank(lang, "doing")["things"]
    asked = (tag for theme in themes for tag in theme.tags if tag in spot.tags and tag in things)
    return things[next(asked, next((tag for tag in things if tag in spot.tags), ""))]
