"""Rows of the tables ↔ what they stand for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import Any

import orjson
import zstandard

from modules.memory.concept import Concept
from modules.model.calls import Attempt, Call, Retrieval
from modules.model.llm import Message
from modules.storage.codec import decode, decode_effect, encode
from modules.world.effects import Logged
from modules.world.talk import Line, Talk

MEMORY = "id, type, text, subject, predicate, object, address, poignancy, created, expires, evidence, talk, about"
"""Columns from which `concept_of` makes a memory."""

TALK = "id, step, opener, partner, address, started, minutes, lines, summary, ended_by"
"""Columns from which `talk_of` makes a conversation."""

CALL = "step, resident, kind, ordinal, model, outcome, reply, attempts, prompt, retrieved, prompt_tokens, reply_tokens, ms"
"""Columns from which `call_of` makes a model call."""

Statement = tuple[str, list[tuple[Any, ...]]]
"""SQL, and the rows for which it is carried out."""

_ZSTD_LEVEL = 3


def text_hash(text: str) -> bytes:
    """The key under which the vector of a text is kept."""
    return blake2b(text.encode(), digest_size=16).digest()


def memory_statement(step: int, memories: Iterable[tuple[str, Concept]]) -> Statement:
    """Memories as (resident, concept), new in this step."""
    rows = [(who, step, text_hash(one.text), *_memory_row(one)) for who, one in memories]
    return f"INSERT INTO memories (resident, step, embedding, {MEMORY}) VALUES (?,?,?, ?,?,?,?,?,?,?,?,?,?,?,?,?)", rows


def _memory_row(one: Concept) -> tuple[Any, ...]:
    lists = (encode(one.evidence).decode(), one.talk, encode(one.about).decode())
    return (one.id, one.type, one.text, *one.triple, one.address, one.poignancy, one.created.isoformat(), one.expires.isoformat(), *lists)


def concept_of(row: Sequence[Any]) -> Concept:
    """From the columns `MEMORY`."""
    one, kind, text, subject, predicate, object_, address, poignancy, created, expires, evidence, talk, about = row
    moments = datetime.fromisoformat(created), datetime.fromisoformat(expires)
    return Concept(one, kind, text, subject, predicate, object_, address, poignancy, *moments, tuple(orjson.loads(evidence)), talk, tuple(orjson.loads(about)))


def talk_statement(talks: Iterable[Talk]) -> Statement:
    rows = [
        (one.id, one.step, one.opener, one.partner, one.address, one.started.isoformat(), one.minutes, encode(one.lines), one.summary, one.ended_by)
        for one in talks
    ]
    return f"INSERT INTO conversations ({TALK}) VALUES (?,?,?,?,?,?,?,?,?,?)", rows


def talk_of(row: Sequence[Any]) -> Talk:
    """From the columns `TALK`."""
    one, step, opener, partner, address, started, minutes, lines, summary, ended_by = row
    said = decode(tuple[Line, ...], lines)
    return Talk(one, step, opener, partner, address, datetime.fromisoformat(started), minutes, said, summary, ended_by)


def effects_statement(step: int, effects: Iterable[Logged]) -> Statement:
    """All effects of one step, in one frame: a busy step has hundreds, and they are read together."""
    log = b",".join(encode((one.who, type(one.effect).__name__, one.cause, one.effect)) for one in effects)
    return "INSERT INTO effects VALUES (?,?)", [(step, _compressor().compress(b"[" + log + b"]"))]


def effects_of(log: bytes) -> list[Logged]:
    """From the column `log`."""
    rows = orjson.loads(zstandard.ZstdDecompressor().decompress(log))
    return [Logged(decode_effect(kind, orjson.dumps(effect)), who, cause) for who, kind, cause, effect in rows]


def call_statement(calls: Sequence[Call], *, prompts: bool) -> Statement:
    """The calls of one step; `prompts` says whether the text of the prompts is kept."""
    marks = ",".join("?" * 13)
    return f"INSERT INTO calls ({CALL}) VALUES ({marks})", [_call_row(one, at if prompts else None) for at, one in enumerate(calls)]


def prompts_statement(step: int, calls: Sequence[Call]) -> Statement:
    """The text of a step's prompts, in one frame, since they have much in common."""
    rows = [(step, _compressor().compress(encode([one.messages for one in calls])))] if calls else []
    return "INSERT INTO prompts VALUES (?,?)", rows


def _call_row(one: Call, prompt: int | None) -> tuple[Any, ...]:
    retrieved = encode([(got.memory, got.score, got.recency, got.importance, got.relevance) for got in one.retrieved])
    head = (one.step, one.who, one.kind, one.ordinal, one.model, one.outcome, one.reply.encode(), encode(one.attempts))
    return (*head, prompt, retrieved, one.prompt_tokens, one.reply_tokens, one.ms)


def prompts_of(database: sqlite3.Connection, step: int) -> tuple[tuple[Message, ...], ...]:
    """The messages of the step's calls, as `calls.prompt` numbers them."""
    found = database.execute("SELECT messages FROM prompts WHERE step = ?", (step,)).fetchone()
    if found is None:
        return ()
    prompts: tuple[tuple[Message, ...], ...] = decode(tuple[tuple[Message, ...], ...], zstandard.ZstdDecompressor().decompress(found[0]))
    return prompts


def call_of(row: Sequence[Any], prompts: Sequence[tuple[Message, ...]]) -> Call:
    """From the columns `CALL` and the step's prompts; without messages where those were not kept."""
    step, who, kind, ordinal, model, outcome, reply, attempts, prompt, retrieved, prompt_tokens, reply_tokens, ms = row
    return Call(
        step=step,
        who=who,
        kind=kind,
        ordinal=ordinal,
        model=model,
        outcome=outcome,
        reply=reply.decode(),
        attempts=decode(tuple[Attempt, ...], attempts),
        messages=() if prompt is None else prompts[prompt],
        retrieved=tuple(Retrieval(*got) for got in orjson.loads(retrieved)),
        prompt_tokens=prompt_tokens,
        reply_tokens=reply_tokens,
        ms=ms,
    )


@cache
def _compressor() -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
