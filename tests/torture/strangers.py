"""Towns from a stranger, which name the stranger's server in several places at once: no command may
connect to it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

from tests.support.fake_openai import FakeOpenAI
from tests.support.stranger import (
    KEY,
    MODEL,
    RUN_COMMANDS,
    WORLD_COMMANDS,
    Household,
    Outcome,
    Stranger,
    merged,
    places,
)
from tests.torture.cases import Lost, case

CARRIERS = ("world", "run", "experiment")

LLMS = ("scripted", MODEL, "ollama:qwen3:8b")
EMBEDDINGS = ("hash", "hash", MODEL)


@dataclass
class Toll:
    """How many commands were given, by their exit codes, and how many requests the user's own
    server had.
    """

    codes: Counter[int] = field(default_factory=Counter)
    own: int = 0


def received(folder: Path, count: int, first: int) -> Toll:
    """Give `count` commands on towns of a stranger. Raises Lost where the stranger hears of it, or
    a command ends otherwise than it may.
    """
    toll = Toll()
    with Stranger() as stranger, FakeOpenAI(key=KEY) as server:
        home = Household(folder, stranger, server)
        home.found()
        for number in range(first, first + count):
            with case("strangers", number):
                done = _tried(home, number)
                toll.codes[done.code] += 1
        toll.own = len(server.bodies)
    return toll


def _tried(home: Household, number: int) -> Outcome:
    random, carrier = Random(number), CARRIERS[number % len(CARRIERS)]
    ways = places(home.stranger)
    chosen = random.sample(sorted(ways), random.randint(1, len(ways)))
    settings: dict[str, Any] = reduce(merged, (ways[name] for name in chosen), {})
    right: tuple[int, ...] = (2,)
    if carrier == "world":
        home.receive_world(settings)
        command = random.choice(sorted(WORLD_COMMANDS))
        done, right = WORLD_COMMANDS[command](home), (2, 400)
    elif carrier == "run":
        home.receive_run(settings, llm=random.choice(LLMS), embedding=random.choice(EMBEDDINGS))
        command = random.choice(sorted(RUN_COMMANDS))
        done, right = RUN_COMMANDS[command](home), (0, 1, 2, 3)
    else:
        command = "experiment"
        done = home.call(command, str(home.receive_experiment(settings)))
    if done.heard:
        raise Lost(
            f"{command} on a {carrier} with {chosen}: {len(done.heard)} connections to the stranger, first {done.heard[0][:200]!r}"
        )
    if done.code not in right:
        raise Lost(
            f"{command} on a {carrier} with {chosen} ended with {done.code}: {done.printed[-300:]}"
        )
    return done
