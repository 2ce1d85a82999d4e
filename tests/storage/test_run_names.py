"""What runs may be called."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.errors import BadRun
from hometown.storage.run_names import check_name, file_of, refuse_taken, run_folder


@pytest.mark.parametrize(
    "name", ["a", "demo", "故里", "día-1", "run_2.b", "हिन्दी", "1", "x" * 64, "console"]
)
def test_names_that_any_system_can_use(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        ".hidden",
        "a/b",
        "../a",
        "a\\b",
        "C:",
        "a b",
        "-a",
        "_a",
        "a.",
        "CON",
        "nul.txt",
        "com1",
        "x" * 65,
        "a\0",
        "a\n",
        "a?",
        "\ud800",
        "😀",
    ],
)
def test_names_that_some_system_cannot(name: str) -> None:
    with pytest.raises(BadRun, match="can't be the name of a run") as refused:
        check_name(name)
    assert "\n" not in str(refused.value)


def test_a_name_is_free_until_a_run_or_something_else_has_it(tmp_path: Path) -> None:
    refuse_taken(tmp_path, "town")
    run_folder(tmp_path, "town").mkdir(parents=True)
    refuse_taken(tmp_path, "town")
    (run_folder(tmp_path, "town") / "notes.txt").touch()
    with pytest.raises(BadRun, match="is not a run"):
        refuse_taken(tmp_path, "town")
    file_of(tmp_path, "town").touch()
    with pytest.raises(
        BadRun,
        match="'town' already exists: choose another name, or continue it with hometown resume",
    ):
        refuse_taken(tmp_path, "town")
