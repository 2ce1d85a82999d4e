"""The editor's API: worlds are listed, copied, and their residents changed; what ships is refused, in the page's language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.web.access import Access
from hometown.web.server import create_app
from hometown.world.load import list_worlds, load_world
from tests.web.asking import ask, signed_in


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    """A server whose user has no worlds yet."""
    (tmp_path / "worlds").mkdir()
    return signed_in(create_app(tmp_path / "results", tmp_path / "worlds", access=Access(token="a token")))


def test_a_copy_is_edited(tmp_path: Path, client: FlaskClient) -> None:
    assert {world["id"]: world["own"] for world in ask(client, "worlds", method="GET").json} == dict.fromkeys(list_worlds(), False)
    assert ask(client, "worlds", {"world": "minitown", "name": "dale"}).json == {"id": "dale"}
    world = ask(client, "worlds/dale", method="GET").json
    assert (world["own"], world["names"], world["langs"]) == (True, {"en": "dale", "zh": "dale"}, ["en", "zh"])
    cafe = next(arena for arena in world["arenas"] if arena["id"] == "cafe/main")
    assert (cafe["names"]["zh"], cafe["private"]) == (load_world("minitown", "zh").arenas["cafe/main"].name, False)
    assert {thing["id"] for thing in world["things"] if thing["bed"]} >= {person["sleeps"] for person in world["residents"].values()}

    lin = world["residents"]["lin_yue"] | {"age": 31}
    assert ask(client, "worlds/dale/residents/lin_yue/check", lin).json["problems"] == world["problems"]
    assert ask(client, "worlds/dale/residents/lin_yue", lin, method="PUT").json["residents"]["lin_yue"]["age"] == 31
    assert load_world("dale", "en", tmp_path / "worlds").personas["lin_yue"].age == 31
    assert "lin_yue" not in ask(client, "worlds/dale/residents/lin_yue", method="DELETE").json["residents"]


def test_what_is_wrong_is_told_in_the_language_of_the_page(client: FlaskClient) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    lost = ask(client, "worlds/dale", method="GET").json["residents"]["lin_yue"] | {"home": "nowhere"}
    problems = ask(client, "worlds/dale/residents/lin_yue/check?lang=zh", lost).json["problems"]
    assert problems[0]["level"] == "error"
    assert "没有叫" in problems[0]["line"]
    refused = ask(client, "worlds/dale/residents/lin_yue", lost, method="PUT")
    assert refused.status_code == 409
    assert "nowhere" in refused.json["error"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "/minitown/residents/lin_yue", {}, 403),
        ("DELETE", "/ville/residents/maria_lopez", {}, 403),
        ("GET", "/nowhere", None, 404),
        ("PUT", "/nowhere/residents/ada", {}, 404),
        ("POST", "", {"world": "nowhere", "name": "dale"}, 409),
        ("POST", "", {"world": "minitown", "name": "../up"}, 409),
        ("POST", "", {"world": ["minitown"], "name": None}, 409),
        ("GET", "/minitown/portraits/..%2Fworld.json", None, 404),
        ("GET", "/minitown/residents/lin_yue.json", None, 404),
    ],
)
def test_what_is_refused(tmp_path: Path, client: FlaskClient, method: str, path: str, body: Any, status: int) -> None:
    before = load_world("minitown", "en").personas
    assert ask(client, f"worlds{path}", body, method).status_code == status
    assert list((tmp_path / "worlds").iterdir()) == []
    assert load_world("minitown", "en").personas == before


def test_pictures(client: FlaskClient) -> None:
    assert client.get("/api/v1/worlds/minitown/portraits/lin_yue.png").mimetype == "image/png"
    assert client.get("/api/v1/worlds/minitown/picture").mimetype == "image/webp"


def test_the_map_of_a_copy_is_painted_and_the_last_change_undone(tmp_path: Path, client: FlaskClient) -> None:
    ask(client, "worlds", {"world": "minitown", "name": "dale"})
    known = ask(client, "worlds/dale/rooms", method="GET").json
    assert {"id": "piano", "names": {"en": "piano", "zh": "钢琴"}, "size": [2, 2]} in known["kinds"]
    stroke = {"act": "put", "room": "cafe/main", "kind": "vase"}
    assert ask(client, "worlds/dale/map", stroke, "PUT").status_code == 409
    named = {"act": "name", "room": "cafe/main", "names": {"en": "The Blue Cup"}}
    assert ask(client, "worlds/dale/map/check", named).json["problems"] == ask(client, "worlds/dale", method="GET").json["problems"]
    assert ask(client, "worlds/dale/map", named, "PUT").json["undo"] == 1
    assert load_world("dale", "en", tmp_path / "worlds").arenas["cafe/main"].name == "The Blue Cup"
    assert ask(client, "worlds/dale/map/undo").json["undo"] == 0
    assert load_world("dale", "en", tmp_path / "worlds").arenas["cafe/main"].name != "The Blue Cup"
    assert ask(client, "worlds/dale/map/undo").status_code == 409
    assert ask(client, "worlds/dale/map", {"act": "jump"}, "PUT").status_code == 409
    assert client.get("/api/v1/worlds/dale/part/3/2/4/5").mimetype == "image/png"
    assert client.get("/api/v1/kinds/piano").mimetype == "image/png"
    assert client.get("/api/v1/kinds/plant").status_code == 404
