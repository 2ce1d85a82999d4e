"""Ways in which disks, people and programs damage a run: bytes of its file, rows, its write-ahead
log, and the files beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from hometown.storage.run_names import file_of

PAGE = 4096

Wound = Callable[[Path, Random], str]
"""Damages the run whose database is `file`, and says how."""


# bytes ---------------------------------------------------------------------------------------


def flip(data: bytearray, chance: Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def scribble(data: bytearray, chance: Random) -> None:
    """A stretch of noise."""
    at, length = chance.randrange(len(data)), chance.randint(2, 600)
    end = min(at + length, len(data))
    data[at:end] = chance.randbytes(end - at)


def blank(data: bytearray, chance: Random) -> None:
    """A page that was never written."""
    at = chance.randrange(len(data) // PAGE + 1) * PAGE
    data[at : at + PAGE] = bytes(len(data[at : at + PAGE]))


def swap(data: bytearray, chance: Random) -> None:
    """Two pages in each other's place."""
    one, other = (chance.randrange(max(1, len(data) // PAGE)) * PAGE for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = (
        data[other : other + PAGE],
        data[one : one + PAGE],
    )


def cut(data: bytearray, chance: Random) -> None:
    """The end is gone."""
    del data[chance.randrange(len(data)) :]


BYTES: tuple[Callable[[bytearray, Random], None], ...] = (
    flip,
    flip,
    flip,
    scribble,
    blank,
    swap,
    cut,
)


def in_bytes(file: Path, chance: Random) -> str:
    """Damages the bytes of the database."""
    return _bytes(file, chance)


def in_log(file: Path, chance: Random) -> str:
    """Damages the write-ahead log or its index, or loses it."""
    target = file.with_name(
        chance.choice(("run.sqlite-wal", "run.sqlite-wal", "run.sqlite-wal", "run.sqlite-shm"))
    )
    if chance.random() < 0.2:
        target.unlink()
        return f"{target.name} is lost"
    return _bytes(target, chance)


def _bytes(file: Path, chance: Random) -> str:
    data, how = bytearray(file.read_bytes()), chance.choice(BYTES)
    before = bytes(data)
    how(data, chance)
    file.write_bytes(data)
    at = next(
        (at for at, (one, other) in enumerate(zip(before, data, strict=False)) if one != other),
        min(len(before), len(data)),
    )
    return f"{how.__name__} at {at} of {file.name}"


# rows ----------------------------------------------------------------------------------------

ODD: tuple[object, ...] = (
    None,
    "",
    b"",
    0,
    -1,
    2**62,
    1.5,
    "x",
    b"\xff\xfe",
    b"\x28\xb5\x2f\xfd",
    "{}",
    "[]",
    b"null",
    b'{"a":1}',
    "\u202e\x1b[2J",
    "9" * 40,
    float("inf"),
)


def in_rows(file: Path, chance: Random) -> str:
    """Alters or deletes rows by SQL, as nobody should, but anybody can."""
    with closing(sqlite3.connect(file)) as database, database:
        tables = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
        ]
        table = chance.choice(tables)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        key, column = columns[0], chance.choice(columns)
        keys = [
            row[0] for row in database.execute(f"SELECT DISTINCT {key} FROM {table} ORDER BY 1")
        ]
        if not keys:
            return f"{table} is empty"
        chosen = chance.choice(keys)
        kind = chance.choice(("delete", "delete", "odd", "odd", "odd", "copy", "text"))
        with suppress(sqlite3.Error):  # a table may allow less
            if kind == "delete":
                database.execute(f"DELETE FROM {table} WHERE {key} = ?", (chosen,))
            elif kind == "copy":
                database.execute(
                    f"UPDATE {table} SET {column} = (SELECT {column} FROM {table} ORDER BY rowid DESC LIMIT 1) WHERE {key} = ?",
                    (chosen,),
                )
            elif kind == "text":
                database.execute(
                    f"UPDATE {table} SET {column} = CAST(replace({column}, 'e', 'a') AS BLOB) WHERE {key} = ?",
                    (chosen,),
                )
            else:
                database.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (chance.choice(ODD), chosen)
                )
        return f"{kind} in {table}.{column} where {key} is {chosen!r}"


# files beside it -----------------------------------------------------------------------------

BESIDE = (
    "run.committed",
    "run.holder",
    "run.lock",
    "inbox.jsonl",
    "inbox.lock",
    "speaking.json",
    "llama-x.log",
)

NOISE = (
    b"",
    b"\xff" * 50,
    b"null\n",
    b"[]\n",
    b"{}\n",
    b'{"step": 99, "digest": "x"}',
    b'{"kind": "tell"}\n',
    b"[" * 9000,
    b"\n\n\n",
    "process 1 on \x1b[2J\u202e since".encode(),
)


def in_files(file: Path, chance: Random) -> str:
    """Damages, removes or replaces a file beside the database."""
    target = file.with_name(chance.choice(BESIDE))
    kind = chance.choice(("lost", "noise", "noise", "noise", "folder", "long"))
    target.unlink(missing_ok=True)
    if kind == "folder":
        target.mkdir()
    elif kind != "lost":
        target.write_bytes(chance.choice(NOISE) if kind == "noise" else b'{"a": "' + b"x" * 10**6)
    return f"{target.name}: {kind}"


WOUNDS: tuple[tuple[str, Wound], ...] = (
    ("closed", in_bytes),
    ("closed", in_bytes),
    ("closed", in_rows),
    ("killed", in_log),
    ("killed", in_rows),
    ("killed", in_files),
    ("killed", in_bytes),
)
"""In turn: whether the run was closed or killed, and what is damaged."""


def wounded(file: Path, number: int) -> str:
    """Damages a copy of the run; how."""
    return WOUNDS[number % len(WOUNDS)][1](file, Random(number))


def kind_of(number: int) -> str:
    """Which original the case with this number begins with."""
    return WOUNDS[number % len(WOUNDS)][0]


def files_of(results: Path, name: str) -> dict[str, bytes]:
    """All files of a run that may not change while it is only read."""
    return {
        path.name: path.read_bytes()
        for path in file_of(results, name).parent.iterdir()
        if path.is_file() and path.suffix == ".sqlite"
    }
