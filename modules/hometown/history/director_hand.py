"""The director's hand: what it has planted in a run, by which everything that follows is marked."""

from __future__ import annotations

from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.text import N_
from hometown.world import keys
from hometown.world.director_moves import DirectorMove, MoveKind

MOVE_NAMES: dict[MoveKind, str] = {
    "occasion": N_("an occasion"),
    "letter": N_("a letter"),
    "stranger": N_("a stranger"),
}
"""Names of the kinds of moves for the user."""


def list_director_moves(run: RunReader) -> tuple[DirectorMove, ...]:
    """Return all moves of the director in a run, the earliest first."""
    row = run.row(keys.DIRECTOR.key, run.last_step())
    return row.items if row else ()


def step_of_move(run: RunReader, move: DirectorMove) -> int:
    """Return the step in which a move was made."""
    return run.tick(move.when) // run.ticks + 1


def find_planted(run: RunReader) -> frozenset[tuple[str, str, int]]:
    """Return the happenings that the director has planted, as (address, text, step)."""
    return frozenset(
        (move.target, move.text, step_of_move(run, move)) for move in list_director_moves(run)
    )


def show_director_moves(run: RunReader) -> list[shapes.DirectorMoveView]:
    """Return the director's moves in the page's format."""
    return [
        {
            "tick": run.tick(move.when),
            "kind": move.kind,
            "address": "" if move.kind == "letter" else move.target,
            "who": move.target if move.kind == "letter" else move.who,
            "text": move.text,
            "why": move.why,
        }
        for move in list_director_moves(run)
    ]
