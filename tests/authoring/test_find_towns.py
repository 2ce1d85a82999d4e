"""Towns and saved games are found at any level of a checkout; the consistent one is taken, or the
one that is named.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hometown.authoring.importing.importer import convert_world
from hometown.errors import BadWorld
from hometown.world.load import load_world
from tests.support.elsewhere import PEOPLE_ZH, write_matrices, write_maze

pytest.importorskip("PIL.Image")

STORAGE = Path("environment", "server", "storage")


def write_checkout(root: Path) -> Path:
    """A fork of Smallville with three saved games: as it begins, in Chinese, and some steps on."""
    whole = write_matrices(root / "made")
    checkout = root / "checkout"
    (checkout / "node_modules" / "junk").mkdir(parents=True)
    (checkout / "node_modules" / "junk" / "maze.json").write_text("{}", "utf-8")
    shutil.move(whole / "matrix", checkout / "environment" / "assets" / "the_mill" / "matrix")
    for name, steps in (("base", 0), ("base_zh", 0), ("evening", 90)):
        save = checkout / STORAGE / name
        shutil.copytree(whole / "personas", save / "personas")
        (save / "reverie").mkdir()
        meta = {"start_date": "March 3, 2024", "maze_name": "the_mill", "step": steps}
        (save / "reverie" / "meta.json").write_text(json.dumps(meta), "utf-8")
    (scratch,) = (checkout / STORAGE / "base_zh").rglob("scratch.json")
    given = json.loads(scratch.read_text("utf-8")) | {
        "name": "安",
        "learned": PEOPLE_ZH[0]["learned"],
        "living_area": "the Mill:磨坊小屋:卧室",
    }
    scratch.write_text(json.dumps(given), "utf-8")
    return checkout


def test_the_save_that_fits_the_map_is_taken_and_the_others_are_listed(tmp_path: Path) -> None:
    imported = convert_world(write_checkout(tmp_path), "here", None, tmp_path / "worlds")
    world = load_world(imported.folder, "en")
    assert [who.name for who in world.personas.values()] == ["Ann Mill"]
    assert f"{world.start:%Y-%m-%d}" == "2024-03-03"
    came, left = (
        [str(line) for line in part] for part in (imported.report.came, imported.report.left)
    )
    base = (STORAGE / "base").as_posix()
    assert f"the town {base} (1 resident, English, 2024-03-03)" in came
    assert "the language of its texts: English" in came
    assert any("base_zh (1 resident, Chinese, 2024-03-03, of another map" in line for line in left)
    assert any(
        "evening (1 resident, English, 2024-03-03); name it with --from" in line for line in left
    )


def test_a_save_is_taken_by_its_name(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path)
    imported = convert_world(checkout, "here", None, tmp_path / "worlds", town="storage/evening")
    assert any(
        "the town environment/server/storage/evening" in str(line) for line in imported.report.came
    )
    with pytest.raises(BadWorld, match="holds several towns") as caught:
        convert_world(checkout, "there", None, tmp_path / "worlds", town="noon")
    assert all(name in str(caught.value) for name in ("base", "base_zh", "evening"))


def test_people_of_whom_a_save_names_the_house_only_live_in_a_bedroom_of_it(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path)
    save = checkout / STORAGE / "evening"
    (scratch,) = save.rglob("scratch.json")
    given = json.loads(scratch.read_text("utf-8")) | {"living_area": "the Mill:Reed Cottage"}
    scratch.write_text(json.dumps(given), "utf-8")
    meta = save / "reverie" / "meta.json"
    meta.write_text(meta.read_text("utf-8").replace("March 3, 2024", "August 01, 1723"), "utf-8")
    imported = convert_world(checkout, "here", None, tmp_path / "worlds", town="evening")
    assert any("evening (1 resident, English, 1723-08-01)" in line for line in imported.report.came)
    world = load_world(imported.folder, "en")
    assert world.personas["ann_mill"].home == "reed_cottage/bedroom"
    assert any(
        "Ann Mill lives in Reed Cottage / bedroom" in line for line in imported.report.guessed
    )


def test_a_maze_far_below_is_found_and_tells_its_language(tmp_path: Path) -> None:
    write_maze(tmp_path / "clone" / "frontend" / "static" / "village")
    imported = convert_world(tmp_path / "clone", "here", None, tmp_path / "worlds", default="en")
    assert imported.lang == "zh"
    assert "阿青" in load_world(imported.folder, "zh").personas
