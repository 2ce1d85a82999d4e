"""Lives of `start.py`, each in a process of its own, that end where they are told to.

    python -m tests.torture.lives       reads a JSON object a line, prints a JSON object a line

Everything is imported once, and each life is a fork of this process: starting Python 200 times would take longer than
what is tested. A life is {"argv", "env", "output", "point", "nth", "signal", "after"}: at the nth time it comes to the point
it sends itself the signal, or it is sent it after some seconds. The points are put around functions here, so that the program knows nothing of them.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

POINTS: dict[str, tuple[str, str]] = {
    "observe": ("hometown.agent.agent", "notice"),
    "think": ("hometown.model.caller", "Caller._complete"),
    "reply": ("hometown.storage.journal", "Journal.put"),
    "journal": ("hometown.storage.journal", "transaction"),
    "talk": ("hometown.agent.converse", "_utter"),
    "commit": ("hometown.game", "begin"),
    "walk": ("hometown.game", "owner"),
    "save": ("hometown.game", "Game.save"),
    "transaction": ("hometown.storage.run", "write_step"),
    "committed": ("hometown.storage.journal", "Journal.drop"),
    "close": ("hometown.storage.run", "fold"),
    "found": ("hometown.storage.create", "keep_world"),
    "rename": ("hometown.storage.create", "_rename"),
}
"""By name: the function before which, or for "transaction" between whose statements, a life may end."""

LATE = ("hometown.cli.steps", "hometown.cli.session", "hometown.cli.summary", "hometown.cli.step_log", "hometown.cli.progress", "hometown.scripted.model",
        "hometown.model.openai_server", "hometown.model.budget", "hometown.history.names", "hometown.verify", "hometown.cli.verify", "httpx",
        "tqdm")  # fmt: skip
"""Modules that the program imports when it needs them."""


def arm(point: str, nth: int, by: int) -> None:
    """From now on the nth arrival at a point sends this process a signal."""
    left = nth

    def arrived() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), by)

    module_name, path = POINTS[point]
    holder: Any = import_module(module_name)
    *parts, name = path.split(".")
    for part in parts:
        holder = getattr(holder, part)
    setattr(holder, name, _in_between(arrived) if point == "transaction" else _before(getattr(holder, name), arrived))


def _before(function: Callable[..., Any], arrived: Callable[[], None]) -> Callable[..., Any]:
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


STOPS = (signal.SIGINT, signal.SIGTERM)
"""Signals that wait until a life has begun: before that, Python itself would end without a word."""


def _begin() -> None:
    """From the first step on, signals arrive."""
    steps = import_module("hometown.cli.steps")
    live_steps = steps.live_steps

    def begun(*arguments: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        return live_steps(*arguments)

    setattr(steps, "live_steps", begun)  # noqa: B010


def live(order: dict[str, Any]) -> int:
    """One life, in a process that has just been forked."""
    from hometown.cli.start import main

    os.setsid()
    out = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(out, stream)
    os.environ.update(order["env"])
    _begin()
    try:
        if order["point"]:
            arm(order["point"], order["nth"], order["signal"])
        code = main(order["argv"])
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
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(live(json.loads(line)))
        print(json.dumps({"status": _end(child, json.loads(line))}), flush=True)


def _end(child: int, order: dict[str, Any]) -> int:
    """The exit status of a life, which is sent its signal `after` so many seconds, if that is not below 0."""
    if order["after"] >= 0:
        time.sleep(order["after"])
        os.kill(child, order["signal"])  # at worst a zombie: nobody has waited for it yet, so its number is not another's
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    serve()
