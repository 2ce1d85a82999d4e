"""Laws from the page: the book as it is, a draft, a trial line by line, and what may be entered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.paths import DATA
from hometown.study.laws import proposal
from hometown.web import routes_laws
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.once import made_once
from tests.support.society import societal
from tests.support.town import live, opened
from tests.web.asking import OUR_PAGE, signed_in

PRICE = '{"fixtures":{"cafe/main/counter":{"shop":{"sells":{"loaf":33}}}}}'
FAMINE = '{"needs":{"hunger":{"awake":-900,"asleep":-900}}}'


@pytest.fixture
def client(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> FlaskClient:
    monkeypatch.setattr(routes_laws, "DEFAULT_TRIAL_DAYS", 1)
    made = made_once(
        tmp_path_factory, "society-hour", lambda folder: live(folder, 3, world=societal(folder))
    )
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return signed_in(create_app(tmp_path, DATA / "worlds", access=Access(token="a token")))


def post(client: FlaskClient, below: str = "", lang: str = "en", **body: Any) -> Any:
    address = f"/api/v1/runs/town/laws{below}?lang={lang}"
    return client.post(
        address, data=json.dumps(body), content_type="application/json", headers=OUR_PAGE
    )


def tried(client: FlaskClient, patch: str) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in post(client, "/trial", patch=patch).get_data(as_text=True).splitlines()
    ]


def test_the_book_is_told_as_it_is(client: FlaskClient) -> None:
    entries = {entry["path"]: entry for entry in client.get("/api/v1/runs/town/laws").json}
    assert entries["kinds/loaf"]["name"] == "bread"
    assert entries["fixtures/cafe/main/counter"]["entry"]["shop"] == {
        "sells": {"loaf": 30},
        "opens": "06:00",
        "closes": "22:00",
    }


def test_somebody_who_moves_in_is_drafted_and_tried_like_a_law(
    client: FlaskClient, tmp_path: Path
) -> None:
    drafted = post(
        client, "/draft", words="Rosa Bell, a baker of 41, moves in with Lin Yue", about="residents"
    ).json
    assert drafted["faults"] == []
    shape, *_, verdict = tried(client, drafted["patch"])
    assert shape["changes"][0] == '+ people/rosa_bell.house: "lin"'
    assert verdict["harmless"]
    assert post(client, patch=drafted["patch"]).status_code == 201
    with opened(tmp_path) as run:
        assert "Rosa Bell, baker, lives at" in run.inbox.interventions()[0].memory


def test_a_law_is_entered_once_it_was_tried(client: FlaskClient, tmp_path: Path) -> None:
    assert "try it first" in post(client, patch=PRICE).json["error"]
    shape, day, verdict = tried(client, PRICE)
    assert shape["changes"] == ["~ fixtures/cafe/main/counter.shop.sells.loaf: 30 → 33"]
    assert (day, verdict["harmless"]) == ({"day": 1, "days": 1}, True)
    assert [line["name"] for line in verdict["needs"]] == ["energy", "health", "food"]
    entered = post(client, patch=PRICE, at="300")
    assert (entered.status_code, entered.json["memory"]) == (
        201,
        "From now on, bread costs 33 coins at the counter.",
    )
    with opened(tmp_path) as run:
        assert [(law.kind, law.step, law.text) for law in run.inbox.interventions()] == [
            ("law", 300, PRICE)
        ]


def test_what_the_town_would_not_bear_has_to_be_insisted_on(client: FlaskClient) -> None:
    verdict = tried(client, FAMINE)[-1]
    assert not verdict["harmless"]
    assert verdict["needs"][2]["changed"] == [0]
    assert verdict["needs"][2]["unchanged"] > [0]
    assert post(client, patch=FAMINE).status_code == 409
    assert post(client, patch=FAMINE, force=True).status_code == 201


def test_a_fault_is_told_in_the_users_language_and_never_entered(client: FlaskClient) -> None:
    (shape,) = tried(client, '{"kinds":{"loaf":{"grams":1}}}')
    assert "weighs 400 g" in shape["faults"][0]
    refused = post(client, lang="zh", patch='{"kinds":{"loaf":{"grams":1}}}', force=True)
    assert refused.status_code == 400
    assert "不能从此改成" in refused.json["error"]


def test_a_draft_is_a_patch(client: FlaskClient) -> None:
    drafted = post(client, "/draft", words="Tomorrow bread costs 50").json
    assert (json.loads(drafted["patch"]), drafted["at"]) == (
        {"fixtures": {"cafe/main/counter": {"shop": {"sells": {"loaf": 50}}}}},
        "20250214-00:00",
    )
    assert "sees nothing" in post(client, "/draft", words="peace").json["error"]


@pytest.mark.parametrize(
    "body",
    [{"patch": 3}, {"patch": "x" * (proposal.MAX_PATCH_CHARACTERS + 1)}, {"patch": "{}", "at": 7}],
)
def test_what_is_no_law_is_refused(client: FlaskClient, body: dict[str, Any]) -> None:
    assert post(client, **body).status_code == 400
