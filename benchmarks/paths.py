"""How long the Ville takes to load, and how long a path between two random tiles of it takes to
find.
"""

from __future__ import annotations

import random
import statistics
import time

from hometown.world.load import load_world

PAIRS, ROUNDS = 1000, 5


def measure() -> dict[str, float]:
    """Seconds of a load (median of `ROUNDS`), and mean milliseconds of a path over `PAIRS`, hardly
    any goal of which occurs twice.
    """
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        world = load_world("ville", "en")
        times.append(time.perf_counter() - began)
    stream = random.Random(1)
    tiles = sorted(world.maze.reachable(next(iter(world.things.values())).stands[0]))
    pairs = [(stream.choice(tiles), stream.choice(tiles)) for _ in range(PAIRS)]
    began = time.perf_counter()
    for start, goal in pairs:
        world.maze.path(start, goal)
    return {
        "load_ville_s": statistics.median(times),
        "path_ms": (time.perf_counter() - began) * 1000 / PAIRS,
    }
