"""A program without some modules: `python -m tests.support.without NAMES < COMMANDS`. An import of a
module in the list, or below it, fails as if it were not installed.

A command is a command line of `hometown`; `live WORLD` lives an hour of a world by the kernel alone,
and `page RESULTS` asks the page for its runs. Each prints its output and `-> ` with its exit code.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

HOUR_STEPS = 6


class Refusal(MetaPathFinder):
    """A finder that finds none of these modules, before all others."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = set(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self.names:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


async def live(name: str, folder: Path) -> str:
    """Return the digest of an hour of a world on the scripted model."""
    from hometown.config import combine
    from hometown.game import Game
    from hometown.model.embedding import make_embedder
    from hometown.new_run import create_run
    from hometown.scripted.model import ScriptedModel
    from hometown.world.load import load_world

    world = load_world(name, "en")
    settings, model = combine([], world.settings), ScriptedModel()
    embedder = make_embedder("hash", settings)
    with await create_run(
        folder,
        world,
        settings,
        model,
        embedder,
        name="hour",
        start=world.start,
        stride=10,
        seed=1,
        steps=HOUR_STEPS,
    ) as run:
        game = Game(run, world, model, embedder)
        reports = [await game.step() for _ in range(HOUR_STEPS)]
    return reports[-1].digest


def call(words: list[str]) -> int:
    """Carry out a command and return its exit code."""
    match words:
        case ["live", world]:
            from hometown.errors import HometownError

            with tempfile.TemporaryDirectory() as folder:
                try:
                    print(asyncio.run(live(world, Path(folder))))
                except HometownError as error:
                    print(error)
                    return error.exit_code
            return 0
        case ["page", results]:
            from hometown.paths import WORLDS
            from hometown.web.server import create_app

            client = create_app(Path(results), WORLDS).test_client()
            runs = client.get("/api/v1/runs").json
            for run in runs:
                assert client.get(f"/?name={run['name']}").status_code == 200
                assert client.get(f"/api/v1/runs/{run['name']}").status_code == 200
            print(*sorted(run["name"] for run in runs))
            return 0
    from hometown.cli.main import run_hometown

    return run_hometown(words)


def run_all() -> None:
    """Carry out the commands of the standard input."""
    sys.meta_path.insert(0, Refusal(sys.argv[1].split(",")))
    sys.stderr = sys.stdout
    for line in sys.stdin.read().splitlines():
        code = call(shlex.split(line))
        print(f"-> {code}", flush=True)


if __name__ == "__main__":
    run_all()
