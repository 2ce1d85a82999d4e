"""What comes from a stranger: runs made to fill memory, names and patterns made to deceive or to
last, files nested without end.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from random import Random

import orjson
import zstandard

from hometown.cli.main import run_hometown as hometown
from hometown.config import read_layer
from hometown.errors import BadInput
from hometown.name import lookalike_key, name_fault
from hometown.paths import WORLDS
from hometown.study.experiment.spec_file import read_experiment
from hometown.web.library import Library
from hometown.web.run_worlds import Worlds
from hometown.world.word_patterns import compile_pattern, read_patterns
from tests.support.synthetic_run import make_run
from tests.support.unwieldy import ALIASES, nest_lists, nest_objects
from tests.torture.cases import Lost, case

MEGABYTES = 900
"""What reading a run may add to the memory of a process: its budget, once packed and once as
values.
"""


def _pack(chunk: bytes, times: int, *, first: bytes = b"", last: bytes = b"") -> bytes:
    """Return a zstd frame that states its size. It is packed a chunk at a time: the memory that
    packing takes must not hide what reading takes.
    """
    frame = zstandard.ZstdCompressor().compressobj(size=len(first) + times * len(chunk) + len(last))
    return b"".join(map(frame.compress, (first, *[chunk] * times, last))) + frame.flush()


PACKED = _pack(bytes(1 << 20), 60)
"""60 MB in 2 KB."""

OPEN_LISTS = _pack(b"[" * (1 << 20), 300)
"""300 MB in 10 KB: as many levels of JSON."""

EMPTY_LISTS = _pack(b"[]," * (1 << 18), 80, first=b"[", last=b"[]]")
"""60 MB in 6 KB: 20 million values of JSON."""


@dataclass
class Toll:
    """What was tried."""

    runs: int = 0
    names: int = 0
    patterns: int = 0
    files: int = 0
    grown: float = 0.0

    @property
    def tried(self) -> int:
        return self.runs + self.names + self.patterns + self.files


def attack(folder: Path, count: int, first: int) -> Toll:
    """Try `count` cases of each kind, in a process of their own: what this one has taken before
    must not hide what they take. Raises Lost.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(_try_cases, folder, count, first).result()


def _try_cases(folder: Path, count: int, first: int) -> Toll:
    toll, before = Toll(), _measure_peak()
    for number in range(first, first + count):
        chance = Random(f"stranger {number}")
        with case("hostile", number):
            _run(folder / f"run{number}", chance)
            _names(chance)
            _patterns(chance)
            _file(folder / f"file{number}", chance)
        toll.runs, toll.names, toll.patterns, toll.files = (
            toll.runs + 1,
            toll.names + 20,
            toll.patterns + 20,
            toll.files + 2,
        )
    toll.grown = _measure_peak() - before
    if toll.grown > MEGABYTES:
        raise Lost(f"reading took {toll.grown:.0f} MB")
    return toll


def _measure_peak() -> float:
    """Return the most memory that this process has taken, in MB. Linux's `ru_maxrss` is of no use:
    a process inherits its parent's.
    """
    if sys.platform == "linux":
        return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1 << 20 if sys.platform == "darwin" else 1024
    )


# runs ---------------------------------------------------------------------------------------


def _many_files(database: sqlite3.Connection) -> None:
    database.executemany(
        "INSERT INTO world VALUES (?,?)", [(f"f{at}.json", PACKED) for at in range(120)]
    )


