"""Causes of actions, lines and memories: the model call or rule behind each, the inputs of the
call, and its results.

The page puts an answer together from these blocks and from a resident's memories
(`frontend/js/data/causes.js`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar, cast

import orjson

from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.refused import BACK, refusal
from hometown.json_object import Json
from hometown.memory.action import Action
from hometown.records import Call
from hometown.storage.row_conversion import CALL, PROMPT, call_of, unpack_frames, with_prompt
from hometown.world import keys

ACTIONS_BACK = 40
"""Maximum number of versions of an action in which the effect that began it is searched; it also
changes on arrival and in conversations.
"""

STEPS_KEPT = 32
"""Maximum number of steps with cached effects and prompts."""

FOUNDING = "rule:founding"

CALL_PREFIX = "call:"
"""The beginning of a cause that is a model call."""

WORK = "rule:work"
"""The cause of memories of work."""

Effects = dict[str, list[tuple[str, str, Json]]]
"""The effects of a step by resident, in order, each as (kind, cause, fields)."""

Prompted = dict[str, list[tuple[str, list[dict[str, str]]]]]
"""The prompts of a step by resident, each as (call, messages)."""

T = TypeVar("T")


class Log:
    """Recorded effects and prompts by step; each step is read once for all residents."""

    def __init__(self, run: RunReader) -> None:
        self._run = run
        self._effects: dict[int, Effects] = {}
        self._causes_by_step: dict[int, dict[str, str]] = {}
        self._prompts: dict[int, Prompted] = {}

    def effects(self, step: int) -> Effects:
        """Return the effects of a step, not validated, because only a few of hundreds are used."""
        return _read_cached(self._effects, step, self._read_effects)

    def prompts(self, step: int) -> Prompted:
        """Return the messages of a step's calls."""
        return _read_cached(self._prompts, step, self._read_prompts)

    def find_beginning(self, who: str, step: int) -> tuple[int, str]:
        """Return the step in which the action in force after `step` began, and its cause; step 0
        and `FOUNDING` if that is not among its last `ACTIONS_BACK` versions.
        """
        query = "SELECT step FROM state WHERE key = ? AND step <= ? ORDER BY step DESC LIMIT ?"
        for (at,) in self._run.database.execute(
            query, (keys.ACTION.of(who), step, ACTIONS_BACK)
        ).fetchall():
            if at not in self._causes_by_step:
                self.effects(at)
            if who in self._causes_by_step[at]:
                return at, self._causes_by_step[at][who]
        return 0, FOUNDING

    def _read_effects(self, step: int) -> Effects:
        """Read the effects of a step, and note the causes of the actions that began in it."""
        effects: Effects = defaultdict(list)
        for who, kind, cause, effect in self._unpack(
            "SELECT log FROM effects WHERE step = ?", step
        ):
            effects[who].append((kind, cause, effect))
        self._causes_by_step[step] = {
            who: cause for who, of in effects.items() for kind, cause, _ in of if kind == "Began"
        }
        return effects

    def _read_prompts(self, step: int) -> Prompted:
        """Read the messages of the calls of a step whose prompts were recorded."""
        recorded = self._unpack("SELECT messages FROM prompts WHERE step = ?", step)
        prompted: Prompted = defaultdict(list)
        query = "SELECT resident, kind, ordinal, prompt FROM calls WHERE step = ? AND prompt IS NOT NULL"
        for who, kind, ordinal, prompt in self._run.database.execute(query, (step,)):
            prompted[who].append((f"{CALL_PREFIX}{kind}#{ordinal}", recorded[prompt]))
        return prompted

    def _unpack(self, query: str, step: int) -> list[Any]:
        """Return the list in the only column that a query finds for a step, unpacked; empty if it
        finds no row.
        """
        row = self._run.database.execute(query, (step,)).fetchone()
        if row is None:
            return []
        return cast("list[Any]", orjson.loads(unpack_frames(row[0], self._run.run.budget())))


def _read_cached(steps: dict[int, T], step: int, read: Callable[[int], T]) -> T:
    """Return the value of a step, read unless it is cached; the oldest of more than `STEPS_KEPT`
    steps leaves the cache.
    """
    if step not in steps:
        if len(steps) >= STEPS_KEPT:
            del steps[next(iter(steps))]
        steps[step] = read(step)
    return steps[step]


