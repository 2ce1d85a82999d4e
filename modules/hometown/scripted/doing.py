"""Rules for schedule entries: the tasks of an entry, and the place for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import cycle
from math import fsum
from random import Random
from typing import Any

from hometown.clock import minute_of_day
from hometown.language import Lang
from hometown.memory.schedule import Entry
from hometown.prompt.tasks import (
    MOST_TASKS,
    DecomposeReply,
    DecomposeVars,
    PlaceReply,
    PlaceVars,
    PlannedTask,
    Spot,
)
from hometown.scripted.pursuits import pursuit, theme_tasks
from hometown.scripted.words import clip, read_bank, shuffle
from hometown.world.activities import Theme, themes_of
from hometown.world.persona import Persona
from hometown.world.world import sector_of

LATE = 25
"""Minutes after its usual start from which on a habit counts as begun already."""

PLANNED = 12.0
"""Bonus for spots in the planned room."""

THEME_TASKS = 4
"""Most tasks of its themes in an entry that is no habit."""

TASK_MINUTES = (10, 15, 20, 25)
PAUSE_MINUTES = 5


# schedule_decompose ------------------------------------------------------------------------


def answer_schedule_decompose(v: DecomposeVars, rng: Random, lang: Lang) -> DecomposeReply:
    """Return the tasks of an entry: the offered steps, the habit's own tasks that remain, or those
    of an appointment, with pauses and returns to earlier tasks if the entry is long; each with a
    place if places are offered.
    """
    reply = _decompose(v, rng, lang)
    return (
        DecomposeReply(tasks=[_place_task(task, v, rng, lang) for task in reply.tasks])
        if v.spots
        else reply
    )


def _place_task(task: PlannedTask, v: DecomposeVars, rng: Random, lang: Lang) -> PlannedTask:
    """Return a task with the place where it is done."""
    where = answer_place(
        PlaceVars(
            v.situation,
            task.activity,
            v.entry.activity,
            task.minutes,
            v.here,
            v.spots,
            "",
            v.emoji,
            brief=True,
            room=v.room,
        ),
        rng,
        lang,
    )
    return task.model_copy(update={"place": where.place, "emoji": where.emoji})


def _decompose(v: DecomposeVars, rng: Random, lang: Lang) -> DecomposeReply:
    """Return the tasks of an entry without places: steps among those offered, or tasks that fill
    its time.
    """
    length = v.entry.end - v.entry.start
    if v.steps:
        return _choose_steps(v, rng)
    if v.moments:
        return _follow_moments(v, lang)
    if v.entry.kind == "activity":
        steps = _list_steps(v, rng, lang)
    elif v.entry.kind == "appointment":
        steps = _list_appointment_steps(v.entry.activity, rng, lang)
    else:
        steps = iter(())
    return DecomposeReply(
        tasks=_allot_minutes(steps, v.entry.activity, length, max(v.shortest, 1), rng, lang)
    )


def _choose_steps(v: DecomposeVars, rng: Random) -> DecomposeReply:
    """Return the steps offered, as many as the time allows, drawn at random, in their order."""
    kept = sorted(rng.sample(range(len(v.steps)), v.most))
    return DecomposeReply(
        tasks=[PlannedTask(activity=v.steps[at], minutes=min(v.shortest, v.minutes)) for at in kept]
    )


def _allot_minutes(
    steps: Iterator[tuple[str, int]], name: str, length: int, shortest: int, rng: Random, lang: Lang
) -> list[PlannedTask]:
    """Return tasks of at least `shortest` minutes, multiples of five but for the last, that sum up
    to `length`.
    """
    unit = max(-(-shortest // 5) * 5, -(-length // MOST_TASKS // 5) * 5)
    tasks: list[PlannedTask] = []
    left = length
    for text, minutes in steps:
        if left < 2 * unit or len(tasks) == MOST_TASKS - 1:
            break
        took = min(max(minutes, unit), left - unit)
        tasks.append(
            PlannedTask(activity=clip(text, 240, lang) or name, minutes=took - took % 5 or took)
        )
        left -= tasks[-1].minutes
    text, _ = next(steps, (name, 0))
    return [*tasks, PlannedTask(activity=clip(text, 240, lang) or name, minutes=left)]


def _list_steps(v: DecomposeVars, rng: Random, lang: Lang) -> Iterator[tuple[str, int]]:
    """Yield (task, minutes) without end: the tasks in turn with occasional pauses, then the last one
    resumed after each pause.
    """
    own = own_tasks(v.situation.me, v.entry, v.situation.now.date(), rng, lang)
    pauses = cycle(shuffle(read_bank(lang, "doing")["pauses"], rng))
    for task in own:
        yield task, rng.choice(TASK_MINUTES)
        if rng.random() < 0.1:
            yield next(pauses), PAUSE_MINUTES
    while True:
        yield next(pauses), PAUSE_MINUTES
        yield _phrase_resumption(own[-1], rng, lang), rng.choice(TASK_MINUTES)


def own_tasks(me: Persona, entry: Entry, day: date, rng: Random, lang: Lang) -> list[str]:
    """Return the habit's remaining tasks in their order: a late start skips the first, and chance
    drops one. An entry that is no habit has its activity and tasks of its themes.
    """
    usual = pursuit(me, entry.activity, entry.start, day, lang)
    if usual and usual.tasks:
        tasks = list(usual.tasks)
        late = entry.start - usual.start if usual.end else 0
        if late > LATE:
            tasks = tasks[
                min(late * len(tasks) // max(usual.end - usual.start, 1), len(tasks) - 1) :
            ]
    else:
        offered = theme_tasks(themes_of(entry.activity, lang), lang)
        kept = sorted(rng.sample(range(len(offered)), min(len(offered), THEME_TASKS)))
        tasks = [entry.activity, *(offered[at] for at in kept)]
    if len(tasks) > 3 and rng.random() < 0.3:
        tasks.pop(rng.randrange(1, len(tasks)))
    return tasks


def _phrase_resumption(task: str, rng: Random, lang: Lang) -> str:
    """Return a task as one that is resumed, if its words allow that, else as it is."""
    phrases = read_bank(lang, "doing")
    if not re.search(phrases["resumable"], task):
        return task
    text: str = rng.choice(phrases["resume"]).format(task=task)
    return text


def _follow_moments(v: DecomposeVars, lang: Lang) -> DecomposeReply:
    """Return the moments of a gathering as tasks, each until the next one begins. One that is too
    short for a task belongs to the next.
    """
    form = read_bank(lang, "doing")["appointment"]["moment"]
    moments = [each for each in v.moments if each[0] < v.entry.end][: v.most]
    starts = [start for start, _ in moments]
    tasks, begun = [], v.entry.start
    for (_, moment), until in zip(moments, [*starts[1:], v.entry.end], strict=True):
        if until - begun >= v.shortest or until == v.entry.end:
            text = clip(form.format(what=v.entry.activity, moment=moment), 240, lang)
            tasks.append(PlannedTask(activity=text, minutes=until - begun))
            begun = until
    return DecomposeReply(tasks=tasks)


def _list_appointment_steps(what: str, rng: Random, lang: Lang) -> Iterator[tuple[str, int]]:
    """Yield (task, minutes) of an appointment without end: a task before it, the appointment, one
    after it, and the appointment again.
    """
    phrases = read_bank(lang, "doing")["appointment"]
    yield rng.choice(phrases["before"]), PAUSE_MINUTES
    yield what, 30
    yield rng.choice(phrases["after"]), PAUSE_MINUTES
    while True:
        yield what, 30


# place -------------------------------------------------------------------------------------


def answer_place(v: PlaceVars, rng: Random, lang: Lang) -> PlaceReply:
    """Return the best known spot, emoji for the activity and, unless the prompt is brief, the state
    of a thing in use.
    """
    themes = () if v.activity in read_bank(lang, "doing")["pauses"] else themes_of(v.activity, lang)
    themes = themes or themes_of(v.entry, lang)
    fits = _score_spots(v, themes, rng, lang)
    number = max(range(len(fits)), key=lambda at: fits[at][0])
    best = fits[number][1]
    thing = _display_of(best, themes, lang)
    emoji = rng.choice(v.emoji or themes[0].emoji) if themes or v.emoji else thing["emoji"]
    return PlaceReply(
        place=number + 1,
        emoji=emoji,
        thing_state=rng.choice(thing["states"]) if _is_thing(best) and not v.brief else "",
    )


def _is_thing(spot: Spot) -> bool:
    return spot.address.count("/") >= 2


def _score_spots(
    v: PlaceVars, themes: tuple[Theme, ...], rng: Random, lang: Lang
) -> list[tuple[float, Spot]]:
    """Return each spot as (score, spot), scored by the planned room, the habit, themes, names,
    nearness and drawbacks, with a random part that decides between similar ones.
    """
    usual = pursuit(
        v.situation.me, v.entry, minute_of_day(v.situation.now), v.situation.now.date(), lang
    )
    place, wanted = (usual.place, usual.tags) if usual else ("", ())
    worth = _weigh_tags(themes, themes_of(v.entry, lang))
    barred = _reserved_tags(
        frozenset(theme.key for theme in (*themes, *themes_of(v.entry, lang))), lang
    )
    rooms = {spot.address: frozenset(spot.tags) for spot in v.spots if not _is_thing(spot)}
    fits = []
    for spot in v.spots:
        fit = (
            _nearness(spot.address, place)
            + _pastime_bonus(spot, wanted)
            - _drawbacks(spot, v, barred)
            + 0.8 * rng.random()
        )
        arena = _sector_and_arena(spot.address)[1]
        if arena == v.here:
            fit += 0.8
        if v.room and not v.refused and arena == v.room:
            fit += PLANNED
        if _own_name(spot.name) in v.activity:
            fit += 2.0
        if _house(spot.name) in v.entry:
            fit += 6.0
        fits.append((fit + _score_use(spot, worth, rooms), spot))
    return fits


def _score_use(
    spot: Spot, worth: Mapping[str, float], rooms: Mapping[str, frozenset[str]]
) -> float:
    """Return a spot's suitability: by the thing's own tags, and at half weight by those of its
    room.
    """
    if not _is_thing(spot):
        return _score_tags(frozenset(spot.tags), worth)
    room = rooms.get(_sector_and_arena(spot.address)[1], frozenset())
    own = _score_tags(_tags(spot.address, spot.tags) - room, worth)
    return (own or -2.0) + 0.5 * _score_tags(room, worth)


def _score_tags(tags: frozenset[str], worth: Mapping[str, float]) -> float:
    """Return the highest worth among the tags, plus a tenth of the sum."""
    values = [worth[tag] for tag in sorted(tags & worth.keys())]
    return max(values) + 0.1 * fsum(values) if values else 0.0


@lru_cache(maxsize=4096)
def _weigh_tags(themes: tuple[Theme, ...], entry: tuple[Theme, ...]) -> Mapping[str, float]:
    """Return the worth of each tag: higher in earlier themes, at earlier positions, and for the
    activity than for its entry.
    """
    worth: dict[str, float] = {}
    for share, group in ((1.0, themes), (0.4, entry)):
        for nth, theme in enumerate(group[:3]):
            for at, tag in enumerate(theme.tags):
                worth[tag] = max(worth.get(tag, 0.0), share * (3.5 - 0.8 * nth - 0.25 * at))
    return worth


@lru_cache(maxsize=8192)
def _nearness(address: str, place: str) -> float:
    """Return a bonus for sharing the house, the room or the thing of a habit's place; 0 for
    neither.
    """
    if not place:
        return 0.0
    shared = 0
    for ours, theirs in zip(address.split("/"), place.split("/"), strict=False):
        if ours != theirs:
            break
        shared += 1
    return (0.0, 3.5, 8.0, 9.5)[min(shared, 3)]


def _pastime_bonus(spot: Spot, wanted: Sequence[str]) -> float:
    """Return the bonus for the tags that a pastime requires, 0 if it requires none: the first names
    the place, the others the things.
    """
    if not wanted:
        return 0.0
    tags = _tags(spot.address, spot.tags)
    return 8.0 * (wanted[0] in tags) + 2.0 * any(tag in tags for tag in wanted[1:])


@lru_cache(maxsize=4096)
def _tags(address: str, tags: tuple[str, ...]) -> frozenset[str]:
    """Return a spot's tags and the words of its id ("window_table" is a table). Not every bed is
    for sleeping: some grow roses.
    """
    return frozenset(tags) | _id_words(address)


def _id_words(address: str) -> frozenset[str]:
    """Return the words of a thing's id, without "bed", which may be one of roses; none for an
    arena.
    """
    return frozenset("".join(address.split("/")[2:]).split("_")) - {"bed", ""}


@lru_cache(maxsize=4096)
def _own_name(name: str) -> str:
    """Return a thing's name without its room; a character that no activity contains if it has none."""
    _, _, own = name.partition(": ")
    return own.lower() or "\x00"