def _one_file(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO world VALUES ('world.json', ?)", (OPEN_LISTS,))


def _false_claim(database: sqlite3.Connection) -> None:
    packed = bytearray(PACKED)
    packed[5:9] = (100).to_bytes(4, "little")
    database.execute("INSERT INTO world VALUES ('world.json', ?)", (bytes(packed),))


def _effects(database: sqlite3.Connection) -> None:
    database.execute("INSERT OR REPLACE INTO effects VALUES (1, ?)", (EMPTY_LISTS,))


def _stride(database: sqlite3.Connection) -> None:
    (data,) = database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
    database.execute(
        "UPDATE meta SET value = ? WHERE key = 'manifest'",
        (orjson.dumps(orjson.loads(data) | {"stride": 10**18}),),
    )


def _slow_view(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE steps RENAME TO kept")
    database.execute(
        "CREATE VIEW steps AS WITH RECURSIVE n(step) AS (SELECT 1 UNION ALL SELECT step + 1 FROM n LIMIT 1000000000) SELECT step, '' AS digest FROM n"
    )


BOMBS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _many_files,
    _one_file,
    _false_claim,
    _effects,
    _stride,
    _slow_view,
)
LEFT_ALONE = (_effects, _many_files, _one_file, _false_claim)
"""Of these the list reads nothing, and shows the run as any other."""


def _run(results: Path, chance: Random) -> None:
    """A run made to harm is one line in the list, harms no other, and each command says what is
    wrong in a line.
    """
    bomb = chance.choice(BOMBS)
    make_run(results, "good")
    with closing(sqlite3.connect(make_run(results, "bomb"))) as database, database:
        bomb(database)
        if bomb in LEFT_ALONE:
            database.execute("INSERT INTO meta VALUES ('world', '\"00\"')")
    listed = {
        run["name"]: run.get("error", "") for run in Library(results, Worlds(WORLDS)).summaries()
    }
    if (
        listed.keys() != {"good", "bomb"}
        or listed["good"]
        or ("\n" in listed["bomb"])
        or (bomb not in LEFT_ALONE and not listed["bomb"])
    ):
        raise Lost(f"{bomb.__name__}: the list says {listed}")
    for arguments in (["check", "bomb"], ["export", "bomb"], ["tell", "bomb", "Ana: hello"]):
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
            code = hometown([*arguments, "--results", str(results)])
        if code not in (0, 1, 2) or "Traceback" in said.getvalue():
            raise Lost(f"{bomb.__name__}: {arguments[0]} fell over\n{said.getvalue()}")


# names and patterns ----------------------------------------------------------------------------

_SIGNS = "ab Zé李安\u0430\u0000\u0007\u001b\u00a0\u00ad\u034f\u200b\u200d\u202e\u2066\u2800\u3164\ufe0f\ufeff\U000e0041\ud800"
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\u00ad\u034f\u200b-\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufe00-\ufe0f\ufeff\U000e0000-\U000fffff\ud800-\udfff]"
)


def _names(chance: Random) -> None:
    """No name with a sign that cannot be seen passes, nor one that is too long."""
    for _ in range(20):
        name = "".join(chance.choice(_SIGNS) for _ in range(chance.choice((0, 1, 5, 12, 61, 300))))
        if name_fault(name) is None and (
            _UNSEEN.search(name) or not 0 < len(name) <= 60 or not lookalike_key(name)
        ):
            raise Lost(f"{name!r} passes for a name")


_PIECES = (
    "cat",
    "tea",
    "s?",
    r"\b",
    "(s|ing)",
    "(?:a|b)",
    r"\w*",
    "(\\w+)+",
    "(a*)*",
    "$",
    "^",
    "[ab]",
    ".*",
    "x{2}",
    "(?=a)",
    "é",
    "茶",
    " ",
    "<",
    ">",
    "*",
    "|",
    "(",
)


def _patterns(chance: Random) -> None:
    """What is read as patterns matches what it matched as a regular expression, and takes no time;
    all else is refused in a line.
    """
    texts = ["".join(chance.choice("catesingb xé茶") for _ in range(30)) for _ in range(5)]
    for _ in range(20):
        given = "".join(chance.choice(_PIECES) for _ in range(chance.randint(1, 5)))
        try:
            patterns, warnings = read_patterns([given])
        except ValueError:
            continue
        compiled = re.compile("|".join(map(compile_pattern, patterns)))
        compiled.search("a" * 100_000)
        for text in texts if warnings else ():
            if bool(compiled.search(text)) != bool(re.search(given, text)):
                raise Lost(f"{given!r} became {patterns}, which differs for {text!r}")


# files ------------------------------------------------------------------------------------------


def _file(folder: Path, chance: Random) -> None:
    """A file of settings, and an experiment, that are nested without end or grow by their aliases."""
    folder.mkdir(parents=True)
    depth = chance.choice((150, 900, 20_000, 200_000))
    nested = chance.choice((nest_lists, nest_objects))(depth)
    (folder / "settings.json").write_text(f'{{"think": {nested}}}', "utf-8")
    kind, text = chance.choice(
        (
            (".json", f'{{"settings": {nested}}}'),
            (".yaml", f"settings: {nested}"),
            (".yaml", ALIASES),
        )
    )
    (folder / f"experiment{kind}").write_text(text, "utf-8")
    for read, name in ((read_layer, "settings.json"), (read_experiment, f"experiment{kind}")):
        try:
            read(folder / name)
        except BadInput:
            continue
        raise Lost(f"{name} of depth {depth} is read")
