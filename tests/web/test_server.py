"""The playback server: what its pages and its API answer, to good requests and to bad ones."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hometown.cli.replay import main
from hometown.paths import DATA, ROOT
from hometown.web import library
from hometown.web.access import Access
from hometown.web.routes_blocks import MAX_STEPS
from hometown.web.server import create_app
from hometown.world.load import load_world
from tests.support.hang import HANG
from tests.support.synthetic_run import COUNTER, SEAT, make_run
from tests.web.asking import ask

CAST = ["chen_siyuan", "lin_yue", "wang_fang"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    make_run(folder, "sample")
    make_run(folder, "故里-1", world="minitown", lang="zh", residents=CAST)
    return folder


@pytest.fixture(scope="module")
def client(results: Path) -> FlaskClient:
    return create_app(results, DATA / "worlds").test_client()


def get(client: FlaskClient, path: str, status: int = 200) -> Any:
    reply = client.get(path)
    assert reply.status_code == status, reply.text
    return reply.json


# pages ------------------------------------------------------------------------------------------


def test_a_large_picture_comes_in_the_smaller_format_to_clients_that_accept_it(
    client: FlaskClient,
) -> None:
    path = "/api/v1/runs/故里-1/tileset.png"
    plain = client.get(path)
    small = client.get(path, headers={"Accept": "image/webp,*/*"})
    assert (plain.mimetype, small.mimetype) == ("image/png", "image/webp")
    assert len(small.data) < len(plain.data)
    pixels = [Image.open(io.BytesIO(reply.data)).convert("RGBa") for reply in (plain, small)]
    assert pixels[0].tobytes() == pixels[1].tobytes(), "no pixel is lost"


def test_places_have_their_names_in_the_language_of_the_page(client: FlaskClient) -> None:
    own, told = (get(client, f"/api/v1/runs/故里-1{query}") for query in ("", "?lang=en"))
    english = load_world("minitown", "en")
    assert told["world_name"] == "Minitown"
    assert told["places"]["square/plaza"] == english.place_name("square/plaza")
    assert told["places"] != own["places"]
    assert told["things"].keys() == own["things"].keys()
    assert told["residents"] == own["residents"], "residents are called as they call each other"
    assert "Minitown" in client.get("/?lang=en").text


@pytest.mark.parametrize("path", ["/frontend/page.js", "/frontend/js/dom.js"])
def test_scripts_come_compressed_to_clients_that_accept_it(client: FlaskClient, path: str) -> None:
    plain = client.get(path)
    small = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert plain.content_encoding is None
    assert small.content_encoding == "gzip"
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) * 2 < len(plain.data)
    known = {"Accept-Encoding": "gzip", "If-None-Match": small.headers["ETag"]}
    assert client.get(path, headers=known).status_code == 304


def test_list_names_every_run_and_its_model(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "sample" in page
    assert "故里-1" in page
    assert "scripted (no language model)" in page
    assert "脚本驱动（无语言模型）" in client.get("/?lang=zh").text


def test_page_carries_its_parameters(client: FlaskClient) -> None:
    page = client.get("/?name=sample&step=2&speed=4&zoom=1.5").text
    assert 'data-name="sample" data-step="2" data-speed="4" data-zoom="1.5"' in page
    defaults = client.get("/?name=sample").text
    assert 'data-step="0" data-speed="0" data-zoom="0.8"' in defaults


def test_numbers_out_of_range_are_clamped(client: FlaskClient) -> None:
    page = client.get("/?name=sample&step=999&speed=99&zoom=1e9").text
    assert 'data-step="3" data-speed="6" data-zoom="4.0"' in page
    assert (
        'data-step="0" data-speed="-4" data-zoom="0.1"'
        in client.get("/?name=sample&step=-5&speed=-9&zoom=-inf").text
    )


def test_the_last_step_is_named_where_a_step_is_no_number(client: FlaskClient) -> None:
    assert "step should be a number from 0 to 3." in client.get("/?name=sample&step=abc").text


@pytest.mark.parametrize("query", ["step=x", "speed=", "zoom=nan", "speed=1.5"])
def test_what_is_no_number_is_refused(client: FlaskClient, query: str) -> None:
    reply = client.get(f"/?name=sample&{query}")
    assert reply.status_code in (400, 414)
    assert "sample" in reply.text


def test_a_step_beyond_all_numbers_is_the_last_one(client: FlaskClient) -> None:
    assert 'data-step="3"' in client.get(f"/?name=sample&step={'9' * 4000}").text


def test_what_is_too_long_is_not_read(client: FlaskClient) -> None:
    assert client.get(f"/?name=sample&step={'9' * 5000}").status_code == 414


@pytest.mark.parametrize(
    ("name", "status"),
    [("", 400), ("../sample", 400), ("a/b", 400), ("%00", 400), ("CON", 400), ("nobody", 404)],
)
def test_names_that_are_none(client: FlaskClient, name: str, status: int) -> None:
    reply = client.get(f"/?name={name}")
    assert reply.status_code == status
    assert 'href="./?name=sample' in reply.text


def test_an_address_without_a_page_leads_to_the_list(client: FlaskClient) -> None:
    reply = client.get("/gazette?lang=en")
    assert reply.status_code == 404
    assert "There is no page “gazette” here." in reply.text
    assert 'href="./?name=sample' in reply.text


@settings(deadline=None, max_examples=60)
@given(
    query=st.dictionaries(
        st.sampled_from(["name", "step", "speed", "zoom", "lang"]),
        st.one_of(st.text(max_size=20), st.just("sample")),
    )
)
def test_no_query_breaks_the_page(client: FlaskClient, query: dict[str, str]) -> None:
    assert client.get("/", query_string=query).status_code in (200, 400, 404)


def test_names_are_escaped(client: FlaskClient) -> None:
    assert "<script>alert" not in client.get("/?name=<script>alert(1)</script>").text


def test_language_follows_the_browser(client: FlaskClient) -> None:
    assert (
        '<html lang="zh">'
        in client.get("/", headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}).text
    )
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "fr"}).text
    assert '<html lang="en">' in client.get("/?lang=en", headers={"Accept-Language": "zh"}).text


def test_nothing_is_loaded_from_elsewhere(client: FlaskClient) -> None:
    policy = client.get("/?name=sample").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert client.get("/").headers["X-Content-Type-Options"] == "nosniff"
    for file in ROOT.glob("frontend/**/*.*"):
        if (
            file.parent.name in ("study", "fonts") or file.suffix == ".png"
        ):  # a study is sent as one file with all in it, and never served
            continue
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|<script>| on[a-z]+=", text), file.name


# API --------------------------------------------------------------------------------------------


def test_details(client: FlaskClient) -> None:
    run = get(client, "/api/v1/runs/sample")
    assert (run["steps"], run["planned"], run["ticks"], run["finished"], run["scripted"]) == (
        3,
        3,
        60,
        True,
        True,
    )
    assert [one["id"] for one in run["residents"]] == ["ana", "bo", "cy"]
    assert run["map"] is None


def test_details_in_a_world(client: FlaskClient) -> None:
    run = get(client, "/api/v1/runs/故里-1")
    world = load_world("minitown", "zh")
    assert run["residents"][0]["name"] == world.personas["chen_siyuan"].name
    assert set(run["places"]) == set(world.arenas)
    assert set(run["things"]) == set(world.things)


def test_what_the_town_is_drawn_from_is_fetched_along_with_the_page(client: FlaskClient) -> None:
    preloaded = re.findall(
        r'as="image" href="([^"]+)"', client.get("/", query_string={"name": "故里-1"}).text
    )
    pictures = {address.rpartition("/")[2] for address in preloaded}
    assert pictures == {"emblems.png", "tileset.png", *(f"{who}.png" for who in CAST)}, (
        "and nothing that is not drawn at once"
    )
    assert not any("portraits" in address for address in preloaded)
    assert all(client.get(address).status_code == 200 for address in preloaded)


def test_world_files(client: FlaskClient) -> None:
    run = get(client, "/api/v1/runs/故里-1")
    drawn = get(client, run["map"])
    images = [run["map"].removesuffix("map") + tileset["image"] for tileset in drawn["tilesets"]]
    images += [
        image for one in run["residents"] for image in (one["portrait"], one["sprite"]) if image
    ]
    for image in images:
        reply = client.get(image)
        assert reply.data.startswith(b"\x89PNG"), image
        assert (
            client.get(image, headers={"If-None-Match": reply.headers["ETag"]}).status_code == 304
        )


@pytest.mark.parametrize(
    "file",
    [
        "world.json",
        "residents/lin_yue.json",
        "..%2f..%2fconfig.json",
        "../../../config.json",
        "map.tmj",
        "/etc/passwd",
    ],
)
def test_other_files_of_a_world_are_not_served(client: FlaskClient, file: str) -> None:
    assert client.get(f"/api/v1/runs/故里-1/{file}").status_code in (308, 404)


def test_frames(client: FlaskClient) -> None:
    frames = get(client, "/api/v1/runs/sample/frames?from=1&to=3")
    ana = frames["residents"]["ana"]
    assert ana["at"] == [2, 2]
    assert ana["moves"][:6] == [0, 3, 2, 1, 4, 2]
    assert (ana["actions"][0]["activity"], ana["actions"][0]["arrived"]) == ("opening the café", 20)
    assert [(one["tick"], one["users"]) for one in frames["things"][COUNTER]] == [(20, ["ana"])]
    assert [(one["tick"], one["users"]) for one in frames["things"][SEAT]] == [(90, ["bo"])]
    assert [(one["tick"], one["users"]) for one in frames["things"]["home/bo/bed"]] == [
        (0, ["bo"]),
        (60, []),
    ]
    (talk,) = frames["conversations"]
    assert (talk["tick"], talk["ticks"], len(talk["lines"])) == (120, 18, 3)


def test_a_range_begins_where_the_one_before_ends(client: FlaskClient) -> None:
    whole = get(client, "/api/v1/runs/sample/frames?from=1&to=3")["residents"]
    later = get(client, "/api/v1/runs/sample/frames?from=3&to=3")
    for who, track in later["residents"].items():
        walked = [
            tuple(whole[who]["moves"][at : at + 3]) for at in range(0, len(whole[who]["moves"]), 3)
        ]
        before = [move[1:] for move in walked if move[0] < 120] or [tuple(whole[who]["at"])]
        assert tuple(track["at"]) == before[-1]
        assert track["moves"] == [value for move in walked if move[0] >= 120 for value in move]
    assert later["things"][COUNTER][0] == {"tick": 120, "state": "being wiped", "users": ["ana"]}


def test_conversations_by_range(client: FlaskClient) -> None:
    assert [
        talk["id"] for talk in get(client, "/api/v1/runs/sample/conversations?from=1&to=3")["items"]
    ] == ["3-ana"]
    assert get(client, "/api/v1/runs/sample/conversations?from=1&to=2")["items"] == []


@pytest.mark.parametrize(
    "query", ["from=0", "from=x", "from=2&to=1", "from=4", "from=-1&to=2", "from=1&to=1e3"]
)
def test_ranges_that_are_none(client: FlaskClient, query: str) -> None:
    assert "1 ≤ from ≤ to" in get(client, f"/api/v1/runs/sample/frames?{query}", 400)["error"]


def test_ranges_end_with_the_run(client: FlaskClient) -> None:
    assert get(client, f"/api/v1/runs/sample/frames?from=2&to={10**9}")["to"] == 3
    assert MAX_STEPS >= 60


def test_what_was_lived_is_not_sent_twice(client: FlaskClient) -> None:
    for path in ("/api/v1/runs/sample", "/api/v1/runs/sample/frames?from=1&to=2"):
        tag = client.get(path).headers["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_unknown_run_is_told_in_json(client: FlaskClient) -> None:
    assert "nobody" in get(client, "/api/v1/runs/nobody", 404)["error"]
    assert "name" in get(client, "/api/v1/runs/a b/frames", 400)["error"]


def list_cards(page: str) -> list[str]:
    return re.findall(r'data-run="([^"]+)"', page)


def test_the_list_has_pages_of_which_only_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand runs are a list like any other. A fork brings its parent along; who asks for no
    page of the API gets all runs.
    """
    monkeypatch.setattr(library, "PER_PAGE", 2)
    names = ["oldest", "Alma", "second", "alma-2", "latest"]
    for age, name in enumerate(names):
        os.utime(
            make_run(tmp_path, name, parent="oldest@1" if name == "latest" else ""), (age, age)
        )
    client = create_app(tmp_path, DATA / "worlds").test_client()
    assert [list_cards(client.get(f"/?page={page}").text) for page in (1, 2, 3)] == [
        ["alma-2", "oldest", "latest"],
        ["second", "Alma"],
        ["oldest"],
    ]
    for odd, page in (("", 1), ("0", 1), ("-7", 1), ("x", 1), ("99", 3)):
        assert list_cards(client.get(f"/?page={odd}").text) == list_cards(
            client.get(f"/?page={page}").text
        )
    assert list_cards(client.get("/?query=ALMA").text) == ["alma-2", "Alma"]
    assert list_cards(client.get("/?query=ALMA+2").text) == ["alma-2"]
    assert [one["name"] for one in get(client, "/api/v1/runs?page=2")] == ["second", "Alma"]
    assert get(client, "/api/v1/runs?page=4") == []
    assert [one["name"] for one in get(client, "/api/v1/runs")] == names[::-1]


