"""GGUF files that are cut, corrupt or replaced, before and during a run, and a llama.cpp that dies
in the midst of replies.

Each is told in a line, the run keeps its steps and goes on once the file is there again, and no
process stays. The towns are lived on a stand-in for llama.cpp; where llama.cpp and SmolLM2 are
installed, damaged copies of its file are loaded as well.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from random import Random
from unittest import mock

from hometown.cli.commands import main
from hometown.config import combine
from hometown.errors import BadInput
from hometown.model.llama.gguf import GgufModel
from hometown.model.recommended import recommended
from hometown.storage.run_names import file_of
from tests.model.llama.conftest import FAKE
from tests.support.gguf_files import write_gguf
from tests.support.hang import HANG, waited_for
from tests.support.town import opened
from tests.torture.cases import Lost, case

TOWN = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--residents",
    "1",
    "--start",
    "20250213-08:00",
    "--step",
    "1",
    "--embedding",
    "hash",
)

SETTINGS: dict[str, dict[str, float]] = {
    "machine": {"slots": 2, "llama_threads": 1, "timeout_seconds": HANG},
    "llm": {"num_ctx": 1024, "retries": 0, "max_fallback_share": 1.0, "give_up_after": HANG},
}

IMPATIENT = SETTINGS | {"llm": SETTINGS["llm"] | {"give_up_after": 1.0}}
"""Where the file will not come back."""

GIVEN_UP = 3
"""Exit code of a run whose model is given up."""

FOLLOWED_RULES = "the residents followed rules"
"""Part of the line about a session that was lived without a usable reply, which the stand-in does
not give: its exit code is not 0.
"""

REPLIES = 3
"""Replies of a first session: the speed is measured, the way to ask is found out, and a resident
asks once.
"""

DIED = "llama.cpp has ended (code 9)"
"""Part of the line about a stand-in that died in the midst of a reply."""

REAL = "smollm2-135m"

HEADER = 200_000
"""Bytes at the beginning of SmolLM2's file that say what follows; noise behind them changes the
weights alone.
"""

DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda file: os.truncate(file, 40),
    "emptied": lambda file: os.truncate(file, 0),
    "an archive": lambda file: file.write_bytes(b"PK\x03\x04" + bytes(1000)),
    "a model for vectors": lambda file: write_gguf(file, llama__pooling_type=1),
    "removed": lambda file: file.unlink(),
}
"""By name: what becomes of a file between two sessions."""

WHOLE = "whole"
"""The name of the town that nothing befell."""

KINDS = (*DAMAGES, "dies", "dies and is emptied", "really cut", "really noisy")


@dataclass
class Toll:
    """Cases by kind; how often a file was refused, how many towns were lived on, and the cases with
    llama.cpp itself.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    lived: int = 0
    real: int = 0


def spoil_files(folder: Path, count: int, first: int = 0) -> Toll:
    """Spoil so many files. Raises Lost where a step or a line is missing, or a process stays."""
    toll = Toll()
    with_llama = bool(find_spec("xllamacpp")) and recommended()[REAL].place.is_file()
    before = _list_children()  # such as the resource tracker of multiprocessing, which stays
    for name, settings in (("config", SETTINGS), ("impatient", IMPATIENT)):
        (folder / f"{name}.json").write_text(json.dumps(settings), "utf-8")
    with mock.patch("hometown.model.retrying.FIRST_WAIT", 0.01):
        town = _Town(folder)
        for number in range(first, first + count):
            kind = KINDS[number % len(KINDS)]
            with case("gguf", number):
                if not kind.startswith("really"):
                    town.live(f"town-{number}", kind, Random(number), toll)
                elif with_llama:
                    _load(folder / "real.gguf", kind, Random(number), toll)
                else:
                    continue
                gc.collect()
                waited_for(lambda: _list_children() <= before)
            toll.kinds[kind] += 1
    return toll


