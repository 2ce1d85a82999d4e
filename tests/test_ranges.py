"""What the page is told by ranges and by stretches of time adds up, wherever it is cut."""

from __future__ import annotations

import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from modules.paths import DATA
from modules.replay import marks
from modules.replay.reader import RunReader
from modules.replay.server import FRAMES_AT_MOST, create_app
from modules.storage.names import file_of
from tests.town import live

STEPS = 80
RUN = "/api/runs/lived"
steps = st.integers(1, STEPS)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    live(folder, STEPS, name="lived", settings={"think": {"poignancy_max": 40}})
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


def get(client: FlaskClient, path: str, **query: object) -> Any:
    reply = client.get(f"{RUN}/{path}", query_string={key: str(value) for key, value in query.items()})
    assert reply.status_code == 200, reply.text
    return reply.json


def count(results: Path, query: str) -> int:
    with sqlite3.connect(file_of(results, "lived")) as database:
        return int(database.execute(query).fetchone()[0])


# marks ------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(most=st.integers(1, 2 * STEPS))
def test_bins_add_up_however_wide_they_are(results: Path, most: int) -> None:
    with RunReader.open(results, "lived") as run, patch.object(marks, "BINS_AT_MOST", most):
        told = marks.marks(run)
    series = {key: told[key] for key in ("events", "talks", "reflections", "plans")}
    assert {len(bins) for bins in series.values()} == {-(-STEPS // told["width"])}
    assert len(series["events"]) <= most
    assert sum(series["events"]) == count(results, "SELECT count(*) FROM state WHERE key GLOB 'action/*' AND step > 0") > 0
    assert sum(series["talks"]) == len(told["conversations"]) == count(results, "SELECT count(*) FROM conversations") > 0
    reflected = "SELECT count(*) FROM (SELECT DISTINCT step, resident FROM memories WHERE type = 'thought' AND step > 0 AND evidence <> '[]')"
    assert sum(series["reflections"]) == count(results, reflected) > 0


@settings(max_examples=20, deadline=None)
@given(width=st.integers(1, STEPS))
def test_a_wide_bin_holds_what_narrow_ones_hold(results: Path, width: int) -> None:
    with RunReader.open(results, "lived") as run:
        fine = marks.marks(run)
        with patch.object(marks, "BINS_AT_MOST", -(-STEPS // width)):
            coarse = marks.marks(run)
    for key in ("events", "talks", "reflections", "plans"):
        for at, total in enumerate(coarse[key]):
            assert total == sum(fine[key][at * coarse["width"] : (at + 1) * coarse["width"]])


def test_everybody_has_its_share_of_the_marks(client: FlaskClient) -> None:
    residents, whole = [one["id"] for one in client.get(RUN).json["residents"]], get(client, "marks")  # type: ignore[index]
    own = {who: get(client, "marks", resident=who) for who in residents}
    for events in own.values():
        assert all(one["tick"] <= other["tick"] for one, other in pairwise(events))
        assert {one["kind"] for one in events} <= {"action", "talk", "reflection", "plan"}
    assert sum(one["kind"] == "talk" for events in own.values() for one in events) == 2 * len(whole["conversations"])
    assert sum(one["kind"] == "reflection" for events in own.values() for one in events) == sum(whole["reflections"])


# ranges -----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(ends=st.lists(steps, min_size=3, max_size=3).map(sorted))
def test_frames_are_the_same_wherever_they_are_cut(client: FlaskClient, ends: list[int]) -> None:
    first, cut, last = ends
    if cut == last:
        return
    whole, before, after = (get(client, "frames", **{"from": begin, "to": end}) for begin, end in ((first, last), (first, cut), (cut + 1, last)))
    for who, track in whole["residents"].items():
        early, late = before["residents"][who], after["residents"][who]
        assert track["at"] == early["at"]
        assert track["moves"] == early["moves"] + late["moves"]
        assert late["at"] == ([*early["at"], *(value for at in range(0, len(early["moves"]), 3) for value in early["moves"][at + 1 : at + 3])])[-2:]
    assert {one["id"] for one in whole["talks"]} == {one["id"] for one in (*before["talks"], *after["talks"])}


@settings(max_examples=40, deadline=None)
@given(begin=steps, end=st.integers(1, 10**6))
def test_a_range_is_told_in_order_and_within_its_ends(client: FlaskClient, begin: int, end: int) -> None:
    if end < begin:
        return
    told = get(client, "frames", **{"from": begin, "to": end})
    assert told["from"] == begin
    assert begin <= told["to"] <= min(end, STEPS, begin + FRAMES_AT_MOST - 1)
    low, high = (begin - 1) * 60, told["to"] * 60
    for track in told["residents"].values():
        ticks = track["moves"][::3]
        assert all(low <= tick < high for tick in ticks)
        assert all(one < other for one, other in pairwise(ticks))
    assert told["talks"] == get(client, "conversations", **{"from": begin, "to": told["to"]})


# conversations ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, 60 * STEPS), limit=st.integers(1, 200), offset=st.integers(0, 50))
def test_conversations_about_a_moment(client: FlaskClient, at: int, limit: int, offset: int) -> None:
    everything = get(client, "talks", limit=200)["items"]
    told = get(client, "talks", at=at, limit=limit, offset=offset)
    assert told["total"] == len(everything)
    assert told["items"] == everything[told["offset"] : told["offset"] + limit]
    begun = [one for one in everything if one["tick"] <= at]
    assert not begun or limit < 2 or begun[-1] in told["items"]
    assert len(told["items"]) == min(limit, len(everything))
