"""The data of the page's plots, the list of runs and its changes, and runs that are followed live."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from modules.paths import DATA
from modules.replay.graph import positions
from modules.replay.insight import PLOTS
from modules.replay.server import create_app
from modules.replay.topics import Retelling, Word
from modules.replay.web import families
from modules.storage.lock import RunLock, is_held
from modules.storage.manage import remove_run, rename_run
from modules.storage.names import folder_of
from modules.storage.run import Run
from modules.storage.speaking import Speaking, read_speaking, said, speaking_file
from tests.synthetic_run import make_run

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]
OURS = {"X-Hometown": "1"}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    make_run(tmp_path, "sample")
    make_run(tmp_path, "故里-1", world="minitown", lang="zh", residents=CAST)
    return tmp_path


@pytest.fixture
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """A server of a run that no test changes."""
    folder = tmp_path_factory.mktemp("still")
    make_run(folder, "town", world="minitown", lang="en", residents=CAST)
    return create_app(folder, DATA / "worlds").test_client()


# plots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plot", PLOTS)
@pytest.mark.parametrize("name", ["sample", "故里-1"])
def test_every_plot_has_data(client: FlaskClient, name: str, plot: str) -> None:
    reply = client.get(f"/api/runs/{name}/insight/{plot}")
    assert reply.status_code == 200
    assert reply.json["last"] == 3
    assert client.get(f"/api/runs/{name}/insight/{plot}", headers={"If-None-Match": reply.headers["ETag"]}).status_code == 304


def test_no_time_is_lost(still: FlaskClient) -> None:
    told = still.get("/api/runs/town/insight/places").json
    for who in CAST:
        assert sum(sum(minutes) for minutes in told["spent"][who].values()) == pytest.approx(30, abs=3)


def test_network_tells_all_talks(still: FlaskClient) -> None:
    told = still.get("/api/runs/town/insight/network").json
    talks = still.get("/api/runs/town/conversations?from=1&to=3").json
    assert [one["id"] for one in told["talks"]] == [one["id"] for one in talks]
    assert {one["id"] for one in told["residents"]} == set(CAST)


def test_who_knows_of_a_word(still: FlaskClient) -> None:
    told = still.get("/api/runs/town/insight/spread?text=tasting").json
    assert told["learned"]
    assert all("tasting" in one["text"].casefold() for one in told["learned"])
    assert "learned" not in still.get("/api/runs/town/insight/spread").json


@pytest.mark.parametrize("query", ["story=none", "memory=none", "memory=lin_yue/999", "memory=lin_yue/x", "memory=/", "memory=lin_yue/" + "9" * 30])
def test_nothing_spreads_that_is_not_there(still: FlaskClient, query: str) -> None:
    assert still.get(f"/api/runs/town/insight/spread?{query}").status_code == 404


@settings(deadline=None, max_examples=40)
@given(key=st.sampled_from(["text", "story", "memory"]), value=st.text(max_size=40))
def test_no_question_breaks_the_spread(still: FlaskClient, key: str, value: str) -> None:
    reply = still.get("/api/runs/town/insight/spread", query_string={key: value})
    assert reply.status_code in (200, 404)
    times = [one["tick"] for one in reply.json.get("learned", [])]
    assert len({one["who"] for one in reply.json.get("learned", [])}) == len(times)


def test_a_plot_that_is_none(still: FlaskClient) -> None:
    reply = still.get("/api/runs/town/insight/horoscope")
    assert reply.status_code == 404
    assert "network" in reply.json["error"]


def test_a_retelling_holds_the_words_and_not_only_the_names() -> None:
    fact = Retelling("Sam Moore is going to run for mayor in the coming local election.", ["Sam Moore", "Ida"])
    assert fact.told_in("Ida heard that Sam Moore will run for mayor in the local election that is coming.")
    assert not fact.told_in("Sam Moore is going for a walk.")
    assert Retelling("小美周五晚上办品酒会。", ["小美"]).told_in("听说周五晚上有品酒会。")
    assert Word("Party").told_in("a PARTY at last")


@settings(deadline=None)
@given(st.integers(0, 30), st.data())
def test_positions_lie_in_the_square(count: int, data: st.DataObject) -> None:
    people = [f"r{number}" for number in range(count)]
    pairs = (
        [frozenset(pair) for pair in data.draw(st.lists(st.lists(st.sampled_from(people), min_size=2, max_size=2, unique=True), max_size=20))]
        if count > 1
        else []
    )
    weights = dict.fromkeys(pairs, 3)
    found = positions(people, weights)
    assert list(found) == people
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in found.values())
    assert found == positions(people, weights)


def test_chart_library_comes_from_its_package(still: FlaskClient) -> None:
    reply = still.get("/charts.js")
    assert reply.headers["Content-Encoding"] == "gzip"
    assert len(reply.data) < 300_000


# the list of runs -------------------------------------------------------------------------------


def test_list_tells_state_and_size(client: FlaskClient, results: Path) -> None:
    told = {run["name"]: run for run in client.get("/api/runs").json}
    assert told["sample"]["state"] == "finished"
    assert told["sample"]["size"] >= (folder_of(results, "sample") / "run.sqlite").stat().st_size


def test_picture_of_a_town(client: FlaskClient) -> None:
    reply = client.get("/api/runs/故里-1/thumbnail")
    assert reply.data[8:12] == b"WEBP"
    assert client.get("/api/runs/故里-1/thumbnail", headers={"If-None-Match": reply.headers["ETag"]}).status_code == 304
    assert client.get("/api/runs/sample/thumbnail").status_code == 404


def test_forks_stand_below_their_parent() -> None:
    runs = [{"name": "b", "parent": "a@3"}, {"name": "a", "parent": ""}, {"name": "c", "parent": "b@5"}, {"name": "d", "parent": "gone@1"}]
    told = families(runs)
    assert [run["name"] for run in told] == ["a", "d"]
    assert told[0]["forks"][0]["forks"][0]["name"] == "c"


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefx")), unique_by=lambda one: one[0]))
def test_nobody_is_lost_from_the_families(parents: list[tuple[str, str]]) -> None:
    def names(runs: list[dict[str, Any]]) -> list[str]:
        return [name for run in runs for name in (run["name"], *names(run["forks"]))]

    told = families([{"name": name, "parent": f"{parent}@1"} for name, parent in parents])
    assert sorted(names(told)) == sorted(name for name, _ in parents)


def test_renaming_keeps_the_digests(client: FlaskClient, results: Path) -> None:
    with Run.open(results, "sample") as run:
        digests = run.digests()
    reply = client.post("/api/runs/sample/name", json={"name": "другой"}, headers=OURS)
    assert reply.status_code == 200
    with Run.open(results, "другой") as run:
        assert (run.manifest.name, run.digests()) == ("другой", digests)
    assert client.get("/api/runs/sample").status_code == 404


@pytest.mark.parametrize(("name", "status"), [("../x", 400), ("", 400), (".x", 400), ("CON", 400), (3, 200), (None, 200), ("故里-1", 409)])
def test_names_that_a_run_cannot_have(client: FlaskClient, name: Any, status: int) -> None:
    assert client.post("/api/runs/sample/name", json={"name": name}, headers=OURS).status_code == status


def test_removing(client: FlaskClient, results: Path) -> None:
    assert client.delete("/api/runs/sample", json={}, headers=OURS).status_code == 200
    assert not folder_of(results, "sample").exists()
    assert [folder.name for folder in (results / "checkpoints").iterdir() if folder.is_dir()] == ["故里-1"]
    assert client.delete("/api/runs/sample", json={}, headers=OURS).status_code == 404


def test_a_running_simulation_stays(client: FlaskClient, results: Path) -> None:
    lock = RunLock(folder_of(results, "sample"))
    lock.acquire()
    assert is_held(folder_of(results, "sample"))
    assert client.delete("/api/runs/sample", json={}, headers=OURS).status_code == 409
    assert client.post("/api/runs/sample/name", json={"name": "x"}, headers=OURS).status_code == 409
    lock.release()
    assert not is_held(folder_of(results, "sample"))


def test_nothing_is_changed_by_looking_or_from_elsewhere(client: FlaskClient, results: Path) -> None:
    assert client.get("/api/runs/sample/name").status_code in (404, 405)
    assert client.delete("/api/runs/sample", json={}).status_code == 403
    assert client.delete("/api/runs/sample", json={}, headers=OURS | {"Origin": "http://elsewhere.example"}).status_code == 403
    assert folder_of(results, "sample").exists()


def test_the_holder_of_a_dead_process_is_nobody(results: Path) -> None:
    (folder_of(results, "sample") / "run.holder").write_text("process 1")
    assert not is_held(folder_of(results, "sample"))
    rename_run(results, "sample", "again")
    remove_run(results, "again")


# live -------------------------------------------------------------------------------------------


def events(reply: Any) -> list[tuple[str, Any]]:
    """The server-sent events of an answer that has ended."""
    blocks = [block.splitlines() for block in reply.text.strip().split("\n\n") if not block.startswith(":")]
    return [(kind.removeprefix("event: "), orjson.loads(data.removeprefix("data: "))) for kind, data in blocks]


def test_a_run_that_rests_is_told_of_once(still: FlaskClient) -> None:
    reply = still.get("/api/runs/town/live")
    assert reply.mimetype == "text/event-stream"
    assert events(reply) == [("step", {"step": 3, "finished": True, "running": False}), ("end", {"finished": True})]
    assert still.get("/api/runs/nobody/live").status_code == 404


def test_words_and_the_end_are_heard(client: FlaskClient, results: Path) -> None:
    folder = folder_of(results, "sample")
    lock, speaking = RunLock(folder), Speaking(folder)
    lock.acquire()
    speaking.hear("ana", "bo", '{"say": "Good mor')
    stop = threading.Timer(1.2, lambda: (speaking.clear(), lock.release()))
    stop.start()
    told = events(client.get("/api/runs/sample/live"))
    stop.join()
    assert ("speaking", [{"resident": "ana", "partner": "bo", "text": "Good mor"}]) in told
    assert told[-1] == ("end", {"finished": True})
    assert read_speaking(speaking_file(folder)) == ()


@settings(deadline=None)
@given(st.text(max_size=30), st.data())
def test_half_a_reply_tells_half_a_line(text: str, data: st.DataObject) -> None:
    reply = orjson.dumps({"say": text, "end": True}).decode()
    cut = data.draw(st.integers(0, len(reply)))
    assert text.startswith(said(reply[:cut]))
    assert said(reply) == text
