"""Curious neighbours: who may ask the page's server for what, and what it lets be changed."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.paths import DATA
from hometown.storage.inbox import Inbox
from hometown.web.routes_interventions import MOST_WAITING
from hometown.web.security import HEADERS, MAX_BODY_BYTES
from hometown.web.server import create_app
from hometown.world.interventions import Intervention
from tests.support.days import lived_day, set_out
from tests.support.town import live, opened
from tests.web.asking import OUR_PAGE

ADDRESS = "/api/v1/runs/town/interventions"
WISH = {"kind": "tell", "text": "Lin Yue: sing"}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the run `town`, which is three steps old."""
    folder = tmp_path_factory.mktemp("lived")
    set_out(lived_day(tmp_path_factory), folder, 3)
    return folder


@pytest.fixture
def results(lived: Path, tmp_path: Path) -> Path:
    """A copy of that folder, since tests change theirs."""
    return Path(shutil.copytree(lived, tmp_path, dirs_exist_ok=True))


def post(client: FlaskClient, body: Any = WISH, **more: Any) -> Any:
    return client.post(
        ADDRESS,
        data=json.dumps(body),
        **({"content_type": "application/json", "headers": OUR_PAGE} | more),
    )


def asked(results: Path) -> list[Intervention]:
    with opened(results) as run:
        return run.inbox.interventions()


def test_the_page_asks_and_the_run_does_it(results: Path, client: FlaskClient) -> None:
    reply = post(client)
    assert (reply.status_code, reply.json) == (
        201,
        {
            "kind": "tell",
            "target": "lin_yue",
            "text": "sing",
            "step": 0,
            "number": 1,
            "memory": "Lin Yue wants to sing",
        },
    )
    assert (
        post(client, {"kind": "event", "text": "cafe: a window breaks", "at": "07:00"}).json["step"]
        == 7
    )
    assert [one["waiting"] for one in client.get(ADDRESS).json] == [True, True]
    live(results, 1)
    assert [(one["number"], one["waiting"]) for one in client.get(ADDRESS).json] == [
        (2, True),
        (1, False),
    ]


def test_events_and_new_things_are_in_the_pages_answers(results: Path, client: FlaskClient) -> None:
    post(client, {"kind": "place", "text": "cafe: a harp"})
    post(client, {"kind": "event", "text": "cafe: a window breaks"})
    live(results, 6)
    frames = client.get("/api/v1/runs/town/frames?from=1&to=9").json
    assert frames["events"] == [
        {
            "address": "cafe/main",
            "text": "a window breaks",
            "tick": 180,
            "ticks": 180,
            "planted": False,
        }
    ]
    assert client.get("/api/v1/runs/town/frames?from=8&to=9").json["events"] == []
    harp = client.get("/api/v1/runs/town").json["things"]["cafe/main/a_harp"]
    assert (harp["name"], harp["from"]) == ("a harp", 180)


def test_what_is_the_matter_with_a_thing_is_shown_whoever_uses_it(
    results: Path, client: FlaskClient
) -> None:
    post(client, {"kind": "set", "text": "cafe/main/counter: wet"})
    post(client, {"kind": "set", "text": "cafe/main/counter:", "at": "16"})
    live(results, 20)
    for first in (1, 8, 15):
        shown = client.get(f"/api/v1/runs/town/frames?from={first}&to=23").json["things"][
            "cafe/main/counter"
        ]
        wet = [one for one in shown if 180 <= one["tick"] < 15 * 60]
        assert wet
        assert {one["state"] for one in wet} == {"wet"}
        assert "wet" not in {one["state"] for one in shown if not 180 <= one["tick"] < 15 * 60}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:5000",
        "[::1",
        "a b",
    ],
)
def test_a_foreign_name_is_not_answered(client: FlaskClient, host: str) -> None:
    for path in ("/", "/api/v1/runs", "/frontend/js/main.js"):
        reply = client.get(path, headers={"Host": host})
        assert reply.status_code in (400, 403)
        assert "town" not in reply.text.replace("hometown", "")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:5000",
        "127.0.0.1:5000",
        "[::1]:5000",
        "192.168.1.7:5000",
        socket.gethostname(),
        "town.lan",
    ],
)
def test_a_name_of_ours_is(results: Path, host: str) -> None:
    client = create_app(results, DATA / "worlds", ["town.lan"]).test_client()
    assert client.get("/api/v1/runs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"headers": OUR_PAGE | {"Authorization": "Bearer 1"}}, 401),
        ({"headers": OUR_PAGE | {"Authorization": ""}}, 401),
        ({"headers": OUR_PAGE | {"Origin": "http://evil.example"}}, 403),
        ({"headers": OUR_PAGE | {"Origin": "null"}}, 403),
        ({"headers": OUR_PAGE | {"Origin": "http://localhost:81"}}, 403),
        ({"headers": OUR_PAGE | {"Sec-Fetch-Site": "cross-site"}}, 403),
        ({"headers": OUR_PAGE | {"Sec-Fetch-Site": "same-site"}}, 403),
        ({"headers": OUR_PAGE | {"Host": "evil.example", "Origin": "http://evil.example"}}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"body": "x" * MAX_BODY_BYTES}, 413),
        ({"body": []}, 400),
        ({"body": {"kind": "fly", "text": "x"}}, 400),
        ({"body": {"kind": "tell", "text": 3}}, 400),
        ({"body": {"kind": "tell", "text": "Bob: hi"}}, 400),
        ({"body": WISH | {"at": "1"}}, 400),
        ({"body": WISH | {"at": "202502131430"}}, 400),
        ({"body": WISH | {"at": "noon"}}, 400),
    ],
)
def test_what_may_not_be_changed_is_not(
    results: Path, client: FlaskClient, change: dict[str, Any], status: int
) -> None:
    reply = post(client, **change)
    assert reply.status_code == status
    assert reply.json["error"]
    assert asked(results) == []


