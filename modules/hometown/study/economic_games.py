"""Economic games between residents: pairs and groups of players, and payoffs.

All decide by themselves, without knowing those of others. In the trust game, a receiver decides on
each amount that may arrive (the strategy method, Selten 1967). With an endowment e, a multiplier m,
and amounts x given, y returned and c contributed, the payoffs are

- dictator (Forsythe et al. 1994): e - x to the giver, x to the other;
- trust (Berg, Dickhaut and McCabe 1995): e - x + y to the sender, m x - y to the receiver;
- public goods (Isaac and Walker 1988): e - c + (m / n) times the sum of all c of the group of n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.rng import stream
from hometown.study.questionnaire_definition import GameRole, GameSpec

LEAST_PLAYERS = 2


@frozen
class GameMove:
    """A resident's decision in a role: the amount given, sent, returned or contributed, None for a
    refusal or no usable reply.

    `partner` is the other resident, by id, or the number of the group; `sent` the amount on whose
    arrival a receiver decides, 0 in other roles.
    """

    who: str
    role: GameRole
    partner: str
    sent: int
    amount: int | None


@frozen
class GameOutcome:
    """The result of a role in a game: the `amount` of the most that was possible (`stake`), and the
    `payoff`; None where a decision is missing on which it depends.
    """

    who: str
    role: GameRole
    partner: str
    stake: int
    amount: int | None
    payoff: float | None


def pair_players(cast: Sequence[str], seed: int, name: str) -> dict[str, str]:
    """Return for each player the one to whom they give or send: all are in one ring in an order
    drawn by the seed, so that each is once on either side.
    """
    ring = _shuffle(cast, seed, name)
    return dict(zip(ring, (*ring[1:], ring[0]), strict=True))


def group_players(cast: Sequence[str], seed: int, name: str, size: int) -> list[list[str]]:
    """Return groups of `size` players or more, as equal in size as possible, drawn by the seed."""
    drawn = _shuffle(cast, seed, name)
    count = len(drawn) // size
    return [drawn[at::count] for at in range(count)]


def check_players(game: GameSpec, name: str, count: int) -> None:
    """Raise BadInput if so many residents are too few for a game."""
    least = game.group if game.kind == "public_goods" else LEAST_PLAYERS
    if count < least:
        raise BadInput(
            "the game {name} needs {least} residents or more, and {count} would be asked; ask more",
            name=name,
            least=least,
            count=count,
        )


def _shuffle(cast: Sequence[str], seed: int, name: str) -> list[str]:
    """Return the players in an order drawn by the seed."""
    drawn = sorted(cast)
    stream(seed, "game", name).shuffle(drawn)
    return drawn


def find_outcomes(game: GameSpec, moves: Iterable[GameMove]) -> Iterator[GameOutcome]:
    """Yield the outcome of each role of a game, from the decisions of all residents."""
    known = list(moves)
    if game.kind == "dictator":
        yield from (_give(game, move) for move in known)
    elif game.kind == "trust":
        yield from _trust(game, known)
    else:
        yield from _contribute(game, known)


def _give(game: GameSpec, move: GameMove) -> GameOutcome:
    """Return the outcome of a giver; the other's payoff is the amount."""
    kept = None if move.amount is None else float(game.endowment - move.amount)
    return GameOutcome(move.who, move.role, move.partner, game.endowment, move.amount, kept)


def _trust(game: GameSpec, moves: Sequence[GameMove]) -> Iterator[GameOutcome]:
    """Yield the outcomes of each sender and of the one to whom they sent."""
    returns = {(move.who, move.sent): move.amount for move in moves if move.role == "receiver"}
    for move in moves:
        if move.role != "sender":
            continue
        sent, who, other = move.amount, move.who, move.partner
        if sent is None:
            yield GameOutcome(who, "sender", other, game.endowment, None, None)
            continue
        arrived = game.multiplier * sent
        returned = returns.get((other, sent)) if sent else 0
        kept = None if returned is None else float(game.endowment - sent + returned)
        left = None if returned is None else float(arrived - returned)
        yield GameOutcome(who, "sender", other, game.endowment, sent, kept)
        yield GameOutcome(other, "receiver", who, arrived, returned, left)


def _contribute(game: GameSpec, moves: Sequence[GameMove]) -> Iterator[GameOutcome]:
    """Yield the outcomes of each member of each group."""
    groups: dict[str, list[GameMove]] = {}
    for move in moves:
        groups.setdefault(move.partner, []).append(move)
    for members in groups.values():
        given = [move.amount for move in members]
        pot = None if None in given else sum(amount or 0 for amount in given)
        for move in members:
            payoff = None
            if pot is not None and move.amount is not None:
                payoff = game.endowment - move.amount + game.multiplier * pot / len(members)
            yield GameOutcome(
                move.who, move.role, move.partner, game.endowment, move.amount, payoff
            )
