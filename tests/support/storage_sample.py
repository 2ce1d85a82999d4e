"""A state made by hand, with all kinds of rows, and steps that change it, for the tests of storage."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from hometown.memory.action import Action
from hometown.memory.arithmetic import Vector, quantise
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry, Schedule
from hometown.memory.stream import MemoryStream
from hometown.records import Attempt, Call, Message, Retrieval
from hometown.settings import Settings
from hometown.storage.manifest import Manifest
from hometown.storage.run import Logged, RunFile, StepRecord
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import (
    Accessed,
    Effect,
    Left,
    Moved,
    Related,
    Remembered,
    Retired,
    TalkBegan,
    TimePassed,
)
from hometown.world.rows import Body, Clock, MindState, Relation, ThingState
from hometown.world.state import State

START = datetime(2025, 2, 13, 6, 0)
DIMENSION = 32
WHO = ("ana", "bo")


def vector_of(text: str) -> Vector:
    """Return a quantised vector that depends on the text alone."""
    vector = np.random.default_rng(list(text.encode())).normal(size=DIMENSION).astype(np.float32)
    return quantise(vector / np.linalg.norm(vector))


def manifest(name: str = "sample") -> Manifest:
    return Manifest(
        name=name,
        world="nowhere",
        lang="zh",
        start=START,
        stride=10,
        seed=1,
        residents=list(WHO),
        llm="scripted",
        llm_reason="",
        embedding="hash",
        dimension=DIMENSION,
        settings=Settings(),
        versions={},
        created=START,
    )


def concept(one: int, text: str, when: datetime = START) -> Concept:
    return Concept(
        one,
        "event",
        text,
        "bo",
        "is",
        "awake",
        "home/bo",
        3,
        when,
        when + timedelta(days=30),
        tuple(range(1, one)),
        "",
        ("bo",),
    )


def first_state() -> State:
    """Two residents in bed, each with a memory."""
    state = State({}, {who: MemoryStream() for who in WHO}, vector_of)
    state.put(keys.CLOCK.key, Clock(START, 0))
    for who in WHO:
        state.put(keys.BODY.of(who), Body((2, 3), using=f"home/{who}/bed"))
        state.put(keys.ACTION.of(who), Action("sleep", "睡觉", f"home/{who}/bed", 60))
        state.put(keys.MIND.of(who), MindState("", planned=START.date()))
        state.put(
            keys.SCHEDULE.of(who), Schedule(START.date(), (Entry(0, 1440, "sleeping", "sleep"),))
        )
        state.put(keys.THING.of(f"home/{who}/bed"), ThingState((who,), "occupied"))
        apply(Remembered(who, concept(1, f"{who} 的记忆 1")), state)
    return state


def step_effects(step: int) -> list[Effect]:
    """What happens in a step: every kind of change in any three of them."""
    now = START + timedelta(minutes=10 * step)
    effects: list[Effect] = [TimePassed(now, step), Moved("ana", 0, ((3, step), (4, step)))]
    effects += [Remembered(who, concept(step + 1, f"{who} 的记忆 {step + 1}", now)) for who in WHO]
    effects.append(Accessed("ana", (1, step + 1), now))
    if step % 3 == 0:
        effects.append(Retired("bo", (step,), "expired"))
        effects.append(Left("ana", "home/ana/bed"))
    if step % 3 == 1:
        talk = Conversation(
            f"{step}-ana",
            step,
            "ana",
            "bo",
            "home/bo",
            now,
            3,
            (Line("ana", "早！", "call:line#0"),),
            "",
            "word",
        )
        effects += [TalkBegan(talk, now), Related("bo", "ana", Relation(step, now, ""))]
    return effects


def call(step: int, ordinal: int = 0) -> Call:
    return Call(
        step,
        "ana",
        "rate",
        ordinal,
        "scripted",
        "retried",
        '{"ratings": [0]}',
        (Attempt("?", "no JSON"), Attempt('{"ratings": [0]}')),
        (Message("system", "你是 Ana"), Message("user", "…")),
        (Retrieval(1, 1.5, 0.5, 0.25, 0.0),),
        12,
        3,
        0.5,
    )


def live(run: RunFile, state: State, steps: int) -> None:
    """Lives and commits `steps` steps more."""
    for step in range(run.last.step + 1, run.last.step + steps + 1):
        effects = step_effects(step)
        run.vectors.put_many(
            {
                one.concept.text: vector_of(one.concept.text)
                for one in effects
                if isinstance(one, Remembered)
            }
        )
        for effect in effects:
            apply(effect, state)
        logged = [Logged(effect, getattr(effect, "who", ""), "rule:test") for effect in effects]
        run.commit(
            StepRecord(
                step, state.clock.now, state.take_changes(), logged, [call(step)], {"ms": 0.5}
            )
        )


def sample_run(root: Path, steps: int, name: str = "sample") -> RunFile:
    """A run of so many steps, open for writing."""
    run = RunFile.create(root, manifest(name), steps, first_state())
    live(run, run.restore(), steps)
    return run
