"""Games of sessions, with minds in this process or on shards, as the machine's settings say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hometown.game import Game
from hometown.model.llm import LanguageModel
from hometown.optional_parts import explain_missing_parts
from hometown.session import Session
from hometown.settings import Machine


@asynccontextmanager
async def open_game(
    session: Session, model: LanguageModel | None = None, listens: bool = False
) -> AsyncIterator[Game]:
    """Yield the game of a session.

    Args:
        session: The session.
        model: The session's model or a wrapper of it; the session's model by default.
        listens: True if the lines of conversations are shown while they are spoken.

    Raises:
        BadInput: The minds can't be on shards as the settings want.
    """
    asked = model or session.model
    if not session.machine.shards or not session.world.personas:
        yield Game(session.run, session.world, asked, session.embedder, session.machine)
        return
    with explain_missing_parts():
        from hometown.shards.games import game_on_shards
    async with game_on_shards(session, asked, listens) as game:
        yield game


def refuse_shards(machine: Machine) -> None:
    """Raise BadInput where shards are wanted and what they need is missing, before anything is
    written.
    """
    if machine.shards:
        with explain_missing_parts():
            from hometown.shards.games import refuse_unequipped
        refuse_unequipped(machine)
