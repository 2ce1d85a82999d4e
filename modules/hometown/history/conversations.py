"""The conversations of a run: those in a range of steps, and the number of conversations of each
pair.
"""

from __future__ import annotations

from itertools import combinations

from hometown.clock import TICKS_PER_MINUTE
from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.storage.row_conversion import people_of
from hometown.world.conversation import Conversation


def conversations(run: RunReader, first: int, last: int) -> shapes.Conversations:
    """Return the conversations in progress at any time in steps `first` to `last`, sorted by
    time.
    """
    return {"from": first, "to": last, "items": list_conversations(run, first, last)}


def list_conversations(run: RunReader, first: int, last: int) -> list[shapes.ConversationView]:
    """List the conversations in progress at any time in steps `first` to `last`, sorted by time."""
    longest = -(-run.manifest.settings.chat.max_minutes // run.manifest.stride)
    begin = run.first_tick(first)
    listed = [
        conversation_shape(run, conversation)
        for conversation in run.conversations(max(1, first - longest), last)
    ]
    return [
        conversation
        for conversation in listed
        if conversation["tick"] + conversation["ticks"] > begin
    ]


def opening(run: RunReader) -> shapes.Opening | None:
    """Return the first conversation of a run, with which the page opens; None before there is
    one.
    """
    (step,) = run.database.execute(
        "SELECT min(step) FROM conversations WHERE step <= ?", (run.last_step(),)
    ).fetchone()
    if step is None:
        return None
    first, *_ = run.conversations(step, step)
    return {"id": first.id, "opener": first.opener, "tick": run.tick(first.started)}


def conversation_shape(run: RunReader, conversation: Conversation) -> shapes.ConversationView:
    """Return a conversation in the API's format: times in ticks, at least one long, and a turn for
    each participant who came or left between two lines.
    """
    return {
        "id": conversation.id,
        "step": conversation.step,
        "people": list(conversation.people),
        "address": conversation.address,
        "tick": run.tick(conversation.started),
        "ticks": max(1, conversation.minutes * TICKS_PER_MINUTE),
        "minutes": conversation.minutes,
        "turns": [
            {"line": at, "who": one.who, "comes": comes}
            for one in conversation.presences
            for at, comes in ((one.came, True), (one.left, False))
            if 0 < at < len(conversation.lines)
        ],
        "lines": [
            {"speaker": line.speaker, "text": line.text, "call": line.call}
            for line in conversation.lines
        ],
        "summary": conversation.summary,
    }


def threads(run: RunReader) -> list[shapes.ThreadView]:
    """Return the pairs of residents who talked, each with the number of their conversations, in
    groups too, and the tick of the latest; the most frequent first.
    """
    held: dict[tuple[str, ...], list[int]] = {}
    for opener, partner, company, step in run.database.execute(
        "SELECT opener, partner, company, step FROM conversations WHERE step <= ?",
        (run.last_step(),),
    ):
        for pair in combinations(sorted(people_of(opener, partner, company)), 2):
            held.setdefault(pair, []).append(step)
    ranked = sorted(held.items(), key=lambda pair: (-len(pair[1]), -max(pair[1]), pair[0]))
    return [
        {
            "people": list(pair),
            "conversations": len(steps),
            "tick": run.first_tick(max(steps)),
        }
        for pair, steps in ranked
    ]
