"""What a run shows of conversations of any number: who heard which line, and who overheard one."""

from __future__ import annotations

from collections.abc import Iterator

from hometown.memory.concept import OVERHEARD_PREDICATE
from hometown.storage.row_conversion import CONVERSATION, conversation_of
from hometown.storage.run import RunFile
from hometown.world.conversation import Conversation


def talks_of(run: RunFile) -> list[Conversation]:
    """All conversations, in order of their steps."""
    return [
        conversation_of(row)
        for row in run.database.execute(
            f"SELECT {CONVERSATION} FROM conversations ORDER BY step, id"
        )
    ]


def lines_heard(run: RunFile) -> Iterator[tuple[str, int, str]]:
    """(resident, step, text) of each line that somebody said, was there for or overheard."""
    for talk in talks_of(run):
        for who in talk.people:
            yield from ((who, talk.step, line.text) for line in talk.lines_for(who))
    yield from run.database.execute(
        "SELECT resident, step, text FROM memories WHERE predicate = ? ORDER BY step, id",
        (OVERHEARD_PREDICATE,),
    )
