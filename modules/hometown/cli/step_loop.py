"""The steps of a session: creates or continues a run, simulates it step by step, and prints a
summary.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hometown.cli.intervention_requests import describe
from hometown.cli.options import SessionOptions
from hometown.cli.progress_display import Display, Progress, make_display
from hometown.cli.run_opening import open_fork, open_new, open_resumed
from hometown.cli.simulation import Simulation
from hometown.cli.step_log import log_step
from hometown.cli.suggest import how_to_continue
from hometown.cli.summary import count_conversations, print_summary
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.doctor.estimate import (
    READING,
    WRITING,
    Load,
    estimate_load,
    load_so_far,
    seconds_per_call,
)
from hometown.errors import ModelUnavailable, ModelUnusable, ServerMisconfigured
from hometown.game import Game
from hometown.game_opening import open_game, refuse_shards
from hometown.garbage import tune_collector
from hometown.history.call_counts import find_unusable_reply
from hometown.history.names import Names, model_name
from hometown.hosting import LISTENING_SECONDS
from hometown.model.call_budget import BudgetedModel, BudgetSpent, CallBudget
from hometown.model.embedding_languages import language_warning
from hometown.model.llama.llama_server import measured_speed, writes_too_slowly
from hometown.model.retrying import notify_user
from hometown.model.routing import usual_name
from hometown.model.size import freedom_in
from hometown.model.stats import Counts, sum_counts
from hometown.own_commands import doctor_command
from hometown.prompt.plans import SCHEDULE_DAILY
from hometown.session import Session
from hometown.storage.disk_space import SpaceForecast, megabytes
from hometown.storage.latecomers import latecomers
from hometown.storage.live_speech import LiveSpeech
from hometown.storage.manage import delete_run
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_note
from hometown.text import N_, excerpt, localize, ngettext
from hometown.town import open_editor
from hometown.web.process_logs import log_of
from hometown.world.moving_in import add_latecomers

if TYPE_CHECKING:
    from hometown.study.laws.world_editor import WorldEditor

TICK = 1.0
"""Seconds between two updates of the calls during a step."""

LIMIT_REACHED = N_(
    "Stopped at the limit of --max-calls or --max-hours; every complete step is saved. To continue:\n"
    "  {command}"
)


async def live_steps(simulation: Simulation, layers: list[Layer], text: Text) -> int:
    """Simulate up to the planned end or to the limit of this session, then print a summary. Return
    the exit code: that of ModelUnavailable if no reply of the session could be used.
    """
    refuse_shards(combine(layers).machine)
    open_session = (
        open_resumed if simulation.is_resumed else open_fork if simulation.parent else open_new
    )
    session = await open_session(simulation, layers, text)
    begun = session.run.last.step if session else 0
    if session is not None:
        try:
            with session.run:
                try:
                    await _steps(session, text, simulation)
                except BudgetSpent:
                    print(how_to_continue(simulation, text, LIMIT_REACHED), flush=True)
        except (ModelUnusable, ServerMisconfigured):
            _delete_unlived(simulation)
            raise
    with RunFile.open(simulation.folders.results, simulation.name) as run:
        if session is None:
            print(
                text(
                    "{name} has reached its end, step {step}.",
                    name=run.manifest.name,
                    step=run.last.step,
                )
            )
        names = (
            Names(add_latecomers(session.world, latecomers(run.database)))
            if session
            else Names.of(run, simulation.folders.worlds)
        )
        print_summary(run, text, names)
        lived = sum_counts(run.stats()[begun + 1 :]) if session else Counts()
        return _judge_replies(run, lived, text)


def _judge_replies(run: RunFile, lived: Counts, text: Text) -> int:
    """Return the exit code of a session: 0, or that of ModelUnavailable, with a message, if none of
    its replies could be used.
    """
    if not lived.fallback or lived.fallback < lived.calls:
        return 0
    print(
        text(
            "None of the {calls} replies of {model} could be used: the residents followed "
            "rules. One of them: {reply}\n"
            "To find out why: {command}",
            calls=lived.calls,
            model=run.manifest.llm,
            reply=excerpt(find_unusable_reply(run.database)) or "–",
            command=doctor_command(usual_name(run.manifest.llm)),
        ),
        file=sys.stderr,
    )
    return ModelUnavailable.exit_code


def _delete_unlived(simulation: Simulation) -> None:
    """Delete the run that this session has created if it has no step, so that its name is free for
    another model. The page keeps the runs that it has started, since it shows why they ended.
    """
    folders, name = simulation.folders, simulation.name
    if simulation.is_resumed or log_of(folders.results, name).exists():
        return
    with RunFile.open(folders.results, name) as run:
        if run.last.step:
            return
    delete_run(folders.results, name)


async def _steps(session: Session, text: Text, simulation: Simulation) -> None:
    """Simulate up to the planned end, showing each step. Raises BudgetSpent where `--max-calls` or
    `--max-hours` end it before.
    """
    _greet(session, text, simulation.folders.worlds)
    limits = simulation.session
    budget = CallBudget(limits.max_calls or 0, (limits.max_hours or 0) * 3600)
    model = BudgetedModel(session.model, budget)
    async with open_game(session, model, listens=True) as game:
        await _live(game, session.run, text, limits, open_editor(session, model))


async def _live(
    game: Game, run: RunFile, text: Text, options: SessionOptions, editor: WorldEditor | None
) -> None:
    end, disk, before = run.planned_end, SpaceForecast(run), sum_counts(run.stats())
    conversations, _ = count_conversations(run)
    game.caller.listener = speaking = LiveSpeech(run.file.parent)
    shown = make_display(text, run.last.step, end, plain=options.verbose is not None)
    ticking = asyncio.create_task(_tick(shown, game, before))
    try:
        with tune_collector() as between_steps:
            while run.last.step < end:
                began = _now()
                report = await game.step()
                if editor:
                    await editor.edit(report.now)
                between_steps()
                speaking.clear()
                conversations += report.conversations
                log_step(game, report)
                counts = _count_calls(game, before)
                shown.show(Progress(report.step, report.now, counts, conversations))
                if short := disk.shortage(report.step, end):
                    free, needed, each_step = map(megabytes, short)
                    notify_user(
                        text(
                            "The disk may fill up: {free} free, about {needed} needed up to step {end} "
                            "({each_step} per step).",
                            free=free,
                            needed=needed,
                            end=end,
                            each_step=each_step,
                        )
                    )
                if options.pace and run.last.step < end:
                    await _pause(run, began + options.pace)
    finally:
        ticking.cancel()
        speaking.clear()
        shown.close()


async def _pause(run: RunFile, until: float) -> None:
    """Wait until a time of the event loop's clock, or until a visitor or another user asks for
    something.
    """
    following, answered = run.last.step + 1, run.answered(run.last.step)
    while (left := until - _now()) > 0:
        if run.inbox.due(following, answered):
            return
        await asyncio.sleep(min(left, LISTENING_SECONDS))


async def _tick(shown: Display, game: Game, before: Counts) -> None:
    """Show the calls of the run so far, every `TICK` seconds until cancelled: a step may take
    minutes, such as the first, in which all residents plan their days.
    """
    while True:
        await asyncio.sleep(TICK)
        shown.show_calls(_count_calls(game, before))


def _count_calls(game: Game, before: Counts) -> Counts:
    """Return the calls of a run: those `before` this session, and those of the session."""
    total = game.stats.total
    total.add(before)
    return total


def _now() -> float:
    """Return the seconds of the event loop's clock."""
    return asyncio.get_running_loop().time()