def test_a_folder_that_no_run_can_have_leaves_the_others_in_the_list(tmp_path: Path) -> None:
    """As a copy of a file manager has it."""
    make_run(tmp_path, "good")
    shutil.copytree(tmp_path / "checkpoints" / "good", tmp_path / "checkpoints" / "good (copy)")
    listed = {
        one["name"]: one.get("error", "")
        for one in get(create_app(tmp_path, DATA / "worlds").test_client(), "/api/v1/runs")
    }
    assert listed.keys() == {"good", "good (copy)"}
    assert "can't be the name of a run" in listed["good (copy)"]


def test_damaged_run_leaves_the_others_in_the_list(tmp_path: Path) -> None:
    make_run(tmp_path, "good")
    (tmp_path / "checkpoints" / "bad").mkdir()
    (tmp_path / "checkpoints" / "bad" / "run.sqlite").write_bytes(b"no database")
    newer = make_run(tmp_path, "newer")
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 9999")
    client = create_app(tmp_path, DATA / "worlds").test_client()
    assert {one["name"]: "error" in one for one in get(client, "/api/v1/runs")} == {
        "good": False,
        "bad": True,
        "newer": True,
    }
    for name in ("bad", "newer"):
        reply = client.get(f"/?name={name}")
        assert reply.status_code == 422
        assert "good" in reply.text


