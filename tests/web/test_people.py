"""The API about residents: it tells the truth, never of the future, and bears every request."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.agent.planning.entry_origins import REASON_ORIGIN
from hometown.paths import DATA
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.web.server import create_app
from tests.support.days import set_out, thoughtful_day
from tests.support.page_views import PageViews, page_views, served
from tests.support.synthetic_run import NEWS, make_run

STEPS = 60
LIVED = "/api/v1/runs/lived"
QUERY = "coffee with a friend"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    make_run(folder, "sample")
    make_run(folder, "modelled")
    set_out(thoughtful_day(tmp_path_factory), folder, STEPS, "lived")
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


@pytest.fixture(scope="module")
def people(results: Path) -> list[str]:
    with RunFile.open(results, "lived") as run:
        return run.manifest.residents


@pytest.fixture(scope="module")
def page(results: Path) -> Iterator[PageViews]:
    """The page's views of these runs."""
    with page_views("server", served(results)) as views:
        yield views


# knowing a resident -----------------------------------------------------------------------------


def test_a_resident(page: PageViews, people: list[str]) -> None:
    one = page.get("lived", f"residents/{people[0]}")
    assert one["persona"]["age"] > 0
    assert one["mind"]["currently"]
    entries = one["schedule"]["entries"]
    assert (entries[0]["start"], entries[-1]["end"]) == (0, 1440)
    assert {task["status"] for entry in entries for task in entry["tasks"]} >= {"done"}
    assert [other["closeness"] for other in one["relations"]] == sorted(
        (other["closeness"] for other in one["relations"]), reverse=True
    )


def test_what_a_talk_changed_in_the_day_is_said(page: PageViews, people: list[str]) -> None:
    entries = [
        entry
        for who in people
        for entry in page.get("lived", f"residents/{who}")["schedule"]["entries"]
    ]
    agreed = [entry for entry in entries if entry["kind"] == "appointment"]
    assert agreed, "nobody agreed on anything"
    for entry in agreed:
        changed = entry["changed"]
        assert changed["with"]
        assert set(changed["with"]) <= set(people)
        assert changed["conversation"] == entry["origin"]
        assert changed["instead"]
    for entry in entries:
        if entry not in agreed:  # planned, or resolved alone
            assert entry["origin"] == "plan" or entry["origin"].startswith(REASON_ORIGIN)
            assert entry["changed"] is None


def test_nothing_of_a_resident_comes_from_the_future(page: PageViews, people: list[str]) -> None:
    now = 20 * 60
    for who in people:
        one = page.get("lived", f"residents/{who}", step=20)
        ticks = [talk["tick"] for other in one["relations"] for talk in other["last"]]
        ticks += [
            entry["changed"]["tick"] for entry in one["schedule"]["entries"] if entry["changed"]
        ]
        assert all(tick < now for tick in ticks)
        assert all(other["conversations"] >= len(other["last"]) for other in one["relations"])


@settings(deadline=None, max_examples=40)
@given(
    step=st.integers(0, STEPS), at=st.integers(0, 20), query=st.sampled_from(["", QUERY, "市长"])
)
def test_no_memory_comes_from_the_future(
    page: PageViews, people: list[str], step: int, at: int, query: str
) -> None:
    who = people[at % len(people)]
    ranked = page.get("lived", f"residents/{who}/memories", step=step, query=query, limit=200)[
        "items"
    ]
    assert all(
        memory["step"] <= step
        and memory["tick"] <= step * 60
        and (memory["used"] or 0) <= step * 60
        for memory in ranked
    )


def test_words_stand_in_for_vectors_that_need_a_model(page: PageViews, results: Path) -> None:
    with sqlite3.connect(file_of(results, "modelled")) as database:
        manifest = orjson.loads(
            database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()[0]
        )
        database.execute(
            "UPDATE meta SET value = ? WHERE key = 'manifest'",
            (orjson.dumps(manifest | {"embedding": "ollama:x"}),),
        )
    search = page.get("modelled", "residents/ana/memories", query="tasting Friday")
    assert search["by"] == "words"
    assert NEWS in search["items"][0]["text"]


