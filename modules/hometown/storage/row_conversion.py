"""Converts rows of the tables to objects and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

import orjson
import zstandard

from hometown.memory.concept import Concept
from hometown.read_budget import ReadBudget
from hometown.records import Attempt, Call, Message, Retrieval
from hometown.storage.codec import decode, decode_effect, encode
from hometown.world.conversation import Company, Conversation, Line, Presence
from hometown.world.effects import Effect, Logged

MEMORY = "id, type, text, subject, predicate, object, address, poignancy, created, expires, evidence, talk, about"
"""Columns that `concept_of` reads."""

MEMORY_ROW = f"resident, {MEMORY.replace('id, ', 'id, step, ', 1)}, embedding"
"""All columns of a memory, in the order of the table."""

CONVERSATION = (
    "id, step, opener, partner, address, started, minutes, lines, summary, ended_by, company"
)
"""Columns that `conversation_of` reads, as the conversation's step wrote them."""

SUMMARY = """coalesce(nullif(summary, ''), (
    SELECT text FROM memories WHERE memories.step = conversations.step + 1 AND talk = conversations.id AND type = 'chat' AND resident = CASE
        WHEN company IS NULL OR json_extract(company, '$[0].left') = json_array_length(lines) THEN opener ELSE partner END
), '')"""
"""A conversation's summary: the memory of its recounter (`Conversation.recounter`) from the step
after it; "" before that.
"""

CONVERSATION_SUMMED = CONVERSATION.replace("summary", f"{SUMMARY} AS summary")
"""The columns of `CONVERSATION`, with the summary that was made in the step after (`SUMMARY`)."""

CALL = "step, resident, kind, ordinal, model, outcome, reply, attempts, retrieved, prompt, prompt_tokens, reply_tokens, ms"
"""All columns of a model call, in the order of the table."""

PROMPT = CALL.split(", ").index("prompt")
"""Index of the column with the number of the prompt."""

Statement = tuple[str, list[tuple[Any, ...]]]
"""SQL, and the rows for which it is executed."""

_ZSTD_LEVEL = 3


def text_hash(text: str) -> bytes:
    """Return the key of a text's vector: BLAKE2b-128."""
    return blake2b(text.encode(), digest_size=16).digest()


def memory_statement(step: int, memories: Iterable[tuple[str, Concept]]) -> Statement:
    """Return the statement for memories, given as (resident, concept), new in this step."""
    rows = [memory_row(step, who, memory) for who, memory in memories]
    return f"INSERT INTO memories ({MEMORY_ROW}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows


def memory_row(step: int, who: str, memory: Concept) -> tuple[Any, ...]:
    """Return a memory as a row of the table."""
    return (
        who,
        memory.id,
        step,
        memory.type,
        memory.text,
        *memory.triple,
        memory.address,
        memory.poignancy,
        memory.created.isoformat(),
        memory.expires.isoformat(),
        encode(memory.evidence).decode(),
        memory.talk,
        encode(memory.about).decode(),
        text_hash(memory.text),
    )


def concept_of(row: Sequence[Any]) -> Concept:
    """Return the memory in the columns `MEMORY`, which are those of a `Concept`."""
    *plain, created, expires, evidence, talk, about = row
    moments = datetime.fromisoformat(created), datetime.fromisoformat(expires)
    lists = tuple(orjson.loads(evidence)), talk, tuple(orjson.loads(about))
    return Concept(*(*plain, *moments, *lists))


def conversation_statement(conversations: Iterable[Conversation]) -> Statement:
    """Return the statement for the conversations of a step."""
    marks = ",".join("?" * 11)
    return f"INSERT INTO conversations ({CONVERSATION}) VALUES ({marks})", [
        _conversation_row(held) for held in conversations
    ]


def _conversation_row(held: Conversation) -> tuple[Any, ...]:
    head = (
        held.id,
        held.step,
        held.opener,
        held.partner,
        held.address,
        held.started.isoformat(),
        held.minutes,
    )
    return (
        *head,
        encode(held.lines),
        held.summary,
        held.ended_by,
        encode(held.company).decode() if isinstance(held, Company) else None,
    )


def conversation_of(row: Sequence[Any]) -> Conversation:
    """Return the conversation in a row of the columns `CONVERSATION`."""
    number, step, opener, partner, address, started, minutes, lines, summary, ended_by, company = (
        row
    )
    dialogue = decode(tuple[Line, ...], lines)
    held = (
        number,
        step,
        opener,
        partner,
        address,
        datetime.fromisoformat(started),
        minutes,
        dialogue,
        summary,
        ended_by,
    )
    return (
        Company(*held, company=decode(tuple[Presence, ...], company))
        if company
        else Conversation(*held)
    )