def test_a_run_that_has_only_begun(tmp_path: Path) -> None:
    file = make_run(tmp_path, "young")
    with sqlite3.connect(file) as database:
        for table in ("steps", "state", "trajectories", "conversations", "memories"):
            database.execute(f"DELETE FROM {table} WHERE step > 0")
    client = create_app(tmp_path, DATA / "worlds").test_client()
    assert get(client, "/api/v1/runs/young")["steps"] == 0
    assert get(client, "/api/v1/runs/young/frames?from=1&to=24")["residents"]["bo"]["at"] == [2, 6]


def test_without_a_run_the_page_offers_the_first_hour(tmp_path: Path) -> None:
    client = create_app(tmp_path / "none", DATA / "worlds").test_client()
    text = client.get("/").text
    assert 'id="first-hour"' in text
    assert 'data-act="new-town"' in text
    assert 'id="first-hour"' not in client.get("/?query=none").text

    assert ask(client, "recordings/nowhere?lang=en").status_code == 404
    name = ask(client, "recordings/recorded-en?lang=en").json["name"]
    assert get(client, f"/api/v1/runs/{name}")["recorded"] > 0
    assert 'id="first-hour"' in client.get("/").text

    make_run(tmp_path / "none", "first")
    text = client.get("/").text
    assert 'id="first-hour"' not in text
    assert "/?name=first" in text


