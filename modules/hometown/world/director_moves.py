"""The director's moves: what it has planted in a town, as a row of the state and an effect of its
own.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

MoveKind = Literal["occasion", "letter", "stranger"]
"""The kinds of moves: something that happens in a place, a letter that lies at a resident's home,
and a stranger who enters by the road for a place.
"""


@frozen
class DirectorMove:
    """One move of the director.

    Attributes:
        kind: The kind of the move.
        target: The arena, or the resident to whom a letter is addressed.
        text: What happens there, or the words of the letter.
        why: The director's reason.
        when: The time of the move.
        who: The stranger's id; "" without one.
        until: The time at which the stranger leaves; None if they stay, and without one.
    """

    kind: MoveKind
    target: str
    text: str
    why: str
    when: datetime
    who: str = ""
    until: datetime | None = None


@frozen
class DirectorMoves:
    """`director/town`: the time at which the director was last asked, and all its moves, the oldest
    first.
    """

    asked: datetime
    items: tuple[DirectorMove, ...] = ()


@frozen
class DirectorAsked:
    """The director was asked for a move, and made one or none. What it plants is an effect of its
    own: a happening that begins, a note that is left, or a stranger who enters.
    """

    when: datetime
    move: DirectorMove | None = None
