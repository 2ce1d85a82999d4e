"""`start.py`: founds a run or goes on with one, lives it step by step, and says how it went.

Heavy things are imported late: `--help` and a mistyped option answer at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from modules.cli.command import INTERRUPTED, guarded
from modules.cli.options import Options, only_asks, parse
from modules.cli.suggest import start_line
from modules.cli.text import Text, spoken_language
from modules.errors import BadInput, DiskTrouble, ModelUnavailable, reason_of
from modules.paths import CONFIG

if TYPE_CHECKING:
    from modules.cli.session import Session
    from modules.config import Layer

BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
LOG_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def main(argv: list[str]) -> int:
    """Does what the command line says and gives the exit code."""
    return guarded(lambda: _start(argv), spoken_language(argv))


def _start(argv: list[str]) -> int:
    """Does the one thing that the options name, or lives the town where they name none; what that needs is imported when it is known."""
    text = Text(spoken_language(argv))
    options = parse(argv, text)
    layers = _layers(options)
    match options:
        case Options(digest=str(name)):
            from modules.cli.summary import print_digests

            return print_digests(name, options.results)
        case Options(new_world=str()) | Options(check_world=str()) | Options(import_world=Path()):
            from modules.cli.worlds import make_worlds

            return make_worlds(options, text)
        case Options(verify=str(name)):
            from modules.cli.verify import verify

            return verify(name, options.results, options.worlds, text)
        case Options(check=str(name)):
            from modules.cli.check import check

            return check(name, options.results, text)
        case Options(repair=str(name)):
            from modules.cli.check import repair

            return repair(name, options, layers, text)
        case _ if only_asks(options):
            from modules.cli.ask import ask

            return ask(options, text)
        case Options(doctor=True):
            from modules.cli.doctor import doctor

            return asyncio.run(doctor(options, layers, text.lang))
    return _sitting(options, layers, text)


def _sitting(options: Options, layers: list[Layer], text: Text) -> int:
    """Lives the town as far as it was asked for. Whatever ends it before that leaves a line that says how to go on."""
    with _logging(options), _stoppable():
        try:
            return asyncio.run(_live(options, layers, text))
        except KeyboardInterrupt:
            print("\n" + _how_to_go_on(options, text, "stopped"), flush=True)
            return INTERRUPTED
        except (ModelUnavailable, DiskTrouble):
            print(_how_to_go_on(options, text, "goes_on"), flush=True)
            raise


async def _live(options: Options, layers: list[Layer], text: Text) -> int:
    from modules.cli.session import begin, fork, resume
    from modules.cli.summary import print_summary
    from modules.model.budget import BudgetSpent
    from modules.storage.run import Run

    session = await (resume if options.resume else fork if options.fork else begin)(options, layers)
    if session is not None:
        with session.run:
            try:
                await _steps(session, text, options)
            except BudgetSpent:
                print(_how_to_go_on(options, text, "budget"), flush=True)
    with Run.open(options.results, options.name or "") as run:
        if session is None:
            print(text("finished", name=run.manifest.name, step=run.last.step))
        print_summary(run, text, options.worlds)
    return 0


async def _steps(session: Session, text: Text, options: Options) -> None:
    """Lives up to the planned end, showing each step. Raises BudgetSpent where `--max-calls` or `--max-hours` end it before."""
    from modules.cli.chronicle import tell
    from modules.cli.progress import Progress, display
    from modules.game import Game
    from modules.model.budget import Budgeted
    from modules.model.patience import say
    from modules.storage.space import Forecast, megabytes
    from modules.storage.speaking import Speaking

    run, end = session.run, session.run.planned_end
    _greet(session, text)
    model = Budgeted(session.model, options.max_calls or 0, (options.max_hours or 0) * 3600)
    game, talks, disk = Game(run, session.world, model, session.embedder, session.machine), 0, Forecast(run)
    game.caller.listener = speaking = Speaking(run.file.parent)
    shown = display(text, run.last.step, end, plain=options.verbose is not None)
    try:
        while run.last.step < end:
            report = await game.step()
            speaking.clear()
            talks += report.talks
            tell(game, report)
            shown.show(Progress(report.step, report.now, game.stats.total, talks))
            if short := disk.shortage(report.step, end):
                free, needed, a_step = map(megabytes, short)
                say(text("disk_filling", free=free, needed=needed, end=end, a_step=a_step))
    finally:
        speaking.clear()
        shown.close()


def _greet(session: Session, text: Text) -> None:
    """Who speaks for the residents, and why; then what is about to happen."""
    from modules.cli.wishes import noted
    from modules.model.embedding import language_warning
    from modules.replay.names import model_name

    run, manifest = session.run, session.run.manifest
    print(text("model", name=manifest.llm_reason or model_name(manifest)))
    if warning := language_warning(manifest.embedding, manifest.lang):
        print(warning, file=sys.stderr)
    step, end, now = run.last.step, run.planned_end, f"{run.last.time:%Y-%m-%d %H:%M}"
    if manifest.parent:
        print(text("forked", name=manifest.name, parent=manifest.parent))
    if step:
        print(text("resumes", name=manifest.name, step=step, now=now, end=end), flush=True)
    else:
        people = len(manifest.residents)
        print(text("begins", name=manifest.name, world=session.world.name, residents=people, start=now, stride=manifest.stride, end=end), flush=True)
    for wish in session.asked:
        print(noted(wish, session.world, step, text), flush=True)
    if manifest.llm != "scripted":
        print(_expected(session, text), flush=True)


def _expected(session: Session, text: Text) -> str:
    """What the steps to come will ask of the model, and how long that takes, by the run's own speed where it is known."""
    from modules.model.estimate import READING, WRITING, expected, measured_seconds

    run, manifest = session.run, session.run.manifest
    load = expected(manifest.lang, len(manifest.residents), (run.planned_end - run.last.step) * manifest.stride)
    told = {"calls": f"{load.calls:,.0f}", "tokens": f"{load.tokens:,.0f}"}
    each = measured_seconds(run.stats())
    if each is not None:
        return text("expected_measured", **told, hours=f"{load.calls * each / 3600:.1f}", rate=f"{60 / max(each, 1e-9):.0f}")
    return text("expected", **told, hours=f"{load.hours():.1f}", reading=READING, writing=WRITING)