class _Town:
    """A town of one on the stand-in; each of its two sessions has a step, whose digests are those
    of a town that nothing befell.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "small.gguf"
        self.digests: list[str] = []
        self._session("run", WHOLE)
        shutil.copytree(file_of(folder, WHOLE).parent, self.folder / "begun")
        self._session("resume", WHOLE)
        self.digests = self._read_digests(WHOLE)

    def live(self, name: str, kind: str, random: Random, toll: Toll) -> None:
        """Live a town to its second step, though its file or its llama.cpp is spoiled meanwhile."""
        dying = {"FAKE_LLAMA_DIES": f"{random.randint(2, REPLIES)}"}
        if kind == "dies":
            self._session("run", name, env=dying)
        elif kind == "dies and is emptied":
            self._session("run", name, GIVEN_UP, env=dying | {"FAKE_LLAMA_SPOILS": "1"})
            self._session("resume", name)
        else:
            name = WHOLE
            before = self._begin_again()
            self._session("resume", name, 2, spoil=DAMAGES[kind])
            if file_of(self.folder, name).read_bytes() != before:
                raise Lost("the run has changed")
        self._session("resume", name)
        toll.refused += kind != "dies"
        if self._read_digests(name) != self.digests:
            raise Lost("the town was lived differently")
        toll.lived += 1

    def _begin_again(self) -> bytes:
        """Put the town back to the end of its first session, and return its file."""
        file = file_of(self.folder, WHOLE)
        shutil.rmtree(file.parent)
        shutil.copytree(self.folder / "begun", file.parent)
        return file.read_bytes()

    def _session(
        self,
        command: str,
        name: str,
        code: int = 0,
        env: dict[str, str] | None = None,
        spoil: Callable[[Path], object] | None = None,
    ) -> None:
        write_gguf(self.file)
        if spoil:
            spoil(self.file)
        argv = [
            command,
            name,
            *(TOWN if command == "run" else ("--step", "1")),
            "--llm",
            f"gguf:{self.file}",
        ]
        said, faults = StringIO(), StringIO()
        with (
            mock.patch("hometown.model.llama.process.COMMAND", FAKE),
            mock.patch("hometown.model.llama.gguf_files.find_spec", return_value=find_spec("sys")),
            mock.patch.dict(os.environ, env or {}),
            redirect_stdout(said),
            redirect_stderr(faults),
        ):
            config = self.folder / ("impatient.json" if code == GIVEN_UP else "config.json")
            ended = main([*argv, "--config", str(config), "--results", str(self.folder)])
        if env and DIED not in faults.getvalue():
            raise Lost(f"{command}: llama.cpp has not died\n{said.getvalue()}{faults.getvalue()}")
        is_lived = ended == code or (not code and FOLLOWED_RULES in faults.getvalue())
        if (
            not is_lived
            or "Traceback" in faults.getvalue()
            or (code and "small.gguf" not in faults.getvalue())
        ):
            raise Lost(
                f"{command}: exit code {ended}, not {code}\n{said.getvalue()}{faults.getvalue()}"
            )

    def _read_digests(self, name: str) -> list[str]:
        with opened(self.folder, name) as run:
            return list(run.digests())


def _load(file: Path, kind: str, random: Random, toll: Toll) -> None:
    """Load a damaged copy of SmolLM2's file with llama.cpp, which serves it or is said in a line
    not to.
    """
    shutil.copyfile(recommended()[REAL].place, file)
    if kind == "really cut":
        os.truncate(file, random.randrange(file.stat().st_size))
    else:
        with file.open("r+b") as copy:
            for _ in range(random.choice((1, 30))):
                copy.seek(random.randrange(HEADER))
                copy.write(random.randbytes(4))
    try:
        server = GgufModel(str(file), combine([SETTINGS])).server
        server.start("en", lambda _: None, HANG)
        server.stop()
    except BadInput as error:
        if "\n" in str(error):
            raise Lost(f"more than a line: {error}") from None
        toll.refused += 1
    toll.real += 1


def _list_children() -> set[int]:
    """The processes that this one has started and not yet seen to end; none where the system is not
    Linux. They are listed by thread: where a thread ends meanwhile, its own go to another, and all
    are listed again.
    """
    while True:
        try:
            return {
                int(pid)
                for file in Path("/proc/self/task").glob("*/children")
                for pid in file.read_text("ascii").split()
            }
        except (FileNotFoundError, ProcessLookupError):
            continue