def test_memories_are_filtered(page: PageViews, people: list[str]) -> None:
    path = f"residents/{people[0]}/memories"
    everything = page.get("lived", path, limit=200)
    thoughts = page.get("lived", path, type="thought,plan", limit=200)
    assert {one["type"] for one in thoughts["items"]} <= {"thought", "plan"}
    assert all(one["poignancy"] >= 4 for one in page.get("lived", path, min=4, limit=200)["items"])
    word = everything["items"][0]["text"].split()[0].upper()
    assert all(
        word.lower() in one["text"].lower()
        for one in page.get("lived", path, text=word, limit=200)["items"]
    )
    second = page.get("lived", path, offset=5, limit=5)
    assert second["items"] == everything["items"][5:10]
    assert second["total"] == everything["total"]


def test_a_trail_adds_up(page: PageViews, people: list[str]) -> None:
    trail = page.get("lived", f"residents/{people[0]}/trail", **{"from": 1, "to": STEPS})
    assert sum(trail["stood"][2::3]) == STEPS * 60
    assert len(trail["moves"]) % 3 == 0
    assert trail["places"][0]["minutes"] <= STEPS * 10


# why --------------------------------------------------------------------------------------------


def test_every_action_has_a_cause(page: PageViews, people: list[str]) -> None:
    for who in people:
        for step in range(0, STEPS + 1, 7):
            explanation = page.get("lived", "why", resident=who, step=step)
            assert explanation["cause"].startswith(("call:", "rule:"))
            assert explanation["what"]["text"]
            assert explanation["step"] <= step
            if explanation["call"]:
                assert any(
                    one["text"] == explanation["what"]["text"]
                    for one in explanation["led_to"]
                    if one["type"] == "action"
                )


def test_every_line_and_talk_has_its_cause(page: PageViews) -> None:
    openings = set()
    for talk in page.get("lived", "conversations")["items"]:
        for number, line in enumerate(talk["lines"]):
            explanation = page.get("lived", "why", conversation=talk["id"], line=number)
            assert (explanation["what"]["text"], explanation["resident"]) == (
                line["text"],
                line["speaker"],
            )
            assert explanation["call"]["kind"] == "utterance"
            assert explanation["call"]["outcome"] == "ok"
        opening = page.get("lived", "why", conversation=talk["id"])
        openings.add(opening["cause"].partition("#")[0])
        if opening["cause"] == "rule:met":
            assert opening["call"] is None
            assert is_agreed(page, talk), talk["id"]
        else:
            assert opening["call"]["kind"] in ("react", "approach")
    assert openings & {"call:react", "call:approach"}


def is_agreed(page: PageViews, talk: dict[str, Any]) -> bool:
    """Return True if those who talk had an appointment for then."""
    minute = 360 + 10 * (talk["step"] - 1)
    return all(
        any(
            entry["kind"] == "appointment" and entry["start"] <= minute < entry["end"]
            for entry in page.get("lived", f"residents/{who}", step=talk["step"] - 1)["schedule"][
                "entries"
            ]
        )
        for who in talk["people"]
    )


def test_a_day_was_planned_by_the_call_whose_effect_it_is(
    page: PageViews, people: list[str]
) -> None:
    explanation = page.get("lived", "why", resident=people[0], step=1, plan=1)
    assert explanation["call"]["kind"] == "schedule_daily"
    assert {"type": "plan", "text": "DayPlanned"} in explanation["led_to"]


def test_prompts_are_sent_only_when_asked_for(page: PageViews, people: list[str]) -> None:
    brief = page.get("lived", "why", resident=people[0], kind="wake_up", ordinal=0, step=1)["call"]
    whole = page.get(
        "lived", "why", resident=people[0], kind="wake_up", ordinal=0, step=1, prompt=1
    )["call"]
    assert brief["recorded"]
    assert brief["messages"] == []
    assert whole["messages"][0]["role"] == "system"


def test_a_thought_rests_on_what_was_retrieved_and_lived(
    page: PageViews, people: list[str]
) -> None:
    reflections = [
        one
        for who in people
        for one in page.get("lived", f"residents/{who}/memories", type="thought", limit=200)[
            "items"
        ]
        if one["evidence"]
    ]
    assert reflections, "nobody reflected"
    for one in reflections:
        because = page.get("lived", "why", resident=one["who"], memory=one["id"])
        assert because["call"]["kind"].startswith("reflect")
        if because["call"]["retrieved"]:
            assert set(one["evidence"]) <= {memory["id"] for memory in because["call"]["retrieved"]}
        branch = page.get("lived", f"residents/{one['who']}/memories/{one['id']}/evidence")
        assert [below["memory"]["id"] for below in branch["evidence"]] == one["evidence"]
        assert all(leaf["id"] < one["id"] for leaf in leaves(branch))