def _layers(options: Options) -> list[Layer]:
    """The user's settings, weakest first. BLAS is told its number of threads, which it reads when NumPy is imported."""
    from modules.config import combine, read_layer

    layers = [read_layer(file) for file in (CONFIG, options.config) if file and (file is not CONFIG or file.exists())]
    threads = str(combine(layers).machine.threads)
    os.environ.update(dict.fromkeys(BLAS, threads))
    return list(layers)


def _how_to_go_on(options: Options, text: Text, key: str) -> str:
    """The command that goes on with the run, or, if it was stopped before it existed, that this one will do."""
    from modules.storage.names import file_of

    name = options.name or ""
    if not file_of(options.results, name).exists():
        return text("stopped_early")
    return text(key, command=start_line(options, "--name", name, "--resume"))


@contextmanager
def _stoppable() -> Iterator[None]:
    """Ctrl-C and a polite kill stop what is under way: asyncio cancels it at its next wait, and what isn't committed never was.

    Ctrl-C is heard even where the parent process had it ignored, as shells do for background jobs.
    """
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: lambda *_: signal.raise_signal(signal.SIGINT)}
    before = {one: signal.signal(one, handler) for one, handler in handlers.items()}
    try:
        yield
    finally:
        for one, previous in before.items():
            signal.signal(one, previous)


@contextmanager
def _logging(options: Options) -> Iterator[None]:
    """What happens goes to the screen (`--verbose`) and to a file (`--log`), while the context lasts."""
    handlers: list[logging.Handler] = [logging.NullHandler()]  # else Python would print warnings into the bar
    if options.verbose:
        handlers.append(logging.StreamHandler(sys.stderr))
    if options.log:
        try:
            handlers.append(logging.FileHandler(options.log, encoding="utf-8"))
        except OSError as error:
            raise BadInput("{file} cannot be written as a log: {reason}", file=options.log, reason=reason_of(error)) from None
    logger = logging.getLogger("modules")
    logger.setLevel((options.verbose or "info").upper() if options.verbose or options.log else logging.CRITICAL)
    for handler in handlers:
        handler.setFormatter(logging.Formatter(LOG_LINE))
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