def _greet(session: Session, text: Text, worlds: Path) -> None:
    """Print the model and the reason for it, then the steps to simulate."""
    run, manifest = session.run, session.run.manifest
    if session.embedding_reason:
        print(text("embedding: {name}", name=session.embedding_reason))
    print(text("model: {name}", name=manifest.llm_reason or model_name(manifest)))
    if warning := language_warning(manifest.embedding, manifest.lang):
        print(warning, file=sys.stderr)
    if note := world_note(run, worlds):
        print(localize(note, text.lang))
    if manifest.parent:
        print(text("{name}: a fork of {parent}", name=manifest.name, parent=manifest.parent))
    if session.machine.shards:
        print(
            text(
                ngettext(
                    "Minds on {count} shard: nothing is asked ahead, the town stays the same.",
                    "Minds on {count} shards: nothing is asked ahead, the town stays the same.",
                    min(session.machine.shards, len(manifest.residents)),
                )
            )
        )
    print(_period(session, text), flush=True)
    for intervention in session.interventions:
        print(describe(intervention, session.world, run.last.step, text), flush=True)
    if manifest.llm != "scripted":
        print(_estimate(session, text), flush=True)


def _period(session: Session, text: Text) -> str:
    """Return a line about the steps to simulate: their first and last, and for a new run its world,
    residents, start and stride.
    """
    manifest, step, end = session.run.manifest, session.run.last.step, session.run.planned_end
    now = f"{session.run.last.time:%Y-%m-%d %H:%M}"
    if step:
        return text(
            "{name}: continues after step {step}, {now}, up to step {end}",
            name=manifest.name,
            step=step,
            now=now,
            end=end,
        )
    people = len(manifest.residents)
    return text(
        "{name}: {world}, {residents}, from {start}, {stride} per step, up to step {end}",
        name=manifest.name,
        world=session.world.name,
        residents=ngettext("{count} resident", "{count} residents", people),
        start=now,
        stride=ngettext("{count} minute", "{count} minutes", manifest.stride),
        end=end,
    )


