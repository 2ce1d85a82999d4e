"""Log lines about a step: activities and conversations (info), calls and effects (debug), fallbacks
(warning).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from hometown.game import Game, StepReport
from hometown.records import Call
from hometown.storage.row_conversion import decode_entries
from hometown.world.effects import Began, Logged, TalkBegan
from hometown.world.incidents import Intervened
from hometown.world.interventions import summarize
from hometown.world.pending import SummedUp

log = logging.getLogger(__name__)

HAS_LINE = (b'"TalkBegan"', b'"SummedUp"')
"""Effects of minds that have a line of their own."""


def log_step(game: Game, report: StepReport) -> None:
    """Log the step that was just saved; calls of other processes are only counted."""
    for call in game.calls:
        _call(game, call)
    for logged in _effects(game):
        _effect(game, logged)
    milliseconds = sum(report.milliseconds.values())
    elsewhere = game.minds.filed()
    calls = len(game.calls) + (sum(len(part.calls) for part in elsewhere.filed) if elsewhere else 0)
    log.info(
        "step %d: %s, %d calls, %.0f ms, digest %s",
        report.step,
        f"{report.now:%Y-%m-%d %H:%M}",
        calls,
        milliseconds,
        report.digest,
    )


def _effects(game: Game) -> Iterator[Logged]:
    """Yield the effects of the step; of those that shards have logged, only those with a line."""
    for logged in game.entries:
        if isinstance(logged, Logged):
            yield logged
        elif log.isEnabledFor(logging.DEBUG) or any(kind in logged for kind in HAS_LINE):
            yield from decode_entries(logged)


def _call(game: Game, call: Call) -> None:
    who = game.world.name_of(call.who)
    log.debug(
        "%s %s %s, %d + %d tokens, %.0f ms: %s",
        who,
        call.ref,
        call.outcome,
        call.prompt_tokens,
        call.reply_tokens,
        call.ms,
        call.reply,
    )
    if call.cut:
        log.warning(
            "%s %s: %d items were left out of the prompt, which did not fit into the context",
            who,
            call.ref,
            call.cut,
        )
    if call.outcome == "fallback":
        log.warning(
            "%s %s: no usable reply; the last error was: %s", who, call.ref, call.attempts[-1].error
        )


def _effect(game: Game, logged: Logged) -> None:
    world, effect = game.world, logged.effect
    log.debug("%s by %s", effect, logged.cause)
    if isinstance(effect, Began):
        log.info(
            "%s: %s (%s)",
            world.name_of(effect.who),
            effect.action.activity,
            world.place_name(effect.action.address),
        )
    elif isinstance(effect, Intervened):
        log.info(
            "intervention by the user: %s, %s: %s",
            effect.kind,
            world.name_of(effect.target),
            summarize(effect),
        )
    elif isinstance(effect, TalkBegan):
        conversation = effect.talk
        log.info(
            "%s (%s): %s",
            ", ".join(map(world.name_of, conversation.people)),
            world.place_name(conversation.address),
            conversation.summary or " / ".join(line.text for line in conversation.lines),
        )
    elif isinstance(effect, SummedUp):
        log.info("%s", effect.summary)