def causes(
    run: RunReader, names: Names, log: Log, who: str, first: int, last: int
) -> shapes.Causes:
    """Return the causes of a resident's actions, conversations and memories in steps `first` to
    `last`.
    """
    begin = run.begin(first)
    block: shapes.Causes = {
        "from": first,
        "to": last,
        "memories": {},
        "actions": [],
        "conversations": {},
        "calls": {},
        "led_to": {},
        "refusals": {},
    }
    for step in range(begin, last + 1):
        _add_causes(block, who, step, log.effects(step).get(who, ()))
        _add_refusals(block, run, names, log, who, step)
    for since, action in run.actions_of(who, begin, last):
        step, cause = log.find_beginning(who, since)
        begun = (step, cause, _action(run, step, action))
        if (
            not block["actions"] or block["actions"][-1][1:] != begun
        ):  # on arrival, an action goes on
            block["actions"].append((since, *begun))
    query = f"SELECT {CALL} FROM calls WHERE step BETWEEN ? AND ? AND resident = ?"
    for row in run.database.execute(query, (begin, last, who)):
        call = call_of(with_prompt(row, None), ())
        block["calls"][f"{call.step} {call.ref}"] = _call(call, recorded=row[PROMPT] is not None)
    return block


def prompts(run: RunReader, log: Log, who: str, first: int, last: int) -> shapes.Prompts:
    """Return the prompts for a resident in steps `first` to `last`. They share most of their lines,
    so each line is stored once.
    """
    lines: dict[str, int] = {}
    calls: dict[str, list[tuple[str, list[int]]]] = {}
    for step in range(run.begin(first), last + 1):
        for cause, messages in log.prompts(step).get(who, ()):
            calls[f"{step} {cause}"] = [
                (
                    message["role"],
                    [lines.setdefault(line, len(lines)) for line in message["content"].split("\n")],
                )
                for message in messages
            ]
    return {"from": first, "to": last, "lines": list(lines), "calls": calls}


def prompts_size(run: RunReader) -> int:
    """Return the size in bytes of all stored prompts, compressed as they are."""
    return int(
        run.database.execute("SELECT coalesce(sum(length(messages)), 0) FROM prompts").fetchone()[0]
    )


def _add_causes(
    block: shapes.Causes, who: str, step: int, effects: Sequence[tuple[str, str, Json]]
) -> None:
    """Add the causes of a step's memories and conversations, and the results of its calls."""
    for kind, cause, effect in effects:
        if kind == "Remembered":
            block["memories"][str(effect["concept"]["id"])] = cause
        elif kind == "TalkBegan" and who == effect["talk"]["opener"]:
            block["conversations"][effect["talk"]["id"]] = cause
        if cause.startswith(CALL_PREFIX) and (result := _result(kind, effect)):
            block["led_to"].setdefault(f"{step} {cause}", []).append(result)


def _add_refusals(
    block: shapes.Causes, run: RunReader, names: Names, log: Log, who: str, step: int
) -> None:
    """Add the obstacles to a resident's work: for each of the step's memories that tell of one, the
    latest matching outcome of the last `BACK` steps.
    """
    for kind, cause, effect in log.effects(step).get(who, ()):
        if kind == "Remembered" and cause == WORK:
            steps = range(step, max(0, step - BACK), -1)
            outcomes = (
                (at, each)
                for at in steps
                for named, _, each in reversed(log.effects(at).get(who, ()))
                if named == "CameOf"
            )
            if found := refusal(run, names, effect["concept"]["predicate"], step, outcomes):
                block["refusals"][str(effect["concept"]["id"])] = found


def _result(kind: str, effect: Json) -> shapes.Result | None:
    """Return an effect as the result of a call; None if it is not shown."""
    if kind == "Remembered":
        return {"type": "memory", "id": effect["concept"]["id"]}
    if kind == "Began":
        action = effect["action"]
        return {
            "type": "action",
            "text": action["activity"],
            "address": action["address"],
            "emoji": action["emoji"],
        }
    if kind == "TalkBegan":
        talk = effect["talk"]
        return {
            "type": "conversation",
            "id": talk["id"],
            "text": talk["summary"] or next((line["text"] for line in talk["lines"]), ""),
        }
    return (
        {"type": "plan", "text": kind}
        if kind in ("DayPlanned", "Rescheduled", "Promised")
        else None
    )


def _action(run: RunReader, step: int, action: Action) -> shapes.CausedAction:
    """Return an action that began in a step, in the page's format."""
    return {
        "tick": run.first_tick(step),
        "text": action.activity,
        "address": action.address,
        "emoji": action.emoji,
        "kind": action.kind,
    }


def _call(call: Call, *, recorded: bool) -> shapes.CallView:
    """Return a call's reply and cost; its attempts only if the first reply was not used
    unchanged.
    """
    unchanged = call.outcome == "ok" and not any(attempt.mended for attempt in call.attempts)
    return {
        "kind": call.kind,
        "ordinal": call.ordinal,
        "model": call.model,
        "outcome": call.outcome,
        "reply": orjson.loads(call.reply),
        "attempts": []
        if unchanged
        else [cast(shapes.AttemptView, asdict(attempt)) for attempt in call.attempts],
        "prompt_tokens": call.prompt_tokens,
        "reply_tokens": call.reply_tokens,
        "ms": call.ms,
        "recorded": recorded,
        "retrieved": [
            (got.memory, got.score, got.recency, got.importance, got.relevance)
            for got in call.retrieved
        ],
    }
