"""Asks the page and the commands for everything while some of the files cannot be written: what is
only read is the same, and what is refused is said in a line and has changed nothing.

    python -m tests.torture.read_only FOLDER FIRST COUNT      prints how often there was which answer

Folders are made read-only by mounting, for which a process needs a namespace of its own, or else by
their permissions, which do not stop the superuser.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from flask.testing import FlaskClient

from hometown.authoring.starter import make_world
from hometown.cli.commands import main as hometown
from hometown.paths import ROOT
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from hometown.web.access import Access
from hometown.web.processes import Processes
from hometown.web.server import create_app
from hometown.world.interventions import Intervention
from tests.support.town import live
from tests.torture.cases import Lost, case
from tests.web.asking import OURS, ask, signed_in

RUN, OTHER, WORLD = "town", "other", "dale"

NAMESPACE = ("unshare", "--map-root-user", "--mount")
"""The command that gives a process mounts of its own."""

PLACES = (
    ("results", "worlds"),
    ("results",),
    ("results/checkpoints",),
    (f"results/checkpoints/{RUN}",),
    ("results/logs",),
    ("worlds",),
    (f"worlds/{WORLD}",),
)
"""Folders that are read-only at the same time."""

TELL = {"kind": "tell", "text": "Lin Yue: sing"}
BEGIN = {"name": "fresh", "world": WORLD, "lang": "en", "llm": "scripted", "hours": 1}
AGE = {"age": 41}
NAME_ROOM = {"act": "name", "room": "bakery/main", "names": {"en": "The Blue Loaf"}}

CHANGES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", f"runs/{RUN}/end", {}),
    ("POST", f"runs/{RUN}/pause", {}),
    ("POST", f"runs/{RUN}/branch", {"name": "bough", "step": 1}),
    ("POST", f"runs/{RUN}/name", {"name": "city"}),
    ("POST", f"runs/{RUN}/back", {}),
    ("DELETE", f"runs/{RUN}", {}),
    ("POST", f"runs/{RUN}/interventions", TELL),
    ("DELETE", f"runs/{RUN}/interventions/1", {}),
    ("POST", "worlds", {"name": "vale", "langs": ["en"]}),
    ("PUT", f"worlds/{WORLD}/residents/ada", AGE),
    ("DELETE", f"worlds/{WORLD}/residents/ada", {}),
    ("PUT", f"worlds/{WORLD}/map", NAME_ROOM),
    ("POST", f"worlds/{WORLD}/undo", {}),
)
STARTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "runs", BEGIN),
    ("POST", f"runs/{RUN}/go", {"hours": 1}),
)
"""Changes that start a process."""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("resume", RUN, "--step", "1"),
    ("fork", f"{RUN}@1", "--name", "bough", "--step", "1"),
    ("run", "fresh", "--world", WORLD, "--llm", "scripted", "--step", "1"),
    ("export", RUN),
    ("repair", RUN),
    ("verify", RUN),
    ("check", RUN),
)
READING = ("verify", "check")
"""Commands that only read, and end well."""

REQUESTS = 8
"""Requests and commands of a case."""

BESIDE = (".lock", ".holder", ".log", ".log.1")
"""Endings of files that come and go beside what is kept."""


@dataclass
class Toll:
    """Answers to requests by their status, and exit codes of commands; neither where this system
    lets this account make nothing read-only.
    """

    answers: Counter[int] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)


def read_only(folder: Path, count: int, first: int = 0) -> Toll:
    """Try so many states of the folders, in a process that may mount. Raises Lost where the server
    or a command falls over, reading differs, or what was refused has changed something.
    """
    spaced = shutil.which(NAMESPACE[0]) and not subprocess.call([*NAMESPACE, "true"])
    if not spaced and os.geteuid() == 0:
        return Toll()
    command = [sys.executable, "-m", "tests.torture.read_only", str(folder), str(first), str(count)]
    done = subprocess.run(
        [*(NAMESPACE if spaced else ()), *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    if done.returncode:
        raise Lost(done.stdout)
    answers, codes = json.loads(done.stdout.splitlines()[-1])
    return Toll(
        *(Counter({int(key): value for key, value in one.items()}) for one in (answers, codes))
    )


# in the process that may mount ---------------------------------------------------------------


class _Household:
    """The runs and worlds of a user, and what all requests that only read have answered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results, self.worlds = folder / "results", folder / "worlds"
        self.client = self._make_client()
        self.before = _contents(folder)
        self.pages = {path: self._read(path) for path in self._list_pages()}

    def _make_client(self) -> FlaskClient:
        app = create_app(self.results, self.worlds, access=Access(token="a token"))
        return signed_in(app)

    def _list_pages(self) -> list[str]:
        api = f"/api/v1/runs/{RUN}"
        return [
            "/",
            f"/?name={RUN}",
            f"/edit?world={WORLD}",
            "/api/v1/runs",
            "/api/v1/worlds",
            api,
            f"{api}/report.md",
            f"{api}/thumbnail",
            f"{api}/picture",
            f"{api}/live",
            f"{api}/interventions",
            f"{api}/laws",
            f"/api/v1/worlds/{WORLD}",
            f"/api/v1/worlds/{WORLD}/picture",
        ]

    def _read(self, path: str) -> tuple[int, bytes]:
        answer = self.client.get(path)
        if answer.status_code >= 500:
            raise Lost(f"GET {path}: {answer.status_code} {answer.text[:500]}")
        return answer.status_code, answer.data

    def try_one(self, random: Random, toll: Toll) -> None:
        """Read something, and try to change something."""
        path = random.choice(sorted(self.pages))
        if (now := self._read(path)) != self.pages[path]:
            raise Lost(f"GET {path} was {self.pages[path]!r:.300} and is {now!r:.300}")
        toll.answers[now[0]] += 1
        if random.random() < 0.3:
            self._command(random.choice(COMMANDS), toll)
        else:
            self._change(*random.choice(STARTS if random.random() < 0.05 else CHANGES), toll)

    def _change(self, method: str, path: str, body: dict[str, Any], toll: Toll) -> None:
        if body == AGE:
            body = self.client.get(f"/api/v1/worlds/{WORLD}").json["residents"]["ada"] | AGE
        headers = {"If-Match": "*"} if path.startswith("worlds") else {}
        answer = ask(self.client, path, body, method, OURS | headers)
        toll.answers[answer.status_code] += 1
        told = f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        if answer.status_code >= 500 or (answer.status_code >= 400 and not answer.is_json):
            raise Lost(told)
        if answer.status_code >= 400 and "\n" in answer.json["error"]:
            raise Lost(told)
        self._look(told, changed=answer.status_code < 400)

    def _command(self, command: tuple[str, ...], toll: Toll) -> None:
        said, places = StringIO(), ["--results", str(self.results)]
        if command[0] != "check":
            places += ["--worlds", str(self.worlds)]
        with redirect_stdout(said), redirect_stderr(said):
            code = hometown([*command, *places])
        toll.codes[code] += 1
        told = f"{command}: exit code {code}\n{said.getvalue()}"
        if "Traceback" in told or code not in ((0,) if command[0] in READING else (0, 2, 3)):
            raise Lost(told)
        self._look(told, changed=code == 0)

    def _look(self, told: str, *, changed: bool) -> None:
        """What was refused has changed nothing; what was done is undone by the caller."""
        if not changed and _contents(self.folder) != self.before:
            names = {name for name, _ in _contents(self.folder).items() ^ self.before.items()}
            raise Lost(f"{told} has changed {sorted(names)}")


