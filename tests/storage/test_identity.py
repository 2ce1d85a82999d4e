"""A run is the folder that is named, however it came there, and its forks know it by its id."""

from __future__ import annotations

import shutil
import sqlite3
import unicodedata
from pathlib import Path

import pytest

from hometown.cli.commands import main
from hometown.session import create_fork
from hometown.storage.manage import rename_run
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from hometown.storage.world_copy import world_of
from hometown.web.library import Library, families
from hometown.web.run_worlds import Worlds
from tests.torture.identities import NEW, WAYS, handled, ids, last_step, live_original


def hometown(results: Path, *argv: str) -> int:
    return main([*argv, "--results", str(results)])


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the run `first`, two steps old."""
    return live_original(tmp_path_factory.mktemp("lived"))


@pytest.fixture
def results(lived: Path, tmp_path: Path) -> Path:
    shutil.copytree(lived, tmp_path, dirs_exist_ok=True)
    return tmp_path


def copied(results: Path, name: str) -> None:
    shutil.copytree(run_folder(results, "first"), results / "checkpoints" / name)


def test_a_copy_is_lived_and_not_the_run_that_it_was_copied_from(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(results, "second")
    assert hometown(results, "resume", "second", "--step", "1") == 0
    assert (last_step(results, "first"), last_step(results, "second")) == (2, 3)
    assert "'first'" not in capsys.readouterr().out
    assert len(set(ids(results).values())) == 2, "from then on it is a run of its own"
    with RunFile.open(results, "second") as run:
        assert run.manifest.name == "second"
    assert hometown(results, "check", "second") == 0


def test_a_run_that_was_renamed_by_hand_goes_on_and_keeps_its_id(results: Path) -> None:
    before = ids(results)["first"]
    run_folder(results, "first").rename(results / "checkpoints/third")
    assert hometown(results, "resume", "third", "--step", "1") == 0
    assert ids(results) == {"third": before}


def test_a_backup_that_was_restored_is_the_run_of_that_name(results: Path) -> None:
    copied(results, "backup")
    shutil.rmtree(run_folder(results, "first"))
    assert hometown(results, "resume", "backup", "--step", "1") == 0
    assert run_names(results) == ["backup"]


def test_accents_in_one_character_or_in_two_are_the_same_name(results: Path) -> None:
    composed, decomposed = (unicodedata.normalize(form, "café") for form in ("NFC", "NFD"))
    run_folder(results, "first").rename(results / "checkpoints" / decomposed)
    assert hometown(results, "resume", composed, "--step", "1") == 0
    assert hometown(results, "run", composed, "--step", "1", *NEW) == 2, "it exists already"
    copied_back = results / "checkpoints" / composed
    shutil.copytree(results / "checkpoints" / decomposed, copied_back)
    assert run_folder(results, composed) == copied_back, (
        "where there are both, each is the one that is named"
    )


def test_a_run_that_was_replaced_while_it_was_opened_is_not_lived(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hometown(results, "run", "other", "--step", "1", "--seed", "9", *NEW) == 0
    opened = RunFile.open.__func__  # type: ignore[attr-defined]

    def replaced(cls: type[RunFile], /, root: Path, name: str, **how: object) -> RunFile:
        return opened(cls, root, "other" if how.get("write") else name, **how)

    monkeypatch.setattr(RunFile, "open", classmethod(replaced))
    assert hometown(results, "resume", "first", "--step", "1", "--lang", "en") == 2
    assert "replaced" in capsys.readouterr().err


def test_forks_find_their_parent_under_its_new_name(results: Path) -> None:
    with RunFile.open(results, "first") as run:
        create_fork(results, run, 1, world_of(run), name="fork")
    rename_run(results, "first", "renamed")
    _, (tree,) = families(Library(results, Worlds(results)).summaries())
    assert (tree["name"], [fork["name"] for fork in tree["forks"]]) == ("renamed", ["fork"])
    assert (tree["forks"][0]["parent"], tree["forks"][0]["beside"]) == ("renamed@1", "renamed")


def test_another_run_with_the_name_of_the_parent_is_not_the_parent(results: Path) -> None:
    with RunFile.open(results, "first") as run:
        create_fork(results, run, 1, world_of(run), name="fork")
    shutil.rmtree(run_folder(results, "first"))
    assert hometown(results, "run", "first", "--step", "1", *NEW) == 0
    _, trees = families(Library(results, Worlds(results)).summaries())
    assert {tree["name"]: tree["beside"] for tree in trees} == {"first": "", "fork": ""}


def test_a_run_without_an_id_gets_one_when_it_is_written(results: Path) -> None:
    with sqlite3.connect(run_folder(results, "first") / "run.sqlite") as database:
        database.execute("DELETE FROM meta WHERE key IN ('id', 'checksum')")
        database.execute("DELETE FROM checksums")
    assert ids(results) == {"first": ""}
    assert hometown(results, "resume", "first", "--step", "1") == 0
    assert len(ids(results)["first"]) == 32
    assert hometown(results, "check", "first") == 0


def test_whatever_is_done_to_a_run_by_hand_the_one_that_is_named_is_lived(
    lived: Path, tmp_path: Path
) -> None:
    toll = handled(tmp_path, len(WAYS), original=lived)
    assert set(toll.kinds) == set(WAYS)
    assert (toll.lived, toll.refused) == (4, 3)
