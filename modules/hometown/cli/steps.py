"""The steps of a session: creates or continues a run, simulates it step by step, and prints a
summary.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from hometown.cli.interventions import describe
from hometown.cli.options import Options
from hometown.cli.progress import Display, Progress, display
from hometown.cli.session import begin, fork, resume
from hometown.cli.step_log import log_step
from hometown.cli.suggest import how_to_continue
from hometown.cli.summary import print_summary
from hometown.cli.text import Text
from hometown.config import Layer, combine
from hometown.doctor.estimate import READING, WRITING, expected, lived_load, measured_seconds
from hometown.game import Game
from hometown.garbage import rare_collections
from hometown.history.names import model_name
from hometown.model.budget import BudgetedModel, BudgetSpent, CallBudget
from hometown.model.embedding_languages import language_warning
from hometown.model.llama.server import measured_speed, writes_too_slowly
from hometown.model.retrying import say
from hometown.model.routing import usual_name
from hometown.model.size import freedom_in
from hometown.session import Session
from hometown.shards.start import game_of, refuse_unequipped
from hometown.storage.disk_space import Forecast, megabytes
from hometown.storage.live_speech import LiveSpeech
from hometown.storage.run import Run
from hometown.storage.world_copy import world_note
from hometown.text import localize

TICK = 1.0
"""Seconds between two looks at a step under way."""


async def live_steps(options: Options, layers: list[Layer], text: Text) -> int:
    """Simulates up to the planned end or to the limit of this session, then prints a summary."""
    refuse_unequipped(combine(layers).machine)
    session = await (resume if options.resume else fork if options.fork else begin)(
        options, layers, text
    )
    if session is not None:
        with session.run:
            try:
                await _steps(session, text, options)
            except BudgetSpent:
                print(how_to_continue(options, text, "limit_reached"), flush=True)
    with Run.open(options.results, options.name or "") as run:
        if session is None:
            print(text("finished", name=run.manifest.name, step=run.last.step))
        print_summary(run, text, options.worlds)
    return 0


async def _steps(session: Session, text: Text, options: Options) -> None:
    """Simulates up to the planned end, showing each step. Raises BudgetSpent where `--max-calls` or
    `--max-hours` end it before.
    """
    _greet(session, text, options.worlds)
    budget = CallBudget(options.max_calls or 0, (options.max_hours or 0) * 3600)
    model = BudgetedModel(session.model, budget)
    async with game_of(session, model, listens=True) as game:
        await _live(game, session.run, text, options)


async def _live(game: Game, run: Run, text: Text, options: Options) -> None:
    end, conversations, disk = run.planned_end, 0, Forecast(run)
    game.caller.listener = speaking = LiveSpeech(run.file.parent)
    shown = display(text, run.last.step, end, plain=options.verbose is not None)
    ticking = asyncio.create_task(_tick(shown, game))
    try:
        with rare_collections() as between_steps:
            while run.last.step < end:
                began = _now()
                report = await game.step()
                between_steps()
                speaking.clear()
                conversations += report.conversations
                log_step(game, report)
                shown.show(Progress(report.step, report.now, game.stats.total, conversations))
                if short := disk.shortage(report.step, end):
                    free, needed, each_step = map(megabytes, short)
                    say(
                        text("disk_filling", free=free, needed=needed, end=end, each_step=each_step)
                    )
                if options.pace and run.last.step < end:
                    await asyncio.sleep(max(0.0, options.pace - (_now() - began)))
    finally:
        ticking.cancel()
        speaking.clear()
        shown.close()


async def _tick(shown: Display, game: Game) -> None:
    """Shows how far the step under way is, until it is cancelled: in the first one, a model may
    plan everybody's day for minutes.
    """
    while True:
        await asyncio.sleep(TICK)
        shown.answered(game.stats.total)


def _now() -> float:
    """Seconds of the event loop's clock."""
    return asyncio.get_running_loop().time()


def _greet(session: Session, text: Text, worlds: Path) -> None:
    """Prints which model is used, and why, then what is about to be simulated."""
    run, manifest = session.run, session.run.manifest
    if session.embedding_reason:
        print(text("embedding", name=session.embedding_reason))
    print(text("model", name=manifest.llm_reason or model_name(manifest)))
    if warning := language_warning(manifest.embedding, manifest.lang):
        print(warning, file=sys.stderr)
    if note := world_note(run, worlds):
        print(localize(note, text.lang))
    step, end, now = run.last.step, run.planned_end, f"{run.last.time:%Y-%m-%d %H:%M}"
    if manifest.parent:
        print(text("forked", name=manifest.name, parent=manifest.parent))
    if session.machine.shards:
        print(text("shards", count=min(session.machine.shards, len(manifest.residents))))
    if step:
        print(text("resumes", name=manifest.name, step=step, now=now, end=end), flush=True)
    else:
        people = len(manifest.residents)
        print(
            text(
                "begins",
                name=manifest.name,
                world=session.world.name,
                residents=people,
                start=now,
                stride=manifest.stride,
                end=end,
            ),
            flush=True,
        )
    for intervention in session.interventions:
        print(describe(intervention, session.world, step, text), flush=True)
    if manifest.llm != "scripted":
        print(_expected(session, text), flush=True)


def _expected(session: Session, text: Text) -> str:
    """What the steps to come will ask of the model, and how long that takes, by the run's own
    figures where they are known.
    """
    run, manifest, stats = session.run, session.run.manifest, session.run.stats()
    town, step = (manifest.world, manifest.lang, len(manifest.residents)), run.last.step
    freedom = freedom_in(manifest.settings.llm.freedom, usual_name(manifest.llm))
    load = expected(*town, run.last.time, (run.planned_end - step) * manifest.stride, freedom)
    load = load.corrected(
        expected(*town, manifest.start, step * manifest.stride, freedom), lived_load(stats)
    )
    amounts = {"calls": f"{load.calls:,.0f}", "tokens": f"{load.tokens:,.0f}"}
    each = measured_seconds(stats)
    if each is not None:
        return text(
            "expected_measured",
            **amounts,
            hours=f"{load.calls * each / 3600:.1f}",
            rate=f"{60 / max(each, 1e-9):.0f}",
        )
    if speed := measured_speed(manifest.llm):
        reading, writing = (f"{rate:.0f}" for rate in speed)
        return text(
            "expected_here",
            **amounts,
            hours=f"{load.hours(*speed):.1f}",
            reading=reading,
            writing=writing,
        )
    if writes_too_slowly(manifest.llm):
        slowest = manifest.settings.llm.min_tokens_per_second
        return text(
            "expected_slow",
            **amounts,
            hours=f"{load.reply_tokens / slowest / 3600:.0f}",
            slowest=slowest,
        )
    return text(
        "expected", **amounts, hours=f"{load.hours():.1f}", reading=READING, writing=WRITING
    )
