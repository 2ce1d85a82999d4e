"""`--fork`: another life from any past step, the parent untouched."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.support.town import live


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("parent")
    live(results, 20, seed=3)
    return results


def fork(results: Path, at: str, name: str, *more: str) -> int:
    return main(["--fork", at, "--name", name, "--results", str(results), *more])


def digests(results: Path, name: str) -> list[str]:
    with RunFile.open(results, name) as run:
        return run.digests()


def test_unchanged_it_lives_the_same_steps(parent: Path) -> None:
    before = hashlib.sha256(file_of(parent, "town").read_bytes()).hexdigest()
    assert fork(parent, "town@7", "again") == 0
    assert digests(parent, "again") == digests(parent, "town")
    assert hashlib.sha256(file_of(parent, "town").read_bytes()).hexdigest() == before
    assert main(["--verify", "again", "--results", str(parent)]) == 0
    with RunFile.open(parent, "again") as run:
        assert run.manifest.parent == "town@7"


def test_a_fork_of_a_fork_with_another_seed_goes_its_own_way(parent: Path) -> None:
    assert fork(parent, "town@12", "one", "--step", "2") == 0
    assert fork(parent, "one@13", "two", "--seed", "99", "--step", "6") == 0
    assert digests(parent, "two")[:14] == digests(parent, "town")[:14]
    assert digests(parent, "two")[14:] != digests(parent, "town")[14:20]
    assert len(digests(parent, "two")) == 20
    assert main(["--verify", "two", "--results", str(parent)]) == 0


def test_another_embedding_remembers_anew(parent: Path, tmp_path: Path) -> None:
    config = tmp_path / "wide.json"
    config.write_text('{"embedding": {"dimension": 512}}')
    assert (
        fork(
            parent, "town@9", "wide", "--config", str(config), "--embedding", "hash", "--step", "3"
        )
        == 0
    )
    with RunFile.open(parent, "wide") as run:
        assert run.manifest.dimension == 512
        memories = run.memories("lin_yue")
        assert memories
        assert run.vectors.get(memories[0].text).shape == (512,)


def test_from_the_last_step_it_lives_a_day_unless_told_otherwise(parent: Path) -> None:
    assert fork(parent, "town@20", "later", "--step", "1") == 0
    assert len(digests(parent, "later")) == 22


@pytest.mark.parametrize(
    ("at", "more", "named"),
    [
        ("town@21", (), "steps 0 to 20"),
        ("nobody@1", (), "nobody"),
        ("town", (), "spring@48"),
        ("town@3", ("--world", "minitown"), "--world"),
        ("town@3", ("--resume",), "--resume"),
    ],
)
def test_what_cannot_be_forked_is_told_in_a_line(
    parent: Path, capsys: pytest.CaptureFixture[str], at: str, more: tuple[str, ...], named: str
) -> None:
    assert fork(parent, at, "none", *more) == 2
    told = capsys.readouterr().err
    assert named in told
    assert not file_of(parent, "none").exists()


def test_a_name_that_is_taken_is_refused(parent: Path) -> None:
    assert fork(parent, "town@3", "town") == 2