def _contents(folder: Path) -> dict[str, bytes]:
    """The files that are kept, by path."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.endswith(BESIDE)
    }


@contextmanager
def _mounted(folders: list[Path]) -> Iterator[None]:
    """Make folders read-only while the context lasts."""
    mounted = []
    try:
        for folder in folders:
            if os.geteuid() == 0:
                subprocess.run(["mount", "--bind", folder, folder], check=True)
                mounted.append(folder)
                subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
            else:
                _permit(folder, 0o500)
                mounted.append(folder)
        yield
    finally:
        for folder in mounted:
            if os.geteuid() == 0:
                subprocess.run(["umount", folder], check=True)
            else:
                _permit(folder, 0o700)


def _permit(folder: Path, mode: int) -> None:
    folder.chmod(mode | 0o200)
    for path in folder.rglob("*"):
        path.chmod(mode if path.is_dir() else mode & 0o600)
    folder.chmod(mode)


def _found(folder: Path) -> None:
    """Live two runs, of which one waits for an intervention and has a log, and make a world."""
    results, worlds = folder / "results", folder / "worlds"
    make_world(WORLD, ["en"], worlds)
    (results / "logs").mkdir(parents=True)
    (results / "logs" / f"{RUN}.log").write_text("--- begun 2025-01-01 00:00:00\n", "utf-8")
    for name in (RUN, OTHER):
        live(results, 2, name=name)
    with RunFile.open(results, RUN) as run:
        run.ask([Intervention("event", "cafe/main", "A kite is stuck", 9)])


def _try_case(folder: Path, original: Path, number: int, toll: Toll) -> None:
    """Try some requests and commands, until one is accepted."""
    random = Random(number)
    shutil.copytree(original, folder)
    household = _Household(folder)
    with _mounted([folder / place for place in PLACES[number % len(PLACES)]]):
        try:
            for _ in range(REQUESTS):
                household.try_one(random, toll)
                if _contents(folder) != household.before:
                    break
        finally:
            for name in run_names(household.results):
                if is_held(run_folder(household.results, name)):
                    Processes(household.results, household.worlds).pause(name)
    shutil.rmtree(folder)


def main(argv: list[str]) -> int:
    folder, first, count = Path(argv[0]), int(argv[1]), int(argv[2])
    toll = Toll()
    _found(folder / "original")
    for number in range(first, first + count):
        with case("readonly", number):
            _try_case(folder / str(number), folder / "original", number, toll)
    print(json.dumps([toll.answers, toll.codes]))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Lost as lost:
        sys.exit(str(lost))