@lru_cache(maxsize=4096)
def _house(name: str) -> str:
    """Return the name of a spot's house ("Hobbs Café" of "Hobbs Café, main room: window table")."""
    return re.split("[,:：，]", name)[0]


@lru_cache(maxsize=4096)
def _sector_and_arena(address: str) -> tuple[str, str]:
    """Return the addresses of a spot's sector and of its arena."""
    sector, _, rest = address.partition("/")
    return sector, f"{sector}/{rest.partition('/')[0]}"


@lru_cache(maxsize=1024)
def _reserved_tags(purposes: frozenset[str], lang: Lang) -> frozenset[str]:
    """Return the tags of things that are for other purposes only."""
    reserved: dict[str, list[str]] = read_bank(lang, "doing")["reserved"]
    return frozenset(tag for tag, themes in reserved.items() if purposes.isdisjoint(themes))


def _drawbacks(spot: Spot, v: PlaceVars, barred: frozenset[str]) -> float:
    """Return the penalty for a spot that is occupied, was just refused, is reserved for other
    purposes, or belongs to another resident.
    """
    me = v.situation.me
    sector, arena = _sector_and_arena(spot.address)
    against = 4.0 if spot.taken else 0.0
    if v.refused and (spot.address in v.refused or _own_name(spot.name) in v.refused.lower()):
        against += 8.0
    if not barred.isdisjoint(spot.tags):
        against += 3.0
    if "bedroom" in spot.tags and arena != me.home:
        against += 4.0
    if ("sleep" in spot.tags and spot.address != me.sleeps) or (
        "home" in spot.tags and sector != sector_of(me.home) and arena != v.room
    ):
        against += 40.0
    return against


def _display_of(spot: Spot, themes: Sequence[Theme], lang: Lang) -> dict[str, Any]:
    """Return the emoji and states of a spot in use: by a word of its id, by a requested tag, or by
    its first known tag.
    """
    things: dict[str, dict[str, Any]] = read_bank(lang, "doing")["things"]
    named = (tag for tag in things if tag in _id_words(spot.address))
    asked = (tag for theme in themes for tag in theme.tags if tag in spot.tags and tag in things)
    return things[next(named, next(asked, next((tag for tag in things if tag in spot.tags), "")))]
