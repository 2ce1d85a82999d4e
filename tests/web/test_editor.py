"""The editor's API: worlds are listed, copied, and their residents changed; what ships is refused,
in the page's language.
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from hometown.authoring.editing import SHIPPED, is_user_world, residents_of
from hometown.authoring.lint import LintReport, lint
from hometown.authoring.world_changes import without_new_errors
from hometown.paths import ROOT, WORLDS
from hometown.web.access import Access
from hometown.web.server import create_app
from hometown.world.load import list_worlds, load_world
from tests.web.asking import OURS, ask, signed_in


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    """A server whose user has no worlds yet."""
    (tmp_path / "worlds").mkdir()
    return signed_in(
        create_app(tmp_path / "results", tmp_path / "worlds", access=Access(token="a token"))
    )


def change(
    client: FlaskClient, part: str, body: Any = None, method: str = "PUT", version: str = "*"
) -> Any:
    """Change a part of the world `dale`, by default whichever version it has."""
    return ask(client, f"worlds/dale/{part}", body, method, OURS | {"If-Match": version})


def test_a_copy_is_edited(tmp_path: Path, client: FlaskClient) -> None:
    assert {
        world["id"]: world["own"] for world in ask(client, "worlds", method="GET").json
    } == dict.fromkeys(list_worlds(), False)
    assert ask(client, "worlds", {"world": "minitown", "name": "dale"}).json == {"id": "dale"}
    world = ask(client, "worlds/dale", method="GET").json
    assert (world["own"], world["names"], world["langs"]) == (
        True,
        {"en": "dale", "zh": "dale"},
        ["en", "zh"],
    )
    cafe = next(arena for arena in world["arenas"] if arena["id"] == "cafe/main")
    assert (cafe["names"]["zh"], cafe["private"]) == (
        load_world("minitown", "zh").arenas["cafe/main"].name,
        False,
    )
    assert {thing["id"] for thing in world["things"] if thing["bed"]} >= {
        person["sleeps"] for person in world["residents"].values()
    }

    lin = world["residents"]["lin_yue"] | {"age": 31}
    assert (
        ask(client, "worlds/dale/residents/lin_yue/check", lin).json["problems"]
        == world["problems"]
    )
    assert change(client, "residents/lin_yue", lin).json["residents"]["lin_yue"]["age"] == 31
    assert load_world("dale", "en", tmp_path / "worlds").personas["lin_yue"].age == 31
    assert "lin_yue" not in change(client, "residents/lin_yue", method="DELETE").json["residents"]


def test_what_is_wrong_is_told_in_the_language_of_the_page(client: FlaskClient) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    lost = ask(client, "worlds/dale", method="GET").json["residents"]["lin_yue"] | {
        "home": "nowhere"
    }
    problems = ask(client, "worlds/dale/residents/lin_yue/check?lang=zh", lost).json["problems"]
    assert problems[0]["level"] == "error"
    assert "没有叫" in problems[0]["line"]
    refused = change(client, "residents/lin_yue", lost)
    assert refused.status_code == 409
    assert "nowhere" in refused.json["error"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        *(
            (method, f"/{world}/residents/anybody", {}, 403)
            for world in list_worlds()
            for method in ("PUT", "DELETE")
        ),
        *(("PUT", f"/{world}/map", {"act": "floor"}, 403) for world in list_worlds()),
        ("GET", "/nowhere", None, 404),
        ("PUT", "/nowhere/residents/ada", {}, 404),
        ("POST", "", {"world": "nowhere", "name": "dale"}, 409),
        ("POST", "", {"world": "minitown", "name": "../up"}, 409),
        ("POST", "", {"world": ["minitown"], "name": "dale"}, 409),
        ("POST", "", {"world": "minitown", "name": None}, 409),
        ("POST", "", {"size": [40, 28], "name": None}, 409),
        ("GET", "/minitown/portraits/..%2Fworld.json", None, 404),
        ("GET", "/minitown/residents/lin_yue.json", None, 404),
    ],
)
def test_what_is_refused(
    tmp_path: Path, client: FlaskClient, method: str, path: str, body: Any, status: int
) -> None:
    before = load_world("minitown", "en").personas
    assert ask(client, f"worlds{path}", body, method).status_code == status
    assert list((tmp_path / "worlds").iterdir()) == []
    assert load_world("minitown", "en").personas == before


def test_pictures(client: FlaskClient) -> None:
    assert client.get("/api/v1/worlds/minitown/portraits/lin_yue.png").mimetype == "image/png"
    assert client.get("/api/v1/worlds/minitown/picture").mimetype == "image/webp"


def test_the_map_of_a_copy_is_painted_and_the_last_change_undone(
    tmp_path: Path, client: FlaskClient
) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    known = ask(client, "worlds/dale/rooms", method="GET").json
    assert {"id": "piano", "names": {"en": "piano", "zh": "钢琴"}, "size": [2, 2]} in known["kinds"]
    stroke = {"act": "put", "room": "cafe/main", "kind": "vase"}
    assert change(client, "map", stroke).status_code == 409
    named = {"act": "name", "room": "cafe/main", "names": {"en": "The Blue Cup"}}
    assert (
        ask(client, "worlds/dale/map/check", named).json["problems"]
        == ask(client, "worlds/dale", method="GET").json["problems"]
    )
    done = change(client, "map", named).json["undo"]
    assert change(client, "map", named).json["undo"] == done, "it changed nothing"
    assert load_world("dale", "en", tmp_path / "worlds").arenas["cafe/main"].name == "The Blue Cup"
    assert change(client, "undo", method="POST", version=done).json["undo"] == ""
    assert load_world("dale", "en", tmp_path / "worlds").arenas["cafe/main"].name != "The Blue Cup"
    assert change(client, "undo", method="POST").status_code == 409
    assert change(client, "map", {"act": "jump"}).status_code == 409
    assert client.get("/api/v1/worlds/dale/part/3/2/4/5").mimetype == "image/png"
    assert client.get("/api/v1/kinds/piano").mimetype == "image/png"
    assert client.get("/api/v1/kinds/dragon").status_code == 404


def test_a_blank_world_is_built_on_and_somebody_invented(client: FlaskClient) -> None:
    blank = {"name": "dale", "langs": ["en"], "size": [40, 28]}
    assert ask(client, "worlds", blank | {"size": [4, 4]}).status_code == 409
    assert ask(client, "worlds", blank).json == {"id": "dale"}
    assert ask(client, "worlds/dale", method="GET").json["planned"]
    assert ask(client, "worlds/dale/residents").status_code == 409, "there is no bed"
    built = change(client, "map", {"act": "build", "building": "cottage", "at": [5, 5]}).json
    assert built["town"]["sectors"][0]["names"]["en"] == "cottage"
    somebody = ask(client, "worlds/dale/residents").json
    assert somebody["sleeps"] == "cottage/bedroom/bed"
    assert change(client, "residents/rosa", somebody).status_code == 200
    figure = f"looks/figure?look={quote(json.dumps(somebody['look']))}"
    assert client.get(f"/api/v1/{figure}").mimetype == "image/png"
    assert client.get("/api/v1/looks/portrait?look={}").status_code == 409
    assert client.get("/api/v1/looks?who=rosa&pronoun=she").json["look"]["beard"] == ""
    assert client.get("/api/v1/buildings/cottage").mimetype == "image/png"
    assert client.get("/api/v1/grounds/water").mimetype == "image/png"


def test_all_worlds_that_ship_stay_as_they_are(tmp_path: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "data/worlds/*/world.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {Path(file).parent.name for file in tracked} == SHIPPED
    assert not any(is_user_world(name, WORLDS) for name in SHIPPED)
    for name in SHIPPED:
        (tmp_path / f"my-{name}").symlink_to(WORLDS / name)
        assert not is_user_world(f"my-{name}", tmp_path), "under another name, too"


def test_a_change_names_the_version_that_it_is_made_for(client: FlaskClient) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    world = ask(client, "worlds/dale", method="GET").json
    lin, version = world["residents"]["lin_yue"], world["versions"]["lin_yue"]
    assert change(client, "residents/lin_yue", lin, version="").status_code == 428
    assert change(client, "residents/lin_yue", method="DELETE", version="").status_code == 428
    assert change(client, "map", {"act": "floor"}, version="").status_code == 428
    first = change(client, "residents/lin_yue", lin | {"age": 31}, version=f'"{version}"')
    assert first.status_code == 200
    late = change(client, "residents/lin_yue", lin | {"age": 32}, version=f'"{version}"')
    assert (late.status_code, "lin_yue.json" in late.json["error"]) == (412, True)
    assert change(client, "residents/lin_yue", method="DELETE", version=version).status_code == 412
    assert ask(client, "worlds/dale", method="GET").json["residents"]["lin_yue"]["age"] == 31
    assert (
        change(
            client,
            "residents/lin_yue",
            lin | {"age": 32},
            version=first.json["versions"]["lin_yue"],
        ).status_code
        == 200
    )
    assert change(client, "residents/lin_yue", lin, version="new").status_code == 412, (
        "somebody has made one of that name"
    )


def test_six_deletions_at_once_lose_none(tmp_path: Path, client: FlaskClient) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    people = list(residents_of(tmp_path / "worlds" / "dale"))
    with ThreadPoolExecutor(6) as pool:
        replies = list(
            pool.map(
                lambda who: (
                    change(
                        signed_in(client.application), f"residents/{who}", method="DELETE"
                    ).status_code
                ),
                people,
            )
        )
    left = set(residents_of(tmp_path / "worlds" / "dale"))
    assert left == {who for who, status in zip(people, replies, strict=True) if status != 200}
    assert sorted(replies) == [200] * (len(people) - 1) + [409], "a world needs one resident"
    assert lint(tmp_path / "worlds" / "dale").errors == 0


def test_undo_leaves_a_map_that_another_program_has_saved(
    tmp_path: Path, client: FlaskClient
) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    file = tmp_path / "worlds" / "dale" / "map.tmj"
    named = {"act": "name", "room": "cafe/main", "names": {"en": "The Blue Cup"}}
    known = ask(client, "worlds/dale/rooms", method="GET").json["version"]
    version = change(client, "map", named, version=known).json["version"]
    assert change(client, "map", named, version=known).status_code == 412
    by_tiled = file.read_text("utf-8").replace("The Blue Cup", "The Green Cup")
    file.write_text(by_tiled, "utf-8")
    assert change(client, "map", named, version=version).status_code == 412
    assert change(client, "undo", method="POST").status_code == 412
    assert file.read_text("utf-8") == by_tiled
    assert change(client, "undo", method="POST").status_code == 409, (
        "there is nothing to undo any more"
    )


def test_the_changes_of_a_world_are_undone_one_by_one_by_whom_they_are_shown_to(
    tmp_path: Path, client: FlaskClient
) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    folder = tmp_path / "worlds" / "dale"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    lin = ask(client, "worlds/dale", method="GET").json["residents"]["lin_yue"]
    look = ask(client, "looks?who=lin&pronoun=she", method="GET").json["look"]
    named = {"act": "name", "room": "cafe/main", "names": {"en": "The Blue Cup"}}
    first = change(client, "residents/lin_yue", lin | {"age": 31, "look": look}).json["undo"]
    change(client, "map", named)
    last = change(client, "residents/wang_fang", method="DELETE").json["undo"]
    assert ask(client, "worlds/dale", method="GET").json["undo"] == last
    assert change(client, "undo", method="POST", version=first).status_code == 412, (
        "of two editors, one has not seen the other's changes"
    )
    while last:
        last = change(client, "undo", method="POST", version=last).json["undo"]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_map_that_is_saved_during_a_change_is_not_overwritten(
    tmp_path: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    file = tmp_path / "worlds" / "dale" / "map.tmj"
    by_tiled = file.read_bytes() + b"\n"

    def slow(folder: Path, copy: Path) -> LintReport:
        file.write_bytes(by_tiled)
        return without_new_errors(folder, copy)

    monkeypatch.setattr("hometown.authoring.world_changes.without_new_errors", slow)
    assert (
        change(
            client, "map", {"act": "name", "room": "cafe/main", "names": {"en": "The Blue Cup"}}
        ).status_code
        == 412
    )
    assert file.read_bytes() == by_tiled


def test_a_world_that_cannot_be_written_is_told_in_one_line(
    tmp_path: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(tmp_path / "worlds"))

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    for reply in (
        change(client, "residents/lin_yue", method="DELETE"),
        change(client, "map", {"act": "floor"}),
    ):
        assert (reply.status_code, reply.json["error"].count("\n")) == (409, 0)
        assert "Read-only" in reply.json["error"]
