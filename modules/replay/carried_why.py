"""What `replay.html` carries so that it can tell why: the cause of all that was done, said and remembered, and the model's calls.

The answers are put together from this by `frontend/js/views_why.js`, as `modules/replay/why.py` does for the server. Each block of
steps is told by itself; what is told elsewhere in the file, the texts of memories and talks, is named by its id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, cast

from modules.memory.action import Action
from modules.model.calls import Call
from modules.replay.reader import RunReader, blocks
from modules.replay.why import CALLED, FOUNDING, action_told, call_told, log_of, result_told
from modules.storage.tables import CALL, call_of, prompts_of

Told = dict[str, Any]


def causes(run: RunReader, size: int) -> Iterator[tuple[int, Told, Told]]:
    """By block of `size` steps: the step with which it begins, the causes and calls, and the prompts. Step 0 belongs to the first block.

    `memories` and `actions` go by resident, `talks` by id; `calls`, `led_to` and the prompts by resident and by step and cause.
    """
    begun: dict[str, tuple[int, str]] = dict.fromkeys(run.residents, (0, FOUNDING))
    for first, last in blocks(1, max(1, run.last_step()), size):
        told: Told = {"memories": {}, "actions": {}, "talks": {}, "calls": {}, "led_to": {}}
        prompts: Told = {}
        for step in range(first if first > 1 else 0, last + 1):
            _effects(run, step, told, begun)
            _actions(run, step, first, told, begun)
            _calls(run, step, told, prompts)
        _lines(run, first, last, told)
        yield first, told, prompts


def _effects(run: RunReader, step: int, told: Told, begun: dict[str, tuple[int, str]]) -> None:
    """Why memories were made, actions and talks begun in a step, and what its calls led to."""
    led_to: dict[str, dict[str, list[Told]]] = defaultdict(lambda: defaultdict(list))
    for who, kind, cause, effect in log_of(run, step):
        if kind == "Remembered":
            told["memories"].setdefault(who, {})[str(effect["concept"]["id"])] = cause
        elif kind == "Began":
            begun[who] = (step, cause)
        elif kind == "TalkBegan" and who == effect["talk"]["opener"]:
            told["talks"].setdefault(effect["talk"]["id"], {})["cause"] = cause
        if cause.startswith(CALLED) and (result := result_told(kind, effect)):
            led_to[who][f"{step} {cause}"].append({"type": "memory", "id": result["id"]} if kind == "Remembered" else result)
    for who, results in led_to.items():
        told["led_to"].setdefault(who, {}).update(results)


def _actions(run: RunReader, step: int, first: int, told: Told, begun: dict[str, tuple[int, str]]) -> None:
    """Actions as they stand after a step, where it changed them or begins a block: (step, step in which it was begun, cause, action)."""
    anew = step in (0, first)
    for who in run.residents:
        if anew or run.changed(f"action/{who}", step):
            action = cast("Action | None", run.row(f"action/{who}", step))
            since, cause = begun[who]
            if action is not None:
                told["actions"].setdefault(who, []).append((step, since, cause, action_told(run, since, action)))


def _calls(run: RunReader, step: int, told: Told, prompts: Told) -> None:
    """A step's calls and their prompts; what came back at first is told only where it was not used as it came."""
    recorded = prompts_of(run.database, step)
    for row in run.database.execute(f"SELECT {CALL} FROM calls WHERE step = ?", (step,)):
        call = call_of(row, recorded)
        key = f"{step} {call.ref}"
        told["calls"].setdefault(call.who, {})[key] = _call(call)
        if call.messages:
            prompts.setdefault(call.who, {})[key] = [asdict(message) for message in call.messages]


def _call(call: Call) -> Told:
    retrieved = [(got.memory, got.score, got.recency, got.importance, got.relevance) for got in call.retrieved]
    attempts: Told = {"attempts": []} if call.outcome == "ok" else {}
    return call_told(call) | attempts | {"recorded": bool(call.messages), "retrieved": retrieved}


def _lines(run: RunReader, first: int, last: int, told: Told) -> None:
    """The calls by which the lines of talks were said."""
    for talk in run.talks(0 if first == 1 else first, last):
        told["talks"].setdefault(talk.id, {"cause": ""})["lines"] = [line.call for line in talk.lines]
