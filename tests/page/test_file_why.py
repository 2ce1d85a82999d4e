"""`replay.html` tells why: what it works out of what it carries is what the server answers, and it is seen from the disk with the network off."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from flask.testing import FlaskClient

from modules.cli.compress import compress
from modules.paths import DATA
from modules.replay import carried
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.server import create_app
from tests.page.browsing import DESKTOP, PHONE, expect
from tests.page.conftest import Visit
from tests.town import live

STEPS = 60
RUN = "/api/runs/lived"

EVERY = """async ([answers, queries]) => {
  const { VIEWS } = await import("/frontend/js/views.js");
  const load = async (key) => structuredClone(answers[key]);
  const answer = ([path, query]) => VIEWS.find(([pattern]) => pattern.test(path))[1](load, new URLSearchParams(query), []);
  return Promise.all(queries.map(answer));
}"""
"""What the page of a file answers to each of some requests."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with `lived`: minitown's morning, with talks and reflections."""
    folder = tmp_path_factory.mktemp("results")
    with ThreadPoolExecutor(1) as other:  # in this thread the browser's event loop may be running
        other.submit(live, folder, STEPS, name="lived", settings={"think": {"poignancy_max": 40}}).result()
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


def requests(client: FlaskClient) -> list[tuple[str, str]]:
    """(path, query) of what may be asked: actions, memories, calls, talks and lines, and who knows of a word."""
    asked: list[dict[str, Any]] = []
    for resident in client.get(RUN).json["residents"]:  # type: ignore[index]
        who = resident["id"]
        asked += [{"resident": who, "step": step} for step in (0, 1, 7, 24, 25, 48, STEPS)]
        asked += [{"resident": who, "memory": one["id"]} for one in client.get(f"{RUN}/residents/{who}/memories?limit=200").json["items"][::7]]  # type: ignore[index]
        asked.append({"resident": who, "step": STEPS, "kind": "nothing", "ordinal": 0})
    for talk in client.get(f"{RUN}/talks").json["items"]:  # type: ignore[index]
        asked += [{"talk": talk["id"], "line": line} for line in range(-1, len(talk["lines"]))]
    whys = [("why", urlencode(one | prompt)) for one in asked for prompt in ({}, {"prompt": 1})]
    return whys + [("insight/spread", urlencode({"text": word})) for word in ("coffee", "TASTING", "e", "nothing of the kind")]


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what is left out of a file as nobody sees it: what came back at first, where that was used as it came."""
    if (answer.get("call") or {}).get("outcome") == "ok":
        answer["call"]["attempts"] = []
    return answer


def test_what_is_carried_answers_as_the_server_does(visit: Visit, results: Path, client: FlaskClient) -> None:
    answers: dict[str, Any] = {}
    with RunReader.open(results, "lived") as run:
        for block in carried.answers(run, Names.of(run.manifest, DATA / "worlds"), client, "lived"):
            answers |= block
    asked = requests(client)
    found = visit("/?name=lived&step=1").evaluate(EVERY, [answers, asked])
    for (path, query), answer in zip(asked, found, strict=True):
        assert told(answer) == told(client.get(f"{RUN}/{path}", query_string=parse_qsl(query)).json), (path, query)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_why_is_told_without_a_server(watched: Visit, results: Path, client: FlaskClient, size: dict[str, int]) -> None:
    talk = client.get(f"{RUN}/talks").json["items"][0]  # type: ignore[index]
    file = compress(results, "lived", html=True)[-1].as_uri()
    reason = quote(urlencode({"talk": talk["id"], "line": 0}))
    page = watched(f"{file}?step=1&speed=0&lang=en&tab=why&why={reason}", size, offline=True, reduced_motion="reduce")
    if size == PHONE:
        page.click("#panel-toggle")
    expect(page.locator("#panel-why blockquote")).to_have_text(talk["lines"][0]["text"])
    expect(page.locator("#panel-why .outcome")).to_be_visible()
    page.click("#panel-why details.prompt summary")
    expect(page.locator("#panel-why .messages pre").first).not_to_be_empty()
    page.locator("#panel-why .memories .why-button").first.click()
    expect(page.locator("#panel-why .back")).to_be_visible()
    expect(
        page.locator("#panel-why .subject.of-event, #panel-why .subject.of-thought, #panel-why .subject.of-chat, #panel-why .subject.of-plan")
    ).to_be_visible()


def test_long_runs_leave_their_prompts_to_the_server(watched: Visit, results: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried, "PROMPTS_AT_MOST", 1)
    talk = client.get(f"{RUN}/talks").json["items"][0]  # type: ignore[index]
    file = compress(results, "lived", html=True)[-1].as_uri()
    reason = quote(urlencode({"talk": talk["id"], "line": 0}))
    page = watched(f"{file}?step=1&speed=0&lang=en&tab=why&why={reason}", DESKTOP, offline=True, reduced_motion="reduce")
    page.click("#panel-why details.prompt summary")
    expect(page.locator("#panel-why .messages")).to_contain_text("needs the server")
