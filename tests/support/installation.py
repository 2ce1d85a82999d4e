"""Hometown as its users have it: a wheel, installed into an environment of its own and used from a
folder that is not the checkout.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from hometown.paths import ROOT
from tests.support.hang import HANG

QUIET_PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
RUN = "first"
"""The name of the run that `smoke` makes."""

PRINTED = re.compile(r"(?P<address>http://[^/\s]+)/\?token=(?P<token>\S+)")
"""The address of the page as `hometown replay` prints it."""


@dataclass(frozen=True)
class Installation:
    """An environment with Hometown in it, and the folder for what its user makes."""

    folder: Path
    home: Path

    @property
    def scripts(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.scripts / "python"

    @property
    def environment(self) -> dict[str, str]:
        """As in a user's terminal: nothing leads to the checkout."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "VIRTUAL_ENV")
        }
        return inherited | {"HOMETOWN_HOME": str(self.home), "LC_ALL": "C.UTF-8"}

    def call(self, program: str, *argv: str) -> str:
        """What a program of the environment prints; raises CalledProcessError, with its words, if
        it fails.
        """
        done = subprocess.run(
            [self.scripts / program, *argv],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, (program, argv, done.stdout, done.stderr)
        return done.stdout

    @contextmanager
    def served(self) -> Iterator[tuple[str, str]]:
        """Run `hometown replay`, and yield its address and the token that it prints with it."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [str(self.scripts / "hometown"), "replay", "--port", str(port)]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, encoding="utf-8"
        ) as process:
            try:
                assert process.stdout is not None
                found = next(filter(None, map(PRINTED.search, process.stdout)))
                yield found["address"], found["token"]
            finally:
                process.terminate()


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, built with what is installed here."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_beside(wheel: Path, folder: Path) -> Installation:
    """Installs the wheel alone; the packages that it needs are those of the environment that runs
    this.
    """
    venv.create(folder, symlinks=os.name != "nt")
    installation = Installation(folder, folder / "home")
    subprocess.run(
        [
            sys.executable,
            *QUIET_PIP,
            "--python",
            str(installation.python),
            "install",
            "--no-compile",
            "--no-deps",
            "--no-index",
            str(wheel),
        ],
        check=True,
    )
    site = Path(
        installation.call(
            "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
        ).strip()
    )
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return installation


def install_whole(wheel: Path, folder: Path, python: str, *, lowest: bool = False) -> Installation:
    """Installs the wheel and all that it needs from the package index, in the lowest versions that
    it allows if told so.
    """
    subprocess.run(
        [sys.executable, "-m", "uv", "--quiet", "venv", "--python", python, str(folder)], check=True
    )
    installation = Installation(folder, folder / "home")
    resolution: Sequence[str] = ("--resolution", "lowest-direct") if lowest else ()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "uv",
            "--quiet",
            "pip",
            "install",
            "--python",
            str(installation.python),
            *resolution,
            str(wheel),
        ],
        check=True,
    )
    return installation


def smoke(installation: Installation) -> None:
    """Imports the package, lives an hour, exports it, makes a world and serves the page; raises
    AssertionError at what does not work.
    """
    place = installation.call("python", "-c", "import hometown; print(hometown.__file__)")
    assert Path(place.strip()).is_relative_to(installation.folder), place
    installation.call(
        "hometown", "run", RUN, "--world", "minitown", "--step", "6", "--llm", "scripted"
    )
    assert (installation.home / "results" / "checkpoints" / RUN / "run.sqlite").is_file()
    installation.call("hometown", "export", RUN)
    movement = json.loads(
        (installation.home / "results" / "compressed" / RUN / "movement.json").read_bytes()
    )
    assert movement["all_movement"]
    installation.call("hometown", "world", "new", "mine")
    assert (installation.home / "worlds" / "mine" / "world.json").is_file()
    with installation.served() as (address, token):
        assert b"<html" in fetch(address + "/", token)
        runs: Any = json.loads(fetch(address + "/api/v1/runs", token))
        assert RUN in json.dumps(runs)


def fetch(address: str, token: str) -> bytes:
    """Return the answer of a server, which may be still starting, to a program that has its token."""
    request = Request(address, headers={"Authorization": f"Bearer {token}"})
    end = time.monotonic() + HANG
    while True:
        try:
            with urlopen(request, timeout=HANG) as reply:
                content: bytes = reply.read()
                return content
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError) or time.monotonic() > end:
                raise
            time.sleep(0.1)
