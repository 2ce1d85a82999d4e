"""Plot threads for a reader: setup, progress, and payoff or abandonment of each, with the
causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import orjson

from hometown.history import shapes
from hometown.history.causes import Log
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.storage.codec import decode_effect
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.book.plots import ThreadPart
from hometown.world.cast_names import fill_in_names
from hometown.world.threads import Fact, OmenCame, Thread, ThreadEffect, ThreadMoved
from hometown.world.world import World


def foreshadowing(run: RunReader, names: Names) -> list[shapes.StoryThread]:
    """Return all threads so far, sorted by the time of setup; none in a world without threads."""
    world = names.world
    book = world.book if world else None
    if world is None or book is None or not book.threads:
        return []
    threads: dict[int, shapes.StoryThread] = {}
    stages: dict[int, str] = {}
    for step, effect in _thread_moves(run):
        thread = effect.thread
        plot = book.threads.get(thread.plot)
        omen = isinstance(effect, OmenCame)
        if plot is None or (not omen and stages.get(thread.number) == thread.stage):
            continue
        stages[thread.number] = thread.stage
        begun: shapes.StoryThread = {
            "number": thread.number,
            "title": "",
            "stage": thread.stage,
            "who": [],
            "moves": [],
        }
        shown = threads.setdefault(thread.number, begun)
        shown["title"], shown["stage"] = (
            fill_in_names(world, plot.title[world.lang], thread.cast),
            thread.stage,
        )
        concerned = [
            *shown["who"],
            *(who for _, who in thread.cast),
            thread.because.who,
            thread.because.other,
        ]
        shown["who"] = [who for who in dict.fromkeys(concerned) if who in world.personas]
        shown["moves"].append(_move_shape(run, world, plot, step, effect))
    return list(threads.values())


def _thread_moves(run: RunReader) -> Iterator[tuple[int, ThreadEffect]]:
    """Yield the effects that moved threads or were omens, with their steps. Only steps in which the
    row of threads changed are read.
    """
    log = Log(run)
    for step, _ in run.versions(keys.THREADS.key, 1, run.last_step()):
        town_effects = log.effects(step).get("", ())
        for kind, _, fields in town_effects:
            if kind in (ThreadMoved.__name__, OmenCame.__name__):
                yield step, cast(ThreadEffect, decode_effect(kind, orjson.dumps(fields)))


def _move_shape(
    run: RunReader, world: World, plot: ThreadPart, step: int, effect: ThreadEffect
) -> shapes.ThreadMove:
    thread, omen = effect.thread, isinstance(effect, OmenCame)
    text = fill_in_names(world, _choose_text(plot, thread, omen)[world.lang], thread.cast)
    because = "" if omen else describe_cause(world, thread.because)
    head = None if omen or not thread.because.talk else run.conversation_head(thread.because.talk)
    talk: shapes.Begun | None = (
        {"id": head.id, "people": list(head.people), "tick": run.tick(head.started)}
        if head
        else None
    )
    tick = min(run.tick(run.moment(step)), run.tick(run.moment(run.last_step())) - 1)
    return {
        "tick": tick,
        "stage": thread.stage,
        "omen": omen,
        "text": text,
        "because": because,
        "talk": talk,
    }


def _choose_text(plot: ThreadPart, thread: Thread, omen: bool) -> dict[str, str]:
    if omen:
        there = plot.planted.omen if thread.stage == "planted" else plot.active.omen
        return there.text if there else {"en": "", "zh": ""}
    tells = {
        "planted": plot.planted.tells,
        "active": plot.active.tells,
        "paid_off": plot.paid_off.tells,
        "dropped": plot.dropped.tells,
    }
    return tells[thread.stage]


def describe_cause(world: World, fact: Fact) -> str:
    """Describe the cause of a thread's progress, as in "Fang Shan failed at breaking through"."""
    words = catalogue(world.lang, "foreshadowing")
    key = f"{fact.event}_about" if fact.event == "talked" and fact.what else fact.event
    return words[key].format(
        who=world.name_of(fact.who),
        other=world.name_of(fact.other),
        what=_name_subject(world, fact),
        amount=fact.amount,
    )


def _name_subject(world: World, fact: Fact) -> str:
    """Name the subject of a fact: a recipe, a kind of goods, the weather or a text."""
    book, lang = world.book, world.lang
    if book is None:
        return fact.what
    if fact.event in ("did", "failed") and fact.what in book.families:
        return book.families[fact.what][0].part.says[lang][0]
    if fact.event in ("bought", "given", "price") and fact.what in book.kinds:
        return book.kinds[fact.what].name[lang]
    if fact.event == "weather" and fact.what in book.calendar.weather:
        return book.calendar.weather[fact.what].says[lang]
    if fact.event == "talked":
        return next((story.title for story in world.storylines if story.id == fact.what), fact.what)
    return world.name_of(fact.what)