def _load_ahead(session: Session) -> Load:
    """Return an estimate of the calls and tokens of the steps to come, by the run's own figures
    where they are known.
    """
    run, manifest, stats = session.run, session.run.manifest, session.run.stats()
    town, step = (manifest.world, manifest.lang, len(manifest.residents)), run.last.step
    freedom = freedom_in(manifest.settings.llm, usual_name(manifest.llm), SCHEDULE_DAILY.kind)
    load = estimate_load(*town, run.last.time, (run.planned_end - step) * manifest.stride, freedom)
    return load.scale(
        estimate_load(*town, manifest.start, step * manifest.stride, freedom), load_so_far(stats)
    )


def _amounts(load: Load) -> dict[str, str]:
    """Return the calls and tokens of a load as texts, rounded to integers."""
    return {
        "calls": ngettext(
            "{count} call", "{count} calls", round(load.calls), count=f"{load.calls:,.0f}"
        ),
        "tokens": ngettext(
            "{count} token", "{count} tokens", round(load.tokens), count=f"{load.tokens:,.0f}"
        ),
    }


def _estimate(session: Session, text: Text) -> str:
    """Return a line about the calls, tokens and hours of the steps to come: at the speed of the run
    so far, else at the measured one (a bound if that was too slow to measure), else at a usual one.
    """
    manifest, load = session.run.manifest, _load_ahead(session)
    amounts = _amounts(load)
    each = seconds_per_call(session.run.stats())
    if each is not None:
        return text(
            "estimate: about {calls} and {tokens}, {hours} hours at this run's {rate} per minute so "
            "far",
            **amounts,
            hours=f"{load.calls * each / 3600:.1f}",
            rate=ngettext("{count} call", "{count} calls", round(60 / max(each, 1e-9))),
        )
    if speed := measured_speed(manifest.llm):
        reading, writing = (f"{rate:.0f}" for rate in speed)
        return text(
            "estimate: about {calls} and {tokens}, at most {hours} hours at the {reading} tokens per "
            "second read and {writing} written that were measured just now",
            **amounts,
            hours=f"{load.hours(*speed):.1f}",
            reading=reading,
            writing=writing,
        )
    if writes_too_slowly(manifest.llm):
        slowest = manifest.settings.llm.min_tokens_per_second
        return text(
            "estimate: about {calls} and {tokens}, more than {hours} hours, since fewer than "
            "{slowest:g} tokens per second were written just now; on a machine that is busy with "
            "other work, fewer threads are faster (machine.llama_threads)",
            **amounts,
            hours=f"{load.reply_tokens / slowest / 3600:.0f}",
            slowest=slowest,
        )
    return text(
        "estimate: about {calls} and {tokens}, {hours} hours at {reading:g} tokens per second read "
        "and {writing:g} written (the doctor measures yours)",
        **amounts,
        hours=f"{load.hours():.1f}",
        reading=READING,
        writing=WRITING,
    )
