"""The data of the page's plots, the list of runs and its changes, and runs that are followed live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.history.graph import positions
from hometown.history.insight import PLOTS
from hometown.paths import DATA
from hometown.storage.live_speech import LiveSpeech, live_speech_file, read_live_speech
from hometown.storage.lock import RunLock, is_held
from hometown.storage.manage import remove_run, rename_run
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from hometown.web.library import families
from hometown.web.server import create_app
from tests.support.synthetic_run import make_run
from tests.web.asking import OURS

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    make_run(tmp_path, "sample")
    make_run(tmp_path, "故里-1", world="minitown", lang="zh", residents=CAST)
    return tmp_path


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
    reply = client.get(f"/api/v1/runs/{name}/insight/{plot}")
    assert reply.status_code == 200
    assert reply.json["last"] == 3
    assert (
        client.get(
            f"/api/v1/runs/{name}/insight/{plot}", headers={"If-None-Match": reply.headers["ETag"]}
        ).status_code
        == 304
    )


def test_no_time_is_lost(still: FlaskClient) -> None:
    plot = still.get("/api/v1/runs/town/insight/places").json
    for who in CAST:
        assert sum(map(sum, plot["spent"][who].values())) == pytest.approx(30, abs=3)  # type: ignore[arg-type]


def test_network_tells_all_talks(still: FlaskClient) -> None:
    plot = still.get("/api/v1/runs/town/insight/network").json
    talks = still.get("/api/v1/runs/town/conversations?from=1&to=3").json["items"]
    assert [one["id"] for one in plot["conversations"]] == [one["id"] for one in talks]
    assert {one["id"] for one in plot["residents"]} == set(CAST)


def test_who_knows_of_a_storyline(still: FlaskClient) -> None:
    stories = still.get("/api/v1/runs/town/spread").json["stories"]
    assert stories
    for story in stories:
        assert "learned" in still.get(f"/api/v1/runs/town/spread/story/{story['id']}").json


@pytest.mark.parametrize(
    "topic",
    [
        "story/none",
        "memory/none",
        "memory/lin_yue/999",
        "memory/lin_yue/x",
        "memory/nobody/1",
        "memory/lin_yue/" + "9" * 30,
    ],
)
def test_nothing_spreads_that_is_not_there(still: FlaskClient, topic: str) -> None:
    assert still.get(f"/api/v1/runs/town/spread/{topic}").status_code == 404


def test_a_plot_that_is_none(still: FlaskClient) -> None:
    reply = still.get("/api/v1/runs/town/insight/horoscope")
    assert reply.status_code == 404
    assert "horoscope" in reply.json["error"]


@settings(deadline=None)
@given(st.integers(0, 30), st.data())
def test_positions_lie_in_the_square(count: int, data: st.DataObject) -> None:
    people = [f"r{number}" for number in range(count)]
    pairs = (
        [
            frozenset(pair)
            for pair in data.draw(
                st.lists(
                    st.lists(st.sampled_from(people), min_size=2, max_size=2, unique=True),
                    max_size=20,
                )
            )
        ]
        if count > 1
        else []
    )
    weights = dict.fromkeys(pairs, 3)
    layout = positions(people, weights)
    assert list(layout) == people
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in layout.values())
    assert layout == positions(people, weights)


def test_chart_library_comes_from_its_package(still: FlaskClient) -> None:
    reply = still.get("/charts.js", headers={"Accept-Encoding": "gzip"})
    assert reply.headers["Content-Encoding"] == "gzip"
    assert len(reply.data) < 300_000


# the list of runs -------------------------------------------------------------------------------


def test_list_tells_state_and_size(client: FlaskClient, results: Path) -> None:
    summaries = {run["name"]: run for run in client.get("/api/v1/runs").json}
    assert summaries["sample"]["state"] == "finished"
    assert (
        summaries["sample"]["size"] >= (run_folder(results, "sample") / "run.sqlite").stat().st_size
    )


def test_picture_of_a_town(client: FlaskClient) -> None:
    reply = client.get("/api/v1/runs/故里-1/thumbnail")
    assert reply.data[8:12] == b"WEBP"
    assert (
        client.get(
            "/api/v1/runs/故里-1/thumbnail", headers={"If-None-Match": reply.headers["ETag"]}
        ).status_code
        == 304
    )
    assert client.get("/api/v1/runs/sample/thumbnail").status_code == 404


def test_forks_stand_below_their_parent() -> None:
    runs = [
        {"name": "b", "parent": "a@3"},
        {"name": "a", "parent": ""},
        {"name": "c", "parent": "b@5"},
        {"name": "d", "parent": "gone@1"},
    ]
    _, roots = families(runs)
    assert [run["name"] for run in roots] == ["a", "d"]
    assert roots[0]["forks"][0]["forks"][0]["name"] == "c"


def test_towns_that_live_now_stand_for_themselves() -> None:
    runs = [
        {"name": "a", "parent": "", "state": "running"},
        {"name": "b", "parent": "a@3", "state": "finished"},
        {"name": "c", "parent": "b@5", "state": "running"},
    ]
    living, recorded = families(runs)
    assert [run["name"] for run in living] == ["a", "c"]
    assert [(run["name"], run["beside"]) for run in recorded] == [("b", "a")]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefx")),
        unique_by=lambda one: one[0],
    )
)
def test_nobody_is_lost_from_the_families(parents: list[tuple[str, str]]) -> None:
    def names(runs: list[dict[str, Any]]) -> list[str]:
        return [name for run in runs for name in (run["name"], *names(run["forks"]))]

    _, roots = families([{"name": name, "parent": f"{parent}@1"} for name, parent in parents])
    assert sorted(names(roots)) == sorted(name for name, _ in parents)


def test_renaming_keeps_the_digests(client: FlaskClient, results: Path) -> None:
    with RunFile.open(results, "sample") as run:
        digests = run.digests()
    reply = client.post("/api/v1/runs/sample/name", json={"name": "другой"}, headers=OURS)
    assert reply.status_code == 200
    with RunFile.open(results, "другой") as run:
        assert (run.manifest.name, run.digests()) == ("другой", digests)
    assert client.get("/api/v1/runs/sample").status_code == 404


@pytest.mark.parametrize(
    ("name", "status"),
    [("../x", 400), ("", 400), (".x", 400), ("CON", 400), (3, 400), (None, 400), ("故里-1", 409)],
)
def test_names_that_a_run_cannot_have(client: FlaskClient, name: Any, status: int) -> None:
    assert (
        client.post("/api/v1/runs/sample/name", json={"name": name}, headers=OURS).status_code
        == status
    )


def test_removing(client: FlaskClient, results: Path) -> None:
    assert client.delete("/api/v1/runs/sample", json={}, headers=OURS).status_code == 200
    assert not run_folder(results, "sample").exists()
    assert run_names(results) == ["故里-1"]
    assert client.delete("/api/v1/runs/sample", json={}, headers=OURS).status_code == 404


def test_putting_back(client: FlaskClient, results: Path) -> None:
    assert client.post("/api/v1/runs/sample/back", json={}, headers=OURS).status_code == 409
    client.delete("/api/v1/runs/sample", json={}, headers=OURS)
    assert (
        client.post("/api/v1/runs/sample/back", json={}, headers={"Authorization": ""}).status_code
        == 401
    )
    assert client.post("/api/v1/runs/..sample/back", json={}, headers=OURS).status_code == 400
    assert client.post("/api/v1/runs/sample/back", json={}, headers=OURS).status_code == 200
    assert run_names(results) == ["sample", "故里-1"]
    assert client.post("/api/v1/runs/sample/back", json={}, headers=OURS).status_code == 409


def test_a_running_simulation_stays(client: FlaskClient, results: Path) -> None:
    lock = RunLock(run_folder(results, "sample"))
    lock.acquire()
    assert is_held(run_folder(results, "sample"))
    assert client.delete("/api/v1/runs/sample", json={}, headers=OURS).status_code == 409
    assert (
        client.post("/api/v1/runs/sample/name", json={"name": "x"}, headers=OURS).status_code == 409
    )
    lock.release()
    assert not is_held(run_folder(results, "sample"))


def test_nothing_is_changed_by_looking_or_from_elsewhere(
    client: FlaskClient, results: Path
) -> None:
    assert client.get("/api/v1/runs/sample/name").status_code in (404, 405)
    assert (
        client.delete("/api/v1/runs/sample", json={}, headers={"Authorization": ""}).status_code
        == 401
    )
    assert (
        client.delete(
            "/api/v1/runs/sample", json={}, headers=OURS | {"Origin": "http://elsewhere.example"}
        ).status_code
        == 403
    )
    assert run_folder(results, "sample").exists()


def test_the_holder_of_a_dead_process_is_nobody(results: Path) -> None:
    (run_folder(results, "sample") / "run.holder").write_text("process 1")
    assert not is_held(run_folder(results, "sample"))
    rename_run(results, "sample", "again")
    remove_run(results, "again")


# live -------------------------------------------------------------------------------------------


def events(text: str) -> list[tuple[str, Any]]:
    """The server-sent events of an answer that has ended."""
    blocks = [
        [line for line in block.splitlines() if not line.startswith("id: ")]
        for block in text.strip().split("\n\n")
        if not block.startswith(":")
    ]
    return [
        (kind.removeprefix("event: "), orjson.loads(data.removeprefix("data: ")))
        for kind, data in blocks
    ]


def test_a_run_that_rests_is_told_of_once(still: FlaskClient) -> None:
    reply = still.get("/api/v1/runs/town/live")
    assert reply.mimetype == "text/event-stream"
    assert events(reply.text) == [
        ("step", {"first": 3, "step": 3, "finished": True, "running": False}),
        ("end", {"finished": True, "cause": ""}),
    ]
    assert still.get("/api/v1/runs/nobody/live").status_code == 404


@pytest.mark.parametrize(("seen", "first"), [("1", 2), ("3", 4), ("7", 3), ("-1", 3), ("x", 3)])
def test_who_connects_again_hears_what_is_new(still: FlaskClient, seen: str, first: int) -> None:
    reply = still.get("/api/v1/runs/town/live", headers={"Last-Event-ID": seen})
    assert reply.text.startswith("id: 3\n")
    assert events(reply.text)[0][1]["first"] == first


def test_words_and_the_end_are_heard(client: FlaskClient, results: Path) -> None:
    folder = run_folder(results, "sample")
    lock, speaking = RunLock(folder), LiveSpeech(folder)
    lock.acquire()
    speaking.hear("ana", "bo", "Good mor")
    heard = b""
    for part in client.get("/api/v1/runs/sample/live").iter_encoded():
        heard += part
        if b"Good mor" in part:
            speaking.clear()
            lock.release()
    received = events(heard.decode())
    assert ("speaking", [{"resident": "ana", "partner": "bo", "text": "Good mor"}]) in received
    assert received[-1] == ("end", {"finished": True, "cause": ""})
    assert read_live_speech(live_speech_file(folder)) == ()
