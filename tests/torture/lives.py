"""Lives of `start.py`, each in a process of its own, that end where they are told to.

    python -m tests.torture.lives       reads a JSON object a line, prints a JSON object a line

Everything is imported once, and each life is a fork of this process: starting Python 1,000 times
would take longer than what is tested. A life is an `Order`; the points it names are put around
functions here, so that the program knows nothing of them.
"""

from __future__ import annotations

import functools
import inspect
import json
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from hometown.prompt.render import check_templates
from hometown.system import network_type

POINTS: dict[str, tuple[str, str]] = {
    "observe": ("hometown.agent.agent", "notice"),
    "think": ("hometown.model.caller", "Caller._complete"),
    "part": ("hometown.model.openai_reply", "OpenAIReply.add"),
    "reply": ("hometown.storage.journal", "RunJournal.put"),
    "journal": ("hometown.storage.journal", "transaction"),
    "talk": ("hometown.agent.conversation.converse", "LocalSpeaking.utter"),
    "commit": ("hometown.game", "begin_action"),
    "walk": ("hometown.game", "owner"),
    "save": ("hometown.game", "Game.save"),
    "transaction": ("hometown.storage.run", "write_step"),
    "committed": ("hometown.storage.journal", "RunJournal.drop"),
    "close": ("hometown.storage.run", "checkpoint_wal"),
    "found": ("hometown.storage.create", "keep_world"),
    "rename": ("hometown.storage.create", "_rename"),
}
"""By name: the function before which, or for "transaction" between whose statements, a life may
end.
"""

LOAD = {"load": ("hometown.model.llama.llama_server", "LlamaServer.start")}
"""A point that only towns on llama.cpp come to."""

HANGUP: int = getattr(signal, "SIGHUP", signal.SIGTERM)
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Signals that Windows lacks: no life is lived there, but tests that skip themselves import this
module.
"""

NO_MEMORY = 0
"""In place of a signal: there is no memory left."""

CARELESS = 0.06
"""Share of the replies that a careless model gives in prose, so that they are requested again with
the error.
"""

LATE = (
    "hometown.cli.stoppable_session",
    "hometown.cli.progress_display",
    "hometown.cli.run_opening",
    "hometown.cli.start",
    "hometown.cli.step_log",
    "hometown.cli.step_loop",
    "hometown.cli.summary",
    "hometown.cli.verification",
    "hometown.history.names",
    "hometown.model.call_budget",
    "hometown.model.openai_server",
    "hometown.scripted.model",
    "hometown.verify",
    "httpx",
    "tqdm",
)
"""Modules that the program imports when it needs them."""


@dataclass
class Order:
    """One life: its command line, environment and file for output.

    At the `nth` arrival at `point`, or after `after` seconds if that is not below 0, it is sent a
    signal. One that is stopped is continued after `pause` seconds, its clocks moved by an amount
    drawn from `moved`, unless that is 0, and comes to the point `nth` times again.
    """

    argv: list[str]
    output: str
    env: dict[str, str] = field(default_factory=dict)
    point: str = ""
    nth: int = 1
    signal: int = KILL
    after: float = -1.0
    pause: float = 0.0
    moved: int = 0
    careless: bool = False
    burst: list[tuple[int, float]] = field(default_factory=list)
    """Signals that it is sent once it has been stopped for the first time and goes on, and the
    seconds after each.
    """
    hasty: bool = False
    """Whether hardly any time passes until a model server is asked again."""
    mounts: str = ""
    """File that takes the place of the system's list of mounted drives, if any."""


def arm(order: Order) -> None:
    """From now on the nth arrival at the point sends this process the signal; a signal that stops
    it, each nth one.
    """
    left = order.nth

    def arrived() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            if order.signal == NO_MEMORY:
                raise MemoryError
            left = order.nth if order.signal == signal.SIGSTOP else left
            os.kill(os.getpid(), order.signal)

    watch(
        *(POINTS | LOAD)[order.point],
        (lambda _: _in_between(arrived))
        if order.point == "transaction"
        else (lambda function: before(function, arrived)),
    )