def test_without_a_run_a_visitor_learns_the_command(tmp_path: Path) -> None:
    access = Access(token="a-token", key=b"k" * 32, public=True)
    text = create_app(tmp_path, DATA / "worlds", access=access).test_client().get("/").text
    assert "<pre>hometown start</pre>" in text
    assert 'id="first-hour"' not in text


# command line -----------------------------------------------------------------------------------


@pytest.fixture
def port() -> int:
    """One that is free."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def served(results: Path, port: int) -> Iterator[str]:
    """The address that replay.py prints, with its token, started as shells start background jobs:
    Ctrl-C is ignored until it is asked for.
    """
    command = [
        "sh",
        "-c",
        'trap "" INT; exec "$@"',
        "sh",
        sys.executable,
        "replay.py",
        "--port",
        str(port),
        "--results",
        str(results),
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout
    yield re.findall(r"http://\S+", process.stdout.readline())[0]
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=HANG)
    assert "Traceback" not in rest
    assert process.returncode == 0


def test_it_serves_and_refuses_a_port_in_use(
    served: str, port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    clean, _, token = served.partition("?token=")
    with urlopen(
        Request(f"{clean}api/v1/runs", headers={"Authorization": f"Bearer {token}"}), timeout=HANG
    ) as reply:
        assert len(json.load(reply)) == 2
    assert main(["--port", str(port)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "argv",
    [
        ["--port", "0"],
        ["--port", "65536"],
        ["--port", "x"],
        ["--host", "no.such.host.invalid"],
        ["--prot", "1"],
    ],
)
def test_bad_options_get_one_line(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_moment_is_drawn(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometown.history.picture.LONGEST", 320)
    reply = client.get("/api/v1/runs/故里-1/picture?step=2")
    assert (reply.mimetype, reply.data[:4]) == ("image/png", b"\x89PNG")
    get(client, "/api/v1/runs/sample/picture", 404)
