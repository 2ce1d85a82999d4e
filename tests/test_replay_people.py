"""The API about residents: it tells the truth, never of the future, and bears every request."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from modules.memory.concept import MEMORY_TYPES
from modules.model.hashing import hash_vector
from modules.paths import DATA
from modules.replay.server import create_app
from modules.storage.names import file_of
from modules.storage.run import Run
from tests.synthetic_run import NEWS, make_run
from tests.town import live

STEPS = 60
LIVED = "/api/runs/lived"
SAMPLE = "/api/runs/sample"
QUERY = "coffee with a friend"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    make_run(folder, "sample")
    live(folder, STEPS, name="lived", settings={"think": {"poignancy_max": 40}})
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


@pytest.fixture(scope="module")
def people(results: Path) -> list[str]:
    with Run.open(results, "lived") as run:
        return run.manifest.residents


def get(client: FlaskClient, path: str, status: int = 200, **query: Any) -> Any:
    reply = client.get(path, query_string=query)
    assert reply.status_code == status, reply.text
    return reply.json


# knowing a resident -----------------------------------------------------------------------------


def test_a_resident(client: FlaskClient, people: list[str]) -> None:
    one = get(client, f"{LIVED}/residents/{people[0]}")
    assert one["persona"]["age"] > 0
    assert one["mind"]["currently"]
    entries = one["schedule"]["entries"]
    assert (entries[0]["start"], entries[-1]["end"]) == (0, 1440)
    assert {task["status"] for entry in entries for task in entry["tasks"]} >= {"done"}
    assert [other["closeness"] for other in one["relations"]] == sorted((other["closeness"] for other in one["relations"]), reverse=True)


def test_what_a_talk_changed_in_the_day_is_said(client: FlaskClient, people: list[str]) -> None:
    entries = [entry for who in people for entry in get(client, f"{LIVED}/residents/{who}")["schedule"]["entries"] if entry["origin"] != "plan"]
    assert entries, "nobody agreed on anything"
    for entry in entries:
        changed = entry["changed"]
        assert changed["with"] in people
        assert changed["talk"] == entry["origin"]
        assert changed["instead"]


def test_nothing_of_a_resident_comes_from_the_future(client: FlaskClient, people: list[str]) -> None:
    now = 20 * 60
    for who in people:
        one = get(client, f"{LIVED}/residents/{who}", step=20)
        told = [talk["tick"] for other in one["relations"] for talk in other["last"]]
        told += [entry["changed"]["tick"] for entry in one["schedule"]["entries"] if entry["changed"]]
        assert all(tick < now for tick in told)
        assert all(other["talks"] >= len(other["last"]) for other in one["relations"])


@settings(deadline=None, max_examples=40)
@given(step=st.integers(0, STEPS), at=st.integers(0, 20), query=st.sampled_from(["", QUERY, "市长"]))
def test_no_memory_comes_from_the_future(client: FlaskClient, people: list[str], step: int, at: int, query: str) -> None:
    who = people[at % len(people)]
    found = get(client, f"{LIVED}/residents/{who}/memories", step=step, query=query, limit=200)["items"]
    assert all(one["step"] <= step and one["tick"] <= step * 60 and (one["used"] or 0) <= step * 60 for one in found)


@pytest.mark.parametrize("step", [0, 17, STEPS])
def test_scores_are_those_of_the_run_itself(client: FlaskClient, results: Path, people: list[str], step: int) -> None:
    with Run.open(results, "lived") as run:
        state, query, chosen = run.restore(step), hash_vector(QUERY, run.manifest.dimension), run.manifest.settings.associate
        for who in people:
            answer = get(client, f"{LIVED}/residents/{who}/memories", step=step, query=QUERY, limit=20)
            expected = state.memory(who).retrieve(query, run.manifest.start + timedelta(minutes=10 * step), chosen, count=20)
            assert answer["by"] == "vectors"
            scores = [(one["id"], *one["scores"]) for one in answer["items"]]
            assert scores == [(one.concept.id, one.score, one.recency, one.importance, one.relevance) for one in expected]


def test_words_stand_in_for_vectors_that_are_not_there(client: FlaskClient) -> None:
    found = get(client, f"{SAMPLE}/residents/ana/memories", query="tasting Friday")
    assert found["by"] == "words"
    assert NEWS in found["items"][0]["text"]


def test_memories_are_filtered(client: FlaskClient, people: list[str]) -> None:
    path = f"{LIVED}/residents/{people[0]}/memories"
    everything = get(client, path, limit=200)
    thoughts = get(client, path, type="thought,plan", limit=200)
    assert {one["type"] for one in thoughts["items"]} <= {"thought", "plan"}
    assert all(one["poignancy"] >= 4 for one in get(client, path, min=4, limit=200)["items"])
    word = everything["items"][0]["text"].split()[0].upper()
    assert all(word.lower() in one["text"].lower() for one in get(client, path, text=word, limit=200)["items"])
    second = get(client, path, offset=5, limit=5)
    assert second["items"] == everything["items"][5:10]
    assert second["total"] == everything["total"]


def test_a_trail_adds_up(client: FlaskClient, people: list[str]) -> None:
    found = get(client, f"{LIVED}/residents/{people[0]}/trail", **{"from": 1, "to": STEPS})
    assert sum(found["stood"][2::3]) == STEPS * 60
    assert len(found["moves"]) % 3 == 0
    assert found["places"][0]["minutes"] <= STEPS * 10


# why --------------------------------------------------------------------------------------------


def test_every_action_has_a_cause(client: FlaskClient, people: list[str]) -> None:
    for who in people:
        for step in range(0, STEPS + 1, 7):
            found = get(client, f"{LIVED}/why", resident=who, step=step)
            assert found["cause"].startswith(("call:", "rule:"))
            assert found["what"]["text"]
            assert found["step"] <= step
            if found["call"]:
                assert any(one["text"] == found["what"]["text"] for one in found["led_to"] if one["type"] == "action")


def test_every_line_and_talk_has_its_call(client: FlaskClient) -> None:
    for talk in get(client, f"{LIVED}/talks")["items"]:
        for number, line in enumerate(talk["lines"]):
            found = get(client, f"{LIVED}/why", talk=talk["id"], line=number)
            assert (found["what"]["text"], found["resident"]) == (line["text"], line["speaker"])
            assert found["call"]["kind"] == "utterance"
            assert found["call"]["outcome"] == "ok"
        assert get(client, f"{LIVED}/why", talk=talk["id"])["call"]["kind"] == "react"


def test_prompts_are_sent_only_when_asked_for(client: FlaskClient, people: list[str]) -> None:
    brief = get(client, f"{LIVED}/why", resident=people[0], kind="wake_up", ordinal=0, step=1)["call"]
    whole = get(client, f"{LIVED}/why", resident=people[0], kind="wake_up", ordinal=0, step=1, prompt=1)["call"]
    assert brief["recorded"]
    assert brief["messages"] == []
    assert whole["messages"][0]["role"] == "system"


def test_a_thought_rests_on_what_was_retrieved_and_lived(client: FlaskClient, people: list[str]) -> None:
    found = [one for who in people for one in get(client, f"{LIVED}/residents/{who}/memories", type="thought", limit=200)["items"] if one["evidence"]]
    assert found, "nobody reflected"
    for one in found:
        because = get(client, f"{LIVED}/why", resident=one["who"], memory=one["id"])
        assert because["call"]["kind"].startswith("reflect")
        if because["call"]["retrieved"]:
            assert set(one["evidence"]) <= {memory["id"] for memory in because["call"]["retrieved"]}
        branch = get(client, f"{LIVED}/memories/{one['who']}/{one['id']}/tree")
        assert [below["memory"]["id"] for below in branch["evidence"]] == one["evidence"]
        assert all(leaf["id"] < one["id"] for leaf in leaves(branch))


def leaves(branch: dict[str, Any]) -> list[dict[str, Any]]:
    return [leaf for below in branch["evidence"] for leaf in leaves(below)] or [branch["memory"]]


def test_a_retry_and_a_fallback_are_named(client: FlaskClient, results: Path) -> None:
    with sqlite3.connect(file_of(results, "sample")) as database:
        database.execute(
            "INSERT INTO calls VALUES (3, 'ana', 'utterance', 0, 'ollama:x', 'fallback', ?, ?, ?, NULL, 1, 1, 1)",
            (b"{}", b'[{"text":"nonsense","error":"no JSON"}]', b"[]"),
        )
    call = get(client, f"{SAMPLE}/why", talk="3-ana", line=0)["call"]
    assert (call["outcome"], call["model"], call["attempts"][0]["error"], call["recorded"]) == ("fallback", "ollama:x", "no JSON", False)


# reading ----------------------------------------------------------------------------------------


def test_talks_are_searched(client: FlaskClient, people: list[str]) -> None:
    everything = get(client, f"{LIVED}/talks")
    word = everything["items"][0]["lines"][0]["text"].split()[-1]
    assert everything["items"][0] in get(client, f"{LIVED}/talks", text=word.upper())["items"]
    pair = get(client, f"{LIVED}/threads")[0]
    of_them = get(client, f"{LIVED}/talks", who=",".join(pair["people"]))
    assert of_them["total"] == pair["talks"]
    assert all({talk["opener"], talk["partner"]} == set(pair["people"]) for talk in of_them["items"])
    assert sum(one["talks"] for one in get(client, f"{LIVED}/threads")) == everything["total"]


def test_a_diary_covers_the_day(client: FlaskClient, people: list[str]) -> None:
    day = get(client, f"{LIVED}/diary/{people[0]}")
    assert day["stays"][0]["tick"] == 0
    assert day["stays"][-1]["end"] == STEPS * 60
    assert day["plans"]


def test_the_report_is_that_of_compress(client: FlaskClient) -> None:
    reply = client.get(f"{LIVED}/report.md")
    assert reply.text.startswith("# ")
    assert reply.headers["Content-Disposition"].startswith("attachment")


# every request ----------------------------------------------------------------------------------

NUMBER = st.one_of(st.integers(-5, 70).map(str), st.sampled_from(["", "x", "1e9", "-1", "9" * 30, "9" * 5000, "NaN", "٣", "1.5"]))
TEXT = st.one_of(st.text(max_size=12), st.sampled_from(["coffee", "的", "%", "_", "'", '"', "\x00", "ana", "3-ana", "2025-02-13", "9999-99-99", "0001-01-01"]))
WHO = st.one_of(st.sampled_from(["ana", "bo", "cy"]), TEXT)
QUERIES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("step", "offset", "limit", "min", "from", "to", "ordinal", "memory", "line"), NUMBER),
        **dict.fromkeys(("text", "query", "talk", "kind", "day", "prompt", "sort"), TEXT),
        "type": st.one_of(st.sampled_from(MEMORY_TYPES), TEXT),
        "who": WHO,
        "resident": WHO,
    },
)
PATHS = st.one_of(
    st.sampled_from(["why", "talks", "threads", "report.md"]),
    st.tuples(WHO, st.sampled_from(["", "/memories", "/trail"])).map(lambda two: f"residents/{quote(two[0])}{two[1]}"),
    st.tuples(WHO, NUMBER).map(lambda two: f"memories/{quote(two[0])}/{quote(two[1])}/tree"),
    WHO.map(lambda who: f"diary/{quote(who)}"),
)


@settings(deadline=None, max_examples=400)
@given(run=st.sampled_from(["sample", "lived", "nobody"]), path=PATHS, query=QUERIES)
def test_no_request_breaks_it(client: FlaskClient, run: str, path: str, query: dict[str, str]) -> None:
    status = client.get(f"/api/runs/{run}/{path}", query_string=query).status_code
    assert status < 500
    if run == "nobody":
        assert status >= 300