def people_of(opener: str, partner: str, company: str | None) -> tuple[str, ...]:
    """Return the participants of a conversation, from these columns."""
    return tuple(one["who"] for one in orjson.loads(company)) if company else (opener, partner)


def effects_statement(step: int, effects: Sequence[Logged]) -> Statement:
    """Return the statement for all effects of a step, compressed in one frame: a busy step has
    hundreds, and they are read together.
    """
    log = encode([_entry(each) for each in effects], [each.effect for each in effects])
    return "INSERT INTO effects VALUES (?,?)", [(step, _compress(log))]


def _entry(logged: Logged) -> tuple[str, str, str, Effect]:
    """Return an effect as an entry of the log: resident, kind, cause, effect."""
    return logged.who, type(logged.effect).__name__, logged.cause, logged.effect


def decode_effects(log: bytes, budget: ReadBudget) -> list[Logged]:
    """Return the effects in the column `log`. Raises OverBudget if it is too large."""
    rows = orjson.loads(unpack_frames(log, budget))
    return [
        Logged(decode_effect(kind, orjson.dumps(effect)), who, cause)
        for who, kind, cause, effect in rows
    ]


def call_statement(calls: Sequence[Call], *, prompts: bool) -> Statement:
    """Return the statement for the calls of a step; `prompts` says whether the text of the prompts
    is kept.
    """
    return f"INSERT INTO calls VALUES ({','.join('?' * 13)})", [
        call_row(call, at if prompts else None) for at, call in enumerate(calls)
    ]


def prompts_statement(step: int, calls: Sequence[Call]) -> Statement:
    """Return the statement for the prompts of a step, compressed in one frame, since they have much
    in common.
    """
    if not calls:
        return "INSERT INTO prompts VALUES (?,?)", []
    frame = _compress(encode([call.messages for call in calls]))
    return "INSERT INTO prompts VALUES (?,?)", [(step, frame)]


def unpack_frames(frames: bytes, budget: ReadBudget) -> bytes:
    """Return the JSON of a list from frames that each hold a part of it. Raises OverBudget if it is
    too large.
    """
    parts = budget.unpack_json(frames)
    return parts[0] if len(parts) == 1 else b"[" + b",".join(part[1:-1] for part in parts) + b"]"


def call_row(call: Call, prompt: int | None) -> tuple[Any, ...]:
    """Return a call as a row of the table; `prompt` is the number of its prompt, or None."""
    retrieved = encode(
        [
            (each.memory, each.score, each.recency, each.importance, each.relevance)
            for each in call.retrieved
        ]
    )
    head = (
        call.step,
        call.who,
        call.kind,
        call.ordinal,
        call.model,
        call.outcome,
        call.reply.encode(),
        encode(call.attempts),
    )
    return (*head, retrieved, prompt, call.prompt_tokens, call.reply_tokens, float(call.ms))


def with_prompt(row: Sequence[Any], prompt: int | None) -> tuple[Any, ...]:
    """Return the row of a call with `prompt` as the number of its prompt, None if there is none."""
    return (*row[:PROMPT], prompt, *row[PROMPT + 1 :])


def prompts_of(
    database: sqlite3.Connection, step: int, budget: ReadBudget
) -> tuple[tuple[Message, ...], ...]:
    """Return the messages of a step's calls, in the order of `calls.prompt`; () if they were not
    kept. Raises OverBudget if they are too large.
    """
    row = database.execute("SELECT messages FROM prompts WHERE step = ?", (step,)).fetchone()
    if row is None:
        return ()
    prompts: tuple[tuple[Message, ...], ...] = decode(
        tuple[tuple[Message, ...], ...], unpack_frames(row[0], budget)
    )
    return prompts


def call_of(row: Sequence[Any], prompts: Sequence[tuple[Message, ...]]) -> Call:
    """Return the call in the columns `CALL`, with its messages from the step's prompts if those
    were kept.
    """
    (
        step,
        who,
        kind,
        ordinal,
        model,
        outcome,
        reply,
        attempts,
        retrieved,
        prompt,
        prompt_tokens,
        reply_tokens,
        ms,
    ) = row
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
        retrieved=tuple(Retrieval(*terms) for terms in orjson.loads(retrieved)),
        prompt_tokens=prompt_tokens,
        reply_tokens=reply_tokens,
        ms=ms,
    )


def _compress(data: bytes) -> bytes:
    """Return bytes as one frame. Each has a compressor of its own: towns may live in several threads,
    and a compressor may be used in only one at a time.
    """
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(data)