def watch(
    module_name: str, path: str, put_around: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    """Puts something around the function of that name in a module."""
    holder: Any = import_module(module_name)
    *parts, name = path.split(".")
    for part in parts:
        holder = getattr(holder, part)
    setattr(holder, name, put_around(getattr(holder, name)))


def before(function: Callable[..., Any], arrived: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def watched(*arguments: Any, **named: Any) -> Any:
        arrived()
        return function(*arguments, **named)

    @functools.wraps(function)
    async def waited(*arguments: Any, **named: Any) -> Any:
        arrived()
        return await function(*arguments, **named)

    return waited if inspect.iscoroutinefunction(function) else watched


def _in_between(arrived: Callable[[], None]) -> Callable[..., None]:
    """`write_step`, which comes to the point before each of its statements and after the last."""

    def write_step(database: Any, prepared: Sequence[tuple[str, list[tuple[Any, ...]]]]) -> None:
        for sql, rows in prepared:
            arrived()
            database.executemany(sql, rows)
        arrived()

    return write_step


STOPS = (signal.SIGINT, signal.SIGTERM, HANGUP)
"""Signals that wait until a life has begun: before that, Python itself would end without a word."""


def _begin() -> None:
    """From the first step on, signals arrive."""
    steps = import_module("hometown.cli.step_loop")
    live_steps = steps.live_steps

    def begun(*arguments: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        return live_steps(*arguments)

    setattr(steps, "live_steps", begun)  # noqa: B010


# clocks that move ----------------------------------------------------------------------------

_OFFSETS = mmap.mmap(-1, 16)
"""Seconds that a life's clocks are ahead of the machine's, the monotonic one and the calendar's:
shared by the life and this process.
"""

YEARS = 10 * 365 * 86400.0


def _move_clocks(chance: Random) -> None:
    """The monotonic clock goes on by seconds or days, that of the calendar to any year near."""
    steady, _ = struct.unpack("dd", _OFFSETS[:])
    _OFFSETS[:] = struct.pack(
        "dd", steady + 10 ** chance.uniform(1, 6), chance.uniform(-YEARS, YEARS)
    )


def _use_moved_clocks() -> None:
    steady, calendar = time.monotonic, time.time
    time.monotonic = lambda: steady() + struct.unpack_from("d", _OFFSETS)[0]
    time.time = lambda: calendar() + struct.unpack_from("d", _OFFSETS, 8)[0]


# lives ---------------------------------------------------------------------------------------


def _be_careless() -> None:
    """From now on the scripted model answers some requests in prose."""
    from hometown.model.llm import Completion
    from hometown.scripted.model import ScriptedModel

    complete = ScriptedModel.complete

    async def careless(
        model: ScriptedModel, request: Any, *, seed: int, priority: int = 0
    ) -> Completion:
        if Random(seed).random() < CARELESS:
            return Completion("Let me think about that.", 1, 1)
        return await complete(model, request, seed=seed)

    setattr(ScriptedModel, "complete", careless)  # noqa: B010


def live(order: Order) -> int:
    """One life, in a process that has just been forked."""
    from hometown.cli.signals import stop_process
    from hometown.cli.start import main
    from hometown.model import retrying

    os.setsid()
    out = os.open(order.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(out, stream)
    os.environ.update(order.env)
    stop = stop_process()
    _begin()
    try:
        if order.moved:
            _use_moved_clocks()
        if order.careless:
            _be_careless()
        if order.hasty:
            retrying.FIRST_WAIT = 0.02
        if order.mounts:
            network_type.__defaults__ = (Path(order.mounts),)
        if order.point:
            arm(order)
        code = main(order.argv)
        stop.disregard()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        code = 99
    return code


def serve() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    for name in LATE:
        import_module(name)
    check_templates(
        langs=["en"]
    )  # a fork inherits the compiled templates: compiling them takes half of a life
    print("ready", flush=True)
    for line in sys.stdin:
        order = Order(**json.loads(line))
        _OFFSETS[:] = bytes(16)
        child = os.fork()
        if not child:
            os._exit(live(order))
        status, stops = _end(child, order)
        print(json.dumps({"status": status, "stops": stops}), flush=True)


def _end(child: int, order: Order) -> tuple[int, int]:
    """The exit status of a life, and how often it was stopped. While it is at most a zombie, its
    number is nobody else's.
    """
    if order.after >= 0:
        time.sleep(order.after)
        os.kill(child, order.signal)
    stops, chance = 0, Random(order.moved)
    while os.WIFSTOPPED(status := os.waitpid(child, os.WUNTRACED)[1]):
        stops += 1
        time.sleep(order.pause)
        if order.moved:
            _move_clocks(chance)
        os.kill(child, signal.SIGCONT)
        for number, seconds in order.burst if stops == 1 else ():
            os.kill(child, number)
            time.sleep(seconds)
    return os.waitstatus_to_exitcode(status), stops


if __name__ == "__main__":
    serve()
