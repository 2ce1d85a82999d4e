"""A run of an older version can be used in every way, and only those that write it migrate it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.errors import BadRun
from hometown.export.write import export_run
from hometown.paths import DATA
from hometown.storage import table_schema as schema
from hometown.storage.manage import rename_run
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.web.server import create_app
from tests.support.golden import VERSIONS, put_golden, put_run
from tests.support.town import live
from tools.make_golden import NAME

OLDER = [golden for golden in VERSIONS if int(golden.partition("-")[0]) < schema.SCHEMA_VERSION]


def start(results: Path, *argv: str) -> None:
    assert main([*argv, "--results", str(results)]) == 0


def shown(results: Path, name: str) -> None:
    client = create_app(results, DATA / "worlds").test_client()
    for path in (
        f"/?name={name}",
        f"/api/v1/runs/{name}",
        f"/api/v1/runs/{name}/frames?from=1&to=2",
    ):
        assert client.get(path).status_code == 200


def told(results: Path, name: str) -> None:
    with RunFile.open(results, name) as run:
        start(results, "--name", name, "--tell", f"{run.manifest.residents[0]}: sing")


CHECKSUMS = 3
"""The version since which steps have checksums."""

READING: dict[str, Callable[[Path, str], object]] = {
    "digest": lambda results, name: start(results, "--digest", name),
    "check": lambda results, name: start(results, "--check", name),
    "verify": lambda results, name: start(results, "--verify", name),
    "export": lambda results, name: export_run(results, name, tables=True, html=True),
    "replay": shown,
    "tell": told,
    "repair": lambda results, name: start(results, "--repair", name, "--name", "new"),
    "fork": lambda results, name: start(
        results, "--fork", f"{name}@1", "--name", "new", "--step", "1"
    ),
}
WRITING: dict[str, Callable[[Path, str], object]] = {
    "resume": lambda results, name: start(results, "--name", name, "--resume", "--step", "1"),
    "rename": lambda results, name: rename_run(results, name, "new"),
}


def use(results: Path, name: str, way: str, before: int) -> None:
    """Uses a run of an older version; what is made of it, or written in it, has the present one and
    is whole.
    """
    (READING | WRITING)[way](results, name)
    made = file_of(results, "new")
    if way in READING:
        assert version(file_of(results, name)) == before, "only what writes a run migrates it"
    if made.exists():
        assert version(made) == schema.SCHEMA_VERSION
        start(results, "--check", "new")
    elif way in WRITING:
        assert version(file_of(results, name)) == schema.SCHEMA_VERSION
        start(results, "--check", name)


def version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        return schema.read_schema_version(database)


@pytest.mark.parametrize("way", ["tell", "repair", "rename"])
@pytest.mark.parametrize("golden", OLDER)
def test_an_older_run_can_be_used(golden: str, way: str, tmp_path: Path) -> None:
    """In the ways that tests/town/test_golden.py doesn't try."""
    put_golden(tmp_path, golden)
    use(tmp_path, NAME, way, int(golden.partition("-")[0]))


def test_steps_of_an_older_version_are_said_to_have_no_checksum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    last = [golden for golden in OLDER if int(golden.partition("-")[0]) < CHECKSUMS][-1]
    put_golden(tmp_path, last)
    start(tmp_path, "--name", NAME, "--resume", "--step", "2")
    capsys.readouterr()
    start(tmp_path, "--check", NAME)
    assert "there are none for 7 steps" in capsys.readouterr().out


# the version after this one ------------------------------------------------------------------


@pytest.fixture(scope="module")
def present(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("present")
    live(results, 2, name=NAME)
    return file_of(results, NAME)


def _later(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE moods (step INTEGER PRIMARY KEY, mood TEXT NOT NULL)")
    database.execute("ALTER TABLE conversations ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")
    database.execute("INSERT INTO moods SELECT step, 'calm' FROM steps")


def _show_later(database: sqlite3.Connection) -> None:
    database.execute("CREATE TEMP TABLE moods (step INTEGER PRIMARY KEY, mood TEXT NOT NULL)")
    database.execute(
        "CREATE TEMP VIEW conversations AS SELECT *, 'calm' AS mood FROM main.conversations"
    )


@pytest.fixture
def later(present: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that adds a column, and a table made of rows that there are."""
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, schema.Migration(_later, _show_later))
    )
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
    monkeypatch.setattr(schema, "TABLE_NAMES", schema.TABLE_NAMES | {"moods"})
    create = schema.TABLES

    def created(database: sqlite3.Connection) -> None:
        for statement in create.split(";\n"):
            database.execute(statement)
        _later(database)
        schema.set_version(database, schema.SCHEMA_VERSION)

    monkeypatch.setattr(schema, "create_tables", created)


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("way", [way for way in (READING | WRITING) if way != "verify"])
def test_a_run_of_this_version_can_be_used_in_a_later_one(
    way: str, present: Path, tmp_path: Path
) -> None:
    """Whatever opens it: a migration is written once, and reached from everywhere."""
    before = version(put_run(tmp_path, present))
    (READING | WRITING)[way](tmp_path, NAME)
    name = "new" if file_of(tmp_path, "new").exists() else NAME
    with closing(sqlite3.connect(file_of(tmp_path, name))) as database:
        migrated = way in WRITING or name == "new"
        assert schema.read_schema_version(database) == before + migrated
        if migrated and way != "repair":  # which copies the tables that it knows
            assert database.execute("SELECT count(*) FROM moods").fetchone() == (
                2 if way == "fork" else 3,
            ), "its rows were there to be migrated"


def test_a_migration_that_fails_changes_nothing(
    present: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(database: sqlite3.Connection) -> None:
        _later(database)
        raise sqlite3.OperationalError("database or disk is full")

    file = put_run(tmp_path, present)
    before = file.read_bytes()
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, schema.Migration(fails, _show_later))
    )
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
    assert main(["--name", NAME, "--resume", "--step", "1", "--results", str(tmp_path)]) == 3
    monkeypatch.undo()
    with RunFile.open(tmp_path, NAME) as run:
        assert run.last.step == 2
    assert version(file) == schema.SCHEMA_VERSION
    assert len(file.read_bytes()) == len(before)


@pytest.mark.parametrize("number", [0, 77])
def test_a_number_that_is_no_version_is_told(
    number: int,
    present: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a number the run is damaged, and can be repaired; with a higher one a newer program
    is needed, which nothing here touches.
    """
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    file = put_run(tmp_path, present)
    with closing(sqlite3.connect(file)) as database:
        schema.set_version(database, number)
    before = file.read_bytes()
    for way in (
        ("--name", NAME, "--resume", "--step", "1"),
        ("--name", NAME, "--tell", "x: sing"),
        ("--fork", f"{NAME}@1", "--name", "new"),
    ):
        assert main([*way, "--results", str(tmp_path)]) == 2
        assert ("no version number" if not number else "version 77") in capsys.readouterr().err
    with pytest.raises(BadRun):
        rename_run(tmp_path, NAME, "other")
    assert file.read_bytes() == before
    assert main(["--repair", NAME, "--name", "new", "--results", str(tmp_path)]) == (
        2 if number else 0
    )
    assert file_of(tmp_path, "new").exists() == (not number)