def leaves(branch: dict[str, Any]) -> list[dict[str, Any]]:
    return [leaf for below in branch["evidence"] for leaf in leaves(below)] or [branch["memory"]]


def test_a_retry_and_a_fallback_are_named(page: PageViews, results: Path) -> None:
    with sqlite3.connect(file_of(results, "sample")) as database:
        database.execute(
            "INSERT INTO calls VALUES (3, 'ana', 'utterance', 0, 'ollama:x', 'fallback', ?, ?, ?, NULL, 1, 1, 1)",
            (b"{}", b'[{"text":"nonsense","error":"no JSON"}]', b"[]"),
        )
    call = page.get("sample", "why", conversation="3-ana", line=0)["call"]
    assert (call["outcome"], call["model"], call["attempts"][0]["error"], call["recorded"]) == (
        "fallback",
        "ollama:x",
        "no JSON",
        False,
    )


# reading ----------------------------------------------------------------------------------------


def test_talks_are_searched(page: PageViews, people: list[str]) -> None:
    everything = page.get("lived", "conversations")
    word = everything["items"][0]["lines"][0]["text"].split()[-1]
    assert everything["items"][0] in page.get("lived", "conversations", text=word.upper())["items"]
    pair = page.get("lived", "threads")[0]
    of_them = page.get("lived", "conversations", who=",".join(pair["people"]))
    assert of_them["total"] == pair["conversations"]
    assert all(set(pair["people"]) <= set(talk["people"]) for talk in of_them["items"])
    pairs = sum(comb(len(talk["people"]), 2) for talk in everything["items"])
    assert (
        sum(one["conversations"] for one in page.get("lived", "threads"))
        == pairs
        >= everything["total"]
        == len(everything["items"])
    )


def test_a_diary_covers_the_day(page: PageViews, people: list[str]) -> None:
    day = page.get("lived", f"residents/{people[0]}/diary")
    assert day["stays"][0]["tick"] == 0
    assert day["stays"][-1]["end"] == STEPS * 60
    assert day["plans"]


def test_the_report_is_that_of_compress(client: FlaskClient) -> None:
    reply = client.get(f"{LIVED}/report.md")
    assert reply.text.startswith("# ")
    assert reply.headers["Content-Disposition"].startswith("attachment")


# every request ----------------------------------------------------------------------------------

NUMBER = st.one_of(
    st.integers(-5, 70).map(str),
    st.sampled_from(["", "x", "1e9", "-1", "9" * 30, "9" * 5000, "NaN", "٣", "1.5"]),
)
TEXT = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "coffee",
            "的",
            "%",
            "_",
            "'",
            '"',
            "\x00",
            "ana",
            "3-ana",
            "2025-02-13",
            "9999-99-99",
            "0001-01-01",
        ]
    ),
)
WHO = st.one_of(st.sampled_from(["ana", "bo", "cy"]), TEXT)
QUERIES = st.fixed_dictionaries({}, optional=dict.fromkeys(("from", "to", "step"), NUMBER))
PARTS = st.sampled_from(
    [
        "",
        "/memories",
        "/trail",
        "/causes",
        "/prompts",
        "/marks",
        "/diary/2025-02-13",
        "/diary/x",
        "/nothing",
    ]
)
PATHS = st.one_of(
    st.sampled_from(
        [
            "frames",
            "conversations",
            "marks",
            "threads",
            "arenas",
            "spread",
            "report.md",
            "insight/minds",
        ]
    ),
    st.tuples(WHO, PARTS).map(lambda parts: f"residents/{quote(parts[0])}{parts[1]}"),
    st.tuples(WHO, TEXT).map(lambda parts: f"residents/{quote(parts[0])}/diary/{quote(parts[1])}"),
    st.tuples(WHO, NUMBER).map(lambda parts: f"spread/memory/{quote(parts[0])}/{quote(parts[1])}"),
    TEXT.map(lambda story: f"spread/story/{quote(story)}"),
)


@settings(deadline=None, max_examples=400)
@given(run=st.sampled_from(["sample", "lived", "nobody"]), path=PATHS, query=QUERIES)
def test_no_request_breaks_it(
    client: FlaskClient, run: str, path: str, query: dict[str, str]
) -> None:
    status = client.get(f"/api/v1/runs/{run}/{path}", query_string=query).status_code
    assert status < 500
    if run == "nobody":
        assert status >= 300
