"""Why something was done, said or thought: the model call or the rule behind it, and the memories on which that rested."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, cast

import orjson
import zstandard

from modules.memory.action import Action
from modules.model.calls import Call
from modules.replay.reader import RunReader
from modules.replay.stream import told, weights
from modules.storage.tables import CALL, call_of, prompts_of

ACTIONS_BACK = 40
"""Versions of an action that are looked through for the effect that began it: it changes on arrival and in talks, too."""

FOUNDING = "rule:founding"

CALLED = "call:"


@dataclass(frozen=True, slots=True)
class Cause:
    """What to explain: whose, in which step, what caused it, and the thing itself as the API tells it."""

    who: str
    step: int
    cause: str
    what: dict[str, Any]


def of_action(run: RunReader, who: str, step: int) -> Cause | None:
    """The action in force in a step."""
    versions = run.actions_of(who, step, step)
    if not versions:
        return None
    action = versions[0][1]
    begun, cause = _began(run, who, step)
    return Cause(who, begun, cause, {"type": "action"} | action_told(run, begun, action))


def of_line(run: RunReader, talk_id: str, line: int) -> Cause | None:
    """A line of a conversation; line −1 is the conversation itself, which its opener asked for."""
    talk = run.talk(talk_id)
    if talk is None or not -1 <= line < len(talk.lines):
        return None
    what = {"type": "talk", "talk": talk.id, "opener": talk.opener, "partner": talk.partner, "tick": run.tick(talk.started), "text": talk.summary}
    if line < 0:
        cause = next((cause for who, kind, cause, _ in log_of(run, talk.step) if kind == "TalkBegan" and who == talk.opener), "")
        return Cause(talk.opener, talk.step, cause, what)
    said = talk.lines[line]
    return Cause(said.speaker, talk.step, said.call, what | {"type": "line", "line": line, "speaker": said.speaker, "text": said.text})


def of_memory(run: RunReader, who: str, one: int) -> Cause | None:
    """A memory."""
    found = run.recall(who, [one])
    if not found:
        return None
    memory = found[0]
    causes = (
        cause
        for owner, kind, cause, effect in log_of(run, memory.step)
        if owner == who and kind == "Remembered" and effect["concept"]["id"] == memory.concept.id
    )
    what = {"type": "memory", "tick": run.tick(memory.concept.created), "text": memory.concept.text, "memory": told(run, memory)}
    return Cause(who, memory.step, next(causes, ""), what)


def of_call(run: RunReader, who: str, step: int, kind: str, ordinal: int) -> Cause:
    """A model call itself."""
    return Cause(who, step, f"{CALLED}{kind}#{ordinal}", {"type": "call", "tick": _tick(run, step)})


def explained(run: RunReader, cause: Cause, *, prompt: bool) -> dict[str, Any]:
    """What is known of a cause; the prompt's text, which is long, only if it is asked for."""
    return {
        "resident": cause.who,
        "step": cause.step,
        "tick": _tick(run, cause.step),
        "what": cause.what,
        "cause": cause.cause,
        "call": _call(run, cause, prompt=prompt),
        "led_to": _led_to(run, cause) if cause.cause.startswith(CALLED) else [],
    }


# parts ------------------------------------------------------------------------------------------


def _call(run: RunReader, cause: Cause, *, prompt: bool) -> dict[str, Any] | None:
    kind, _, ordinal = cause.cause.removeprefix(CALLED).partition("#")
    if not cause.cause.startswith(CALLED) or not ordinal.isdigit():
        return None
    key = (cause.step, cause.who, kind, int(ordinal))
    columns = CALL if prompt else CALL.replace("prompt,", "NULL,")
    row = run.database.execute(f"SELECT {columns}, prompt IS NOT NULL FROM calls WHERE step = ? AND resident = ? AND kind = ? AND ordinal = ?", key).fetchone()
    if row is None:
        return None
    *rest, recorded = row
    call = call_of(rest, prompts_of(run.database, cause.step) if prompt else ())
    return call_told(call) | {
        "recorded": bool(recorded),
        "messages": [asdict(message) for message in call.messages],
        "weights": weights(run),
        "retrieved": _retrieved(run, call),
    }


def call_told(call: Call) -> dict[str, Any]:
    """What was answered and what it cost."""
    return {
        "kind": call.kind,
        "ordinal": call.ordinal,
        "model": call.model,
        "outcome": call.outcome,
        "reply": orjson.loads(call.reply),
        "attempts": [asdict(attempt) for attempt in call.attempts],
        "prompt_tokens": call.prompt_tokens,
        "reply_tokens": call.reply_tokens,
        "ms": call.ms,
    }


def _retrieved(run: RunReader, call: Call) -> list[dict[str, Any]]:
    memories = {memory.concept.id: memory for memory in run.recall(call.who, [got.memory for got in call.retrieved])}
    return [
        told(run, memories[got.memory]) | {"scores": [got.score, got.recency, got.importance, got.relevance]}
        for got in call.retrieved
        if got.memory in memories
    ]


def _led_to(run: RunReader, cause: Cause) -> list[dict[str, Any]]:
    """What a call brought about: memories, an action, a new plan, a talk."""
    mine = ((kind, effect) for who, kind, why, effect in log_of(run, cause.step) if who == cause.who and why == cause.cause)
    return [result for kind, effect in mine if (result := result_told(kind, effect))]


def result_told(kind: str, effect: dict[str, Any]) -> dict[str, Any] | None:
    """An effect as what came of a call; None where it is not told."""
    if kind == "Remembered":
        return {"type": "memory", "id": effect["concept"]["id"], "text": effect["concept"]["text"], "kind": effect["concept"]["type"]}
    if kind == "Began":
        action = effect["action"]
        return {"type": "action", "text": action["activity"], "address": action["address"], "emoji": action["emoji"]}
    if kind == "TalkBegan":
        return {"type": "talk", "id": effect["talk"]["id"], "text": effect["talk"]["summary"]}
    return {"type": "plan", "text": kind} if kind in ("DayPlanned", "Rescheduled", "Promised") else None


def _began(run: RunReader, who: str, step: int) -> tuple[int, str]:
    """The step in which the action in force was begun, and what caused it."""
    query = "SELECT step FROM state WHERE key = ? AND step <= ? ORDER BY step DESC LIMIT ?"
    for (at,) in run.database.execute(query, (f"action/{who}", step, ACTIONS_BACK)):
        causes = [cause for owner, kind, cause, _ in log_of(run, at) if owner == who and kind == "Began"]
        if causes:
            return at, causes[-1]
    return 0, FOUNDING


def log_of(run: RunReader, step: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    """The effects of a step, (whose, kind, cause, fields), unchecked: only a few of hundreds are looked at."""
    row = run.database.execute("SELECT log FROM effects WHERE step = ?", (step,)).fetchone()
    return cast("list[tuple[str, str, str, dict[str, Any]]]", orjson.loads(zstandard.ZstdDecompressor().decompress(row[0]))) if row else []


def action_told(run: RunReader, begun: int, action: Action) -> dict[str, Any]:
    return {"tick": _tick(run, begun), "text": action.activity, "address": action.address, "emoji": action.emoji, "kind": action.kind}


def _tick(run: RunReader, step: int) -> int:
    """The tick with which a step begins."""
    return run.tick(run.moment(max(step - 1, 0)))
