"""Residents of a world are changed only where nothing breaks by it, and what ships stays as it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.editing import (
    copy_world,
    is_user_world,
    list_resident_problems,
    put_resident,
    remove_resident,
    residents_of,
)
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world, write_json
from hometown.errors import BadWorld
from hometown.world.load import load_world


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_world("dale", ["en", "zh"], tmp_path_factory.mktemp("starter"))


@pytest.fixture
def folder(tmp_path: Path, starter: Path) -> Iterator[Path]:
    """A world of two."""
    yield Path(shutil.copytree(starter, tmp_path / "dale"))
    assert {path.name for path in tmp_path.iterdir()} <= {"dale", "copy", ".dale.lock"}, (
        "nothing is left of what was tried out"
    )


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def ada(folder: Path, **changed: Any) -> Any:
    return residents_of(folder)["ada"] | changed


def test_a_copy_is_its_users(tmp_path: Path, folder: Path) -> None:
    copied = copy_world("dale", "copy", tmp_path)
    assert load_world("copy", "zh", tmp_path).name == "copy"
    assert {name: content for name, content in files(copied).items() if name != "world.json"} == {
        name: content for name, content in files(folder).items() if name != "world.json"
    }
    assert (
        is_user_world("copy", tmp_path),
        is_user_world("ville", tmp_path),
        is_user_world("nowhere", tmp_path),
    ) == (
        True,
        False,
        False,
    )
    for which, name in (("dale", "copy"), ("nowhere", "other"), ("dale", "../up")):
        with pytest.raises(BadWorld):
            copy_world(which, name, tmp_path)


def test_a_resident_is_checked_without_being_changed(folder: Path) -> None:
    before = files(folder)
    report = list_resident_problems(folder, "ada", ada(folder, sleeps="nowhere", age="old"))
    assert [problem.level for problem in report.problems if "ada.json" in problem.line][:1] == [
        "error"
    ]
    assert list_resident_problems(folder, "ada", ada(folder)).errors == 0
    assert files(folder) == before


def test_what_is_written_is_what_was_given(folder: Path) -> None:
    put_resident(folder, "ada", ada(folder, age=71))
    assert load_world("dale", "en", folder.parent).personas["ada"].age == 71


@pytest.mark.parametrize(
    "changed", [{"home": "nowhere"}, {"name": {"en": "Ben Carter"}}, {"habits": []}, {"unheard": 1}]
)
def test_what_would_break_the_world_is_not_written(folder: Path, changed: dict[str, Any]) -> None:
    before = files(folder)
    with pytest.raises(BadWorld, match=r"dale/residents/ada\.json"):
        put_resident(folder, "ada", ada(folder, **changed))
    assert files(folder) == before


@pytest.mark.parametrize("pronouns", [None, 5, [], {}, {"en": 5}, {"en": []}, {"en": [5]}])
def test_whatever_is_typed_is_told_in_a_line(folder: Path, pronouns: Any) -> None:
    assert list_resident_problems(folder, "cleo", {"pronouns": pronouns}).errors > 0


def test_a_neighbour_of_another_form_does_not_stand_in_the_way(folder: Path) -> None:
    write_json(folder / "residents" / "ada.json", ada(folder, relations=["ben"], seeds=["ben"]))
    remove_resident(folder, "ben")
    assert ada(folder)["relations"] == ["ben"]


@pytest.mark.parametrize(
    "who", ["", "..", "../ben", "Ada", "a/b", "a" * 65, "_a", "王／芳", "王\u3164"]
)
def test_an_id_leads_nowhere_else(folder: Path, who: str) -> None:
    before = files(folder.parent)
    with pytest.raises(BadWorld, match="can't be the id of a resident"):
        put_resident(folder, who, ada(folder))
    assert files(folder.parent) == before


@pytest.mark.parametrize("who", ["王芳", "d2_王芳", "zoë"])
def test_ids_of_imported_residents_can_be_written(folder: Path, who: str) -> None:
    content = ada(folder)
    remove_resident(folder, "ada")
    put_resident(folder, who, content)
    assert residents_of(folder)[who]["name"] == content["name"]


def test_an_error_that_was_there_before_does_not_stand_in_the_way(folder: Path) -> None:
    (folder / "residents" / "ben.json").write_text("{", "utf-8")
    assert lint(folder).errors > 0
    put_resident(folder, "ada", ada(folder, age=72))
    assert residents_of(folder)["ada"]["age"] == 72


def test_somebody_moves_in_with_a_face(folder: Path) -> None:
    remove_resident(folder, "ben")
    newcomer = ada(
        folder,
        name={"en": "Cleo Marsh", "zh": "克莱奥"},
        home="ben_house/bedroom",
        sleeps="ben_house/bedroom/bed",
        relations={},
        seeds=[],
    )
    newcomer["habits"] = [
        {
            "start": "08:00",
            "end": "20:00",
            "place": "ben_house/living/sofa",
            "activity": {"en": "reading", "zh": "看书"},
        }
    ]
    put_resident(
        folder,
        "cleo",
        {key: value for key, value in newcomer.items() if key not in ("portrait", "sprite")},
    )
    town = load_world("dale", "en", folder.parent)
    assert set(town.personas) == {"ada", "cleo"}
    assert all(
        (folder / str(picture)).is_file()
        for picture in (town.personas["cleo"].portrait, town.personas["cleo"].sprite)
    )


def test_who_leaves_is_known_to_nobody(folder: Path) -> None:
    assert "ben" in ada(folder)["relations"]
    remove_resident(folder, "ben")
    assert "ben" not in ada(folder)["relations"]
    assert lint(folder).errors == 0
    before = files(folder)
    for who in ("ben", "ada"):  # nobody of that name; and a world needs somebody
        with pytest.raises(BadWorld):
            remove_resident(folder, who)
    assert files(folder) == before
