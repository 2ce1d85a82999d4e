"""Log lines about a step: activities and conversations (info), calls and effects (debug), fallbacks
(warning).
"""

from __future__ import annotations

import logging

from hometown.game import Game, StepReport
from hometown.records import Call
from hometown.world.director_moves import DirectorAsked
from hometown.world.effects import Began, Logged, TalkBegan
from hometown.world.incidents import Intervened
from hometown.world.interventions import summarize
from hometown.world.pending import SummedUp

log = logging.getLogger(__name__)


def log_step(game: Game, report: StepReport) -> None:
    """Log the calls and effects of the step that was just saved, and a line with its figures."""
    for call in game.calls:
        _call(game, call)
    for logged in game.log:
        _effect(game, logged)
    milliseconds = sum(report.milliseconds.values())
    log.info(
        "step %d: %s, %d calls, %.0f ms, digest %s",
        report.step,
        f"{report.now:%Y-%m-%d %H:%M}",
        len(game.calls),
        milliseconds,
        report.digest,
    )


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
    elif isinstance(effect, DirectorAsked) and effect.move:
        move = effect.move
        log.info("%s by the director, %s: %s", move.kind, world.name_of(move.target), move.text)
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
