"""The conversations of a run: those in a range of steps, and how often each pair talked."""

from __future__ import annotations

from hometown.clock import TICKS_PER_MINUTE
from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.world.conversation import Conversation


def conversations(run: RunReader, first: int, last: int) -> shapes.Conversations:
    """The conversations that are held at some time in steps `first` to `last`, in order of time."""
    return {"from": first, "to": last, "items": held(run, first, last)}


def held(run: RunReader, first: int, last: int) -> list[shapes.Conversation]:
    """The conversations of `conversations`, as a list."""
    longest = -(-run.manifest.settings.chat.max_minutes // run.manifest.stride)
    begin = run.tick(run.moment(first - 1))
    listed = [conversation_shape(run, conversation) for conversation in run.conversations(max(1, first - longest), last)]
    return [conversation for conversation in listed if conversation["tick"] + conversation["ticks"] > begin]


def opening(run: RunReader) -> shapes.Opening | None:
    """The first conversation of a run, with which the page opens; None where nobody has talked yet."""
    row = run.database.execute("SELECT min(step) FROM conversations WHERE step <= ?", (run.last_step(),)).fetchone()
    first = next(iter(run.conversations(row[0], row[0])), None) if row[0] is not None else None
    return {"id": first.id, "opener": first.opener, "tick": run.tick(first.started)} if first else None


def conversation_shape(run: RunReader, conversation: Conversation) -> shapes.Conversation:
    """A conversation as the API gives it."""
    return {
        "id": conversation.id,
        "step": conversation.step,
        "opener": conversation.opener,
        "partner": conversation.partner,
        "address": conversation.address,
        "tick": run.tick(conversation.started),
        "ticks": max(1, conversation.minutes * TICKS_PER_MINUTE),
        "minutes": conversation.minutes,
        "lines": [{"speaker": line.speaker, "text": line.text, "call": line.call} for line in conversation.lines],
        "summary": conversation.summary,
    }


def threads(run: RunReader) -> list[shapes.Thread]:
    """Each pair that talked: how often, and when last; the most frequent first."""
    rows = run.database.execute(
        "SELECT min(opener, partner), max(opener, partner), count(*), max(step) FROM conversations WHERE step <= ? GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC",
        (run.last_step(),),
    )
    return [{"people": [first, second], "conversations": count, "tick": run.tick(run.moment(max(step - 1, 0)))} for first, second, count, step in rows]
