"""What the page is told by ranges and by stretches of time adds up, wherever it is cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from flask.testing import FlaskClient
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hometown.history import marks
from hometown.history.reader import RunReader
from hometown.paths import DATA
from hometown.storage.run_names import file_of
from hometown.web.routes_blocks import MAX_STEPS
from hometown.web.server import create_app
from tests.support.days import set_out, thoughtful_day
from tests.support.page_views import PageViews, page_views, served

STEPS = 80
RUN = "/api/v1/runs/lived"
steps = st.integers(1, STEPS)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    set_out(thoughtful_day(tmp_path_factory), folder, STEPS, "lived")
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


def get(client: FlaskClient, path: str, **query: object) -> Any:
    reply = client.get(
        f"{RUN}/{path}", query_string={key: str(value) for key, value in query.items()}
    )
    assert reply.status_code == 200, reply.text
    return reply.json


def count(results: Path, query: str) -> int:
    with sqlite3.connect(file_of(results, "lived")) as database:
        return int(database.execute(query).fetchone()[0])


# marks ------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(most=st.integers(1, 2 * STEPS))
def test_bins_add_up_however_wide_they_are(results: Path, most: int) -> None:
    with RunReader.open(results, "lived") as run, patch.object(marks, "MAX_MARK_BINS", most):
        block = marks.marks(run)
    series = {key: block[key] for key in ("events", "conversations", "reflections", "plans")}
    assert {len(bins) for bins in series.values()} == {-(-STEPS // block["width"])}
    assert len(series["events"]) <= most
    assert (
        sum(series["events"])
        == count(results, "SELECT count(*) FROM state WHERE key GLOB 'action/*' AND step > 0")
        > 0
    )
    assert (
        sum(series["conversations"])
        == len(block["held"])
        == count(results, "SELECT count(*) FROM conversations")
        > 0
    )
    reflected = "SELECT count(*) FROM (SELECT DISTINCT step, resident FROM memories WHERE type = 'thought' AND step > 0 AND evidence <> '[]')"
    assert sum(series["reflections"]) == count(results, reflected) > 0


@settings(max_examples=20, deadline=None)
@given(width=st.integers(1, STEPS))
def test_a_wide_bin_holds_what_narrow_ones_hold(results: Path, width: int) -> None:
    with RunReader.open(results, "lived") as run:
        fine = marks.marks(run)
        with patch.object(marks, "MAX_MARK_BINS", -(-STEPS // width)):
            coarse = marks.marks(run)
    for key in ("events", "conversations", "reflections", "plans"):
        for at, total in enumerate(coarse[key]):
            assert total == sum(fine[key][at * coarse["width"] : (at + 1) * coarse["width"]])


def test_everybody_has_its_share_of_the_marks(client: FlaskClient) -> None:
    residents, whole = (
        [one["id"] for one in client.get(RUN).json["residents"]],
        get(client, "marks"),
    )  # type: ignore[index]
    own = {who: get(client, f"residents/{who}/marks") for who in residents}
    for events in own.values():
        assert all(one["tick"] <= other["tick"] for one, other in pairwise(events))
        assert {one["kind"] for one in events} <= {"action", "conversation", "reflection", "plan"}
    assert sum(one["kind"] == "conversation" for events in own.values() for one in events) == sum(
        len(one["people"]) for one in whole["held"]
    )
    assert sum(one["kind"] == "reflection" for events in own.values() for one in events) == sum(
        whole["reflections"]
    )


# ranges -----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(ends=st.lists(steps, min_size=3, max_size=3).map(sorted))
def test_frames_are_the_same_wherever_they_are_cut(client: FlaskClient, ends: list[int]) -> None:
    first, cut, last = ends
    if cut == last:
        return
    whole, before, after = (
        get(client, "frames", **{"from": begin, "to": end})
        for begin, end in ((first, last), (first, cut), (cut + 1, last))
    )
    for who, track in whole["residents"].items():
        early, late = before["residents"][who], after["residents"][who]
        assert track["at"] == early["at"]
        assert track["moves"] == early["moves"] + late["moves"]
        assert (
            late["at"]
            == (
                [
                    *early["at"],
                    *(
                        value
                        for at in range(0, len(early["moves"]), 3)
                        for value in early["moves"][at + 1 : at + 3]
                    ),
                ]
            )[-2:]
        )
    assert {one["id"] for one in whole["conversations"]} == {
        one["id"] for one in (*before["conversations"], *after["conversations"])
    }


@settings(max_examples=40, deadline=None)
@given(begin=steps, end=st.integers(1, 10**6))
def test_a_range_is_told_in_order_and_within_its_ends(
    client: FlaskClient, begin: int, end: int
) -> None:
    if end < begin:
        return
    block = get(client, "frames", **{"from": begin, "to": end})
    assert block["from"] == begin
    assert begin <= block["to"] <= min(end, STEPS, begin + MAX_STEPS - 1)
    low, high = (begin - 1) * 60, block["to"] * 60
    for track in block["residents"].values():
        ticks = track["moves"][::3]
        assert all(low <= tick < high for tick in ticks)
        assert all(one < other for one, other in pairwise(ticks))
    assert (
        block["conversations"]
        == get(client, "conversations", **{"from": begin, "to": block["to"]})["items"]
    )


# residents --------------------------------------------------------------------------------------


@settings(max_examples=5, deadline=None)
@given(ends=st.lists(steps, min_size=3, max_size=3).map(sorted))
def test_what_is_told_of_a_resident_is_the_same_wherever_it_is_cut(
    client: FlaskClient, ends: list[int]
) -> None:
    first, cut, last = ends
    if cut == last:
        return
    for resident in client.get(RUN).json["residents"]:  # type: ignore[index]
        who = resident["id"]
        for kind in ("", "/memories", "/trail", "/causes", "/prompts"):
            whole, before, after = (
                get(client, f"residents/{who}{kind}", **{"from": begin, "to": end})
                for begin, end in ((first, last), (first, cut), (cut + 1, last))
            )
            joined = {
                key: _joined(before[key], after[key], cut)
                for key in whole
                if key not in ("from", "to", "at", "persona", "habits", "living")
            }
            for key in {"persona", "habits"} & set(whole):
                assert whole[key] == before[key] == after[key]
            if kind == "/prompts":
                assert _texts(whole) == _texts(before) | _texts(after)
            else:
                assert joined == {key: whole[key] for key in joined}, kind


def _joined(early: Any, late: Any, cut: int) -> Any:
    """What is told of both ranges; the version in force where the second begins is one of the first
    range's.
    """
    if isinstance(early, dict):
        return early | late
    repeated = (
        bool(late)
        and isinstance(late[0], list)
        and late[0][0] == cut + 1
        and early
        and isinstance(early[-1][1], type(late[0][1]))
        and early[-1][1:] == late[0][1:]
    )
    return early + (late[1:] if repeated else late)


def _texts(prompts: Any) -> dict[str, list[str]]:
    return {
        call: ["\n".join(prompts["lines"][number] for number in numbers) for _, numbers in messages]
        for call, messages in prompts["calls"].items()
    }


# conversations ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(results: Path) -> Iterator[PageViews]:
    with page_views("server", served(results)) as views:
        yield views


@settings(max_examples=40, deadline=None)
@example(
    at=420, limit=2, offset=0
)  # a quarter of two is none, and the conversation in progress was left out
@given(at=st.integers(0, 60 * STEPS), limit=st.integers(1, 200), offset=st.integers(0, 50))
def test_conversations_about_a_moment(page: PageViews, at: int, limit: int, offset: int) -> None:
    everything = page.get("lived", "conversations", limit=200)["items"]
    shown = page.get("lived", "conversations", at=at, limit=limit, offset=offset)
    assert shown["total"] == len(everything)
    assert shown["items"] == everything[shown["offset"] : shown["offset"] + limit]
    begun = [talk for talk in everything if talk["tick"] <= at]
    assert not begun or begun[-1] in shown["items"]
    assert len(shown["items"]) == min(limit, len(everything))
