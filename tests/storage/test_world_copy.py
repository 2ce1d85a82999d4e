"""The copy of its world that a run carries."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from hometown.errors import BadRun
from hometown.paths import ROOT
from hometown.repair import examine_run
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_files, world_id
from hometown.world.snapshot import world_files_id
from tests.support.storage_sample import first_state, manifest

FILES = {"world.json": b"{}", "map.tmj": b"{}" * 999, "sprites/安娜.png": bytes(range(256))}


def with_world(root: Path, *statements: str) -> RunFile:
    """A run that carries a world, opened after the statements have been carried out."""
    RunFile.create(root, manifest(), 3, first_state(), world_files=FILES).close()
    with closing(sqlite3.connect(root / "checkpoints/sample/run.sqlite")) as database, database:
        for statement in statements:
            database.execute(statement)
    return RunFile.open(root, "sample")


def test_a_run_gives_back_the_world_that_it_carries(tmp_path: Path) -> None:
    with with_world(tmp_path) as run:
        assert world_files(run) == FILES
        assert world_id(run) == world_files_id(FILES)


UNPACKED = """
import os, sys
from contextlib import suppress
from pathlib import Path
from hometown.errors import BadWorld
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_of
with RunFile.open(Path(sys.argv[1]), "sample") as run, suppress(BadWorld):
    world_of(run)
if sys.argv[2] == "killed":
    os._exit(0)
"""


def test_what_a_killed_process_has_unpacked_is_removed_by_the_next(tmp_path: Path) -> None:
    with_world(tmp_path / "results").close()
    unpacked = tmp_path / "tmp"
    unpacked.mkdir()
    for end, left in (("killed", 1), ("killed", 1), ("done", 0)):
        subprocess.run(
            [sys.executable, "-c", UNPACKED, str(tmp_path / "results"), end],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(unpacked)},
            check=True,
        )
        assert len(list(unpacked.iterdir())) == left


HARM = {
    "a file less": "DELETE FROM world WHERE path = 'map.tmj'",
    "another content": "UPDATE world SET data = (SELECT data FROM world WHERE path = 'world.json') WHERE path = 'map.tmj'",
    "no zstd": "UPDATE world SET data = x'00'",
    "no bytes": "UPDATE world SET data = 'text'",
    "another hash": "UPDATE meta SET value = '\"00\"' WHERE key = 'world'",
    "out of the folder": "UPDATE world SET path = '../../' || path",
    "an absolute path": "UPDATE world SET path = '/tmp/' || path",
    "a frame that claims less than it holds": f"UPDATE world SET data = x'{(zstandard.compress(bytes(9999))).hex().replace('270f', '0001')}'",
}


@pytest.mark.parametrize("how", HARM)
def test_a_world_that_does_not_match_its_hash_or_leads_elsewhere_is_refused(
    tmp_path: Path, how: str
) -> None:
    with with_world(tmp_path, HARM[how]) as run:
        with pytest.raises(BadRun, match="copy of the world can't be read"):
            world_files(run)
        assert not examine_run(run).sound