def test_no_route_that_reads_may_be_posted_to_and_none_that_writes_be_got(
    client: FlaskClient,
) -> None:
    for rule in client.application.url_map.iter_rules():
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        assert methods, rule
        assert not ({"GET"} < methods), f"{rule} reads and changes"


def test_what_waits_is_withdrawn_and_what_has_happened_is_not(
    results: Path, client: FlaskClient
) -> None:
    for at in ("", "08:00", "09:00"):
        assert post(client, WISH | {"at": at}).status_code == 201
    how: dict[str, Any] = {"headers": OUR_PAGE, "content_type": "application/json"}
    assert client.delete(f"{ADDRESS}/2", **how).json == {"withdrawn": 2}
    assert client.delete(f"{ADDRESS}/2", **how).status_code == 409
    live(results, 1)
    assert client.delete(f"{ADDRESS}/1", **how).status_code == 409, "it has happened"
    assert client.delete(f"{ADDRESS}/9", **how).status_code == 409
    assert [(one["number"], one["waiting"]) for one in client.get(ADDRESS).json] == [
        (3, True),
        (1, False),
    ]
    assert post(client).json["number"] == 4, "no number comes twice"
    live(results, 14)
    assert [(one["number"], one["waiting"]) for one in client.get(ADDRESS).json] == [
        (3, True),
        (4, False),
        (1, False),
    ]


def test_a_time_of_day_that_is_over_is_refused(results: Path, client: FlaskClient) -> None:
    reply = post(client, WISH | {"at": "05:00"})
    assert reply.status_code == 400
    assert "20250214-05:00" in reply.json["error"]
    assert post(client, WISH | {"at": "20250214-05:00"}).json["step"] == 139
    assert post(client, WISH | {"at": "06:30"}).json["step"] == 4


def test_an_inbox_holds_only_so_many(results: Path, client: FlaskClient) -> None:
    Inbox(results / "checkpoints" / "town").add(
        [Intervention("tell", "lin_yue", "hm", 99)] * MOST_WAITING, 0
    )
    assert post(client).status_code == 409


def test_every_answer_has_its_headers_and_no_cookie(client: FlaskClient) -> None:
    for path in (
        "/",
        "/?name=town",
        "/?name=no",
        "/api/v1/runs",
        "/nothing",
        "/api/v1/runs/town/nothing",
        "/frontend/js/main.js",
    ):
        reply = client.get(path)
        assert HEADERS.items() <= dict(reply.headers).items(), path
        assert "Set-Cookie" not in reply.headers


def test_no_debugger_whatever_the_surroundings_say(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    assert not create_app(results, DATA / "worlds").debug


@pytest.mark.parametrize(
    "path",
    [
        "../../../pyproject.toml",
        "%2e%2e/%2e%2e/pyproject.toml",
        "..%2f..%2fworld.json",
        "world.json",
        "residents/lin_yue.json",
        "/etc/passwd",
    ],
)
def test_no_file_but_those_that_the_map_names(client: FlaskClient, path: str) -> None:
    assert client.get(f"/api/v1/runs/town/{path}").status_code in (308, 404)
    assert client.get(f"/frontend/{path}").status_code in (308, 404)


def test_a_long_query_is_refused(client: FlaskClient) -> None:
    assert client.get("/api/v1/runs?x=" + "a" * 9000).status_code == 414
