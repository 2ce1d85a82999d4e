"""Visits over the API: a link lets others visit one run and nothing else, and nobody acts for
another visitor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.paths import WORLDS
from hometown.storage.lock import RunLock
from hometown.storage.run_names import run_folder
from hometown.web import routes_visits, visit_links
from hometown.web.access import Access
from hometown.web.attempts import AttemptRate
from hometown.web.presence import GRACE_SECONDS, PRESENCE, VisitorPresence
from hometown.web.routes_visits import PASS_HEADER
from hometown.web.server import create_app
from tests.support.town import live, minitown, state_of

MORNING = datetime(2025, 2, 13, 9, 0)
CAFE = minitown().open_tiles["cafe/main"][0]
VISITS = "/api/v1/runs/town/visits"
NOOR = f"{VISITS}/visitor_noor_haddad"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("visited")
    live(folder, 1, start=MORNING)
    return folder


@pytest.fixture
def new_browser(results: Path) -> Callable[[], FlaskClient]:
    app = create_app(results, WORLDS, access=Access(token="a-token", key=b"k" * 32))
    return app.test_client


@contextmanager
def living(results: Path) -> Iterator[None]:
    """Hold the run as a process that lives it does."""
    lock = RunLock(run_folder(results, "town"))
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


def come(new_browser: Callable[[], FlaskClient]) -> FlaskClient:
    """Return a browser that has followed the link that the host has made."""
    host, guest = new_browser(), new_browser()
    host.get("/?token=a-token")
    token = host.post(f"{VISITS}/link", json={}).json["token"]
    assert guest.get(f"/?name=town&visit={token}").location == "./?name=town"
    return guest


@pytest.mark.parametrize(
    ("host", "listens", "proxy", "root", "is_reachable"),
    [
        ("127.0.0.1:5000", [], "", "http://127.0.0.1:5000", False),
        ("127.0.0.1:5000", ["0.0.0.0"], "", "http://192.168.0.7:5000", True),
        ("192.168.0.7:5000", ["0.0.0.0"], "", "http://192.168.0.7:5000", True),
        ("127.0.0.1:5000", [], "https://school.example/town/", "https://school.example/town", True),
    ],
)
def test_a_link_has_the_address_for_other_devices(
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    listens: list[str],
    proxy: str,
    root: str,
    is_reachable: bool,
) -> None:
    monkeypatch.setattr(visit_links, "find_own_address", lambda: "192.168.0.7")
    access = Access(guarded=False, proxy=proxy)
    client = create_app(results, WORLDS, listens, access).test_client()
    sent = client.post(f"{VISITS}/link?lang=zh", json={}, headers={"Host": host})
    assert sent.json is not None
    assert sent.json["is_reachable"] is is_reachable
    assert sent.json["address"] == f"{root}/?name=town&visit={sent.json['token']}&lang=zh"
    assert sent.json["code"].startswith("data:image/svg+xml")


@pytest.fixture
def no_act_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the limit of a visitor's acts not depend on how fast they come."""
    monkeypatch.setattr(routes_visits, "RATE_OF_VISITOR", AttemptRate(10, 3600.0))


def test_a_link_lets_others_visit_one_run(
    no_act_is_forgotten: None, new_browser: Any, results: Path
) -> None:
    guest = come(new_browser)
    seen = guest.get("/?name=town")
    assert seen.status_code == 200
    assert "data-may-visit" in seen.text
    assert "data-may-change" not in seen.text
    assert guest.get("/api/v1/runs/town").status_code == 200
    assert guest.get("/api/v1/looks?name=town&who=noor").status_code == 200
    for path in ("/", "/api/v1/runs", "/api/v1/runs/other", "/api/v1/runs/town/beside/other"):
        assert guest.get(path).status_code == 401, path
    for path in ("visits/link", "interventions", "pause", "branch", "questions"):
        assert guest.post(f"/api/v1/runs/town/{path}", json={}).status_code == 401, path
    assert new_browser().post(VISITS, json={"called": "Noor Haddad"}).status_code == 401
    assert guest.post(VISITS, json={"called": "Noor Haddad"}).status_code == 409, "the town rests"
    with living(results):
        answers = [guest.post(VISITS, json={"called": "Xiao Mei"}).status_code for _ in range(11)]
    assert answers == [400] * 10 + [429]


