"""Summarise conversations in a town with a society, including the goods that changed hands."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hometown.language import Lang
from hometown.prompt.dialogue import ConversationSummaryVars
from hometown.prompt.outcome import ConversationOutcomeReply
from hometown.prompt.trade import GIFTS, Dealings, Given
from hometown.scripted.goods import identify_ware
from hometown.scripted.phrases import Move, bank
from hometown.scripted.recap import answer_talk_summary

SERVICE = 2
"""Tone of a conversation in which the resident received something they had asked for."""

Spoken = tuple[str, Move]


def answer_talk_outcome(
    v: ConversationSummaryVars, rng: random.Random, lang: Lang
) -> ConversationOutcomeReply:
    """Return the summary of a conversation, with the goods that the resident gave or sold, or paid
    for. The tone of those who gave the resident something they had begged for is raised.
    """
    summary = answer_talk_summary(v, rng, lang)
    moves = [(line.speaker, move) for line in v.lines for move in bank(lang).recognise(line.text)]
    closer = summary.closer
    if any(move.act == "give" and speaker != v.situation.me.id for speaker, move in moves) and _has(
        moves, "beg", v.situation.me.id
    ):
        closer = [max(SERVICE, tone) if tone > 0 else tone for tone in closer]
    given = list(_list_transfers(v, moves))[:GIFTS] if v.dealings and not v.situation.plain else []
    return ConversationOutcomeReply.model_validate(
        {**summary.model_dump(), "closer": closer, "given": given}
    )


def _list_transfers(v: ConversationSummaryVars, moves: list[Spoken]) -> Iterator[Given]:
    """Yield what the resident gives on request, their accepted gifts and sales, and the price of
    accepted purchases.
    """
    me, dealings = v.situation.me.id, v.dealings or Dealings()
    for at, (speaker, move) in enumerate(moves):
        if move.act == "give" and speaker == me:
            yield from _transfer_ware(dealings, move, 0)
        elif move.act in ("offer_gift", "offer_sale"):
            price = int(move.slots.get("coins", "0"))
            accepted = _has(
                [(who, each) for who, each in moves[at + 1 :] if who != speaker],
                "accept_sale" if price else "accept_gift",
            )
            if accepted and speaker == me:
                yield from _transfer_ware(dealings, move, price)
            elif accepted and price:
                yield Given(what=0, count=price)


def _transfer_ware(dealings: Dealings, move: Move, price: int) -> Iterator[Given]:
    """Yield the transfer of the goods that a move names, at a price; nothing if they are not at
    hand.
    """
    number, count = identify_ware(dealings, move.slots["goods"])
    if number:
        yield Given(what=number, count=count, price=price)


def _has(moves: list[Spoken], act: str, by: str = "") -> bool:
    """Return True if one of the moves is of an act, and by a speaker; "" for any speaker."""
    return any(move.act == act and by in ("", speaker) for speaker, move in moves)
