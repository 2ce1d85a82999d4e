"""`replay.html` explains why, opened from the disk with the network off."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient

from hometown.export import embedded
from hometown.export.write import export_run
from hometown.paths import DATA
from hometown.web.server import create_app
from tests.page.browsing import DESKTOP, LIVED, PHONE, expect
from tests.page.conftest import Visit

RUN = "/api/v1/runs/lived-en"


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_why_is_told_without_a_server(
    watched: Visit, results: Path, client: FlaskClient, size: dict[str, int]
) -> None:
    talk = client.get(f"{RUN}/conversations?from=1&to={LIVED}").json["items"][0]  # type: ignore[index]
    file = export_run(results, "lived-en", html=True)[-1].as_uri()
    reason = quote(urlencode({"conversation": talk["id"], "line": 0}))
    page = watched(
        f"{file}?step=1&speed=0&lang=en&tab=why&why={reason}",
        size,
        offline=True,
        reduced_motion="reduce",
    )
    if size == PHONE:
        page.click("#panel-toggle")
    expect(page.locator("#panel-why blockquote")).to_have_text(talk["lines"][0]["text"])
    expect(page.locator("#panel-why .outcome")).to_be_visible()
    page.click("#panel-why details.prompt summary")
    expect(page.locator("#panel-why .messages pre").first).not_to_be_empty()
    page.locator("#panel-why .memories .why-button").first.click()
    expect(page.locator("#panel-why .back")).to_be_visible()
    expect(
        page.locator(
            "#panel-why .subject.of-event, #panel-why .subject.of-thought, #panel-why .subject.of-chat, #panel-why .subject.of-plan"
        )
    ).to_be_visible()


def test_long_runs_leave_their_prompts_to_the_server(
    watched: Visit, results: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "PROMPTS_AT_MOST", 1)
    talk = client.get(f"{RUN}/conversations?from=1&to={LIVED}").json["items"][0]  # type: ignore[index]
    file = export_run(results, "lived-en", html=True)[-1].as_uri()
    reason = quote(urlencode({"conversation": talk["id"], "line": 0}))
    page = watched(
        f"{file}?step=1&speed=0&lang=en&tab=why&why={reason}",
        DESKTOP,
        offline=True,
        reduced_motion="reduce",
    )
    page.click("#panel-why details.prompt summary")
    expect(page.locator("#panel-why .messages")).to_contain_text("needs the server")