def test_a_visitor_enters_walks_and_speaks(new_browser: Any, results: Path) -> None:
    guest, other = come(new_browser), come(new_browser)
    look = guest.get("/api/v1/looks?name=town&who=noor").json["look"]
    with living(results):
        asked = {"called": "Noor Haddad", "look": look}
        mine: Any = guest.post(VISITS, json=asked).json
        assert other.post(VISITS, json=asked).status_code == 409, "one name, one visitor"
        assert guest.post(VISITS, json={"called": "Xiao Mei"}).status_code == 400
        assert guest.post(VISITS, json={"called": None}).status_code == 400
        assert guest.get(NOOR).json == {"entered": False}
        for act in ({}, {"pass": "of another"}):
            assert other.post(NOOR, json={"kind": "leave", **act}).status_code == 403
        assert guest.post(NOOR, json={"kind": "leave", **mine}).status_code == 409, "on the way"
    live(results, 1)
    with living(results):
        assert guest.get(NOOR).json["entered"]
        people = guest.get("/api/v1/runs/town").json["residents"]
        assert people[-1]["sprite"].startswith("data:image/png")
        assert guest.post(NOOR, json={"kind": "walk", "tile": [-9, -9], **mine}).status_code == 400
        assert guest.post(NOOR, json={"kind": "walk", "tile": CAFE, **mine}).status_code == 200
    live(results, 2)
    assert state_of(results).body("visitor_noor_haddad").tile == CAFE
    with living(results):
        (near, *_) = guest.get(NOOR).json["near"]
        for words in ("Good morning!", ""):
            said = {"kind": "say", "text": words, "to": near["who"], **mine}
            assert guest.post(NOOR, json=said).status_code == 200
        long = {"kind": "say", "text": "a" * 501, "to": near["who"], **mine}
        assert guest.post(NOOR, json=long).status_code == 400
    live(results, 1)
    (first, answer, *_) = guest.get(f"{NOOR}?since=4").json["lines"]
    assert first["text"] == "Good morning!"
    assert answer["speaker"] == near["who"]
    assert guest.get(f"{NOOR}?since={10**20}").json["lines"] == []


def test_who_cannot_leave_is_sent_away_later_and_keeps_nobody_else() -> None:
    sent: list[str] = []

    def send_away(_run: str, who: str) -> None:
        sent.append(who)
        if sent == ["ann"]:
            raise OSError("No space left on device")

    presence = VisitorPresence(send_away)
    for who in ("ann", "ben"):
        presence.note("town", who)
    presence.check(time.monotonic() + 2 * GRACE_SECONDS)
    presence.check(time.monotonic() + GRACE_SECONDS / 2)
    assert sent == ["ann", "ben"]
    presence.check(time.monotonic() + 2 * GRACE_SECONDS)
    assert sent == ["ann", "ben", "ann"]


def test_a_visitor_whose_page_is_gone_leaves_town(new_browser: Any, results: Path) -> None:
    guest = come(new_browser)
    presence: VisitorPresence = guest.application.extensions[PRESENCE]
    with living(results):
        mine: Any = guest.post(VISITS, json={"called": "Ben Okri"}).json
    live(results, 1)
    who = mine["who"]
    guest.get(f"{VISITS}/{who}")
    presence.check(time.monotonic() + 2 * GRACE_SECONDS)
    guest.get(f"{VISITS}/{who}", headers={PASS_HEADER: mine["pass"]})
    presence.check(time.monotonic() + GRACE_SECONDS / 2)
    live(results, 1)
    assert not state_of(results).is_away(who)
    presence.check(time.monotonic() + 2 * GRACE_SECONDS)
    live(results, 1)
    assert state_of(results).is_away(who)
