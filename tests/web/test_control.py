"""Towns run from the page: as processes of their own, by name only, and only for who may."""

from __future__ import annotations

import errno
import io
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.paths import DATA
from hometown.storage.lock import RunLock, holder_of, is_held
from hometown.storage.run_names import file_of, run_folder, run_names
from hometown.web import processes
from hometown.web.access import Access
from hometown.web.processes import Processes
from hometown.web.server import create_app
from tests.support.days import lived_day, set_out
from tests.support.hang import waited_for
from tests.support.town import opened
from tests.web.asking import OURS, ask, signed_in

TOWN = {
    "name": "fresh",
    "world": "minitown",
    "lang": "en",
    "llm": "scripted",
    "hours": 1,
    "residents": ["lin_yue", "wang_fang"],
}

STARTS = 40
"""How often a town is begun and paused in a row."""

CHANGES = [
    ("POST", "runs"),
    ("POST", "first-hour"),
    ("DELETE", "first-hour"),
    ("POST", "recordings/recorded-en"),
    *(
        ("POST", f"runs/town/{act}")
        for act in ("go", "pause", "end", "branch", "name", "back", "interventions")
    ),
    ("DELETE", "runs/town"),
    ("POST", "worlds"),
    ("POST", "worlds/minitown/residents/lin_yue/check"),
    *((method, "worlds/minitown/residents/lin_yue") for method in ("PUT", "DELETE")),
    ("PUT", "worlds/minitown/map"),
    *(("POST", f"worlds/minitown/map/{act}") for act in ("check", "undo")),
]
"""All requests that change something."""


@pytest.fixture
def results(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Iterator[Path]:
    """A results folder with the run `town`, three steps old of a day; whatever still runs in it at
    the end of the test is ended.
    """
    set_out(lived_day(tmp_path_factory), tmp_path, 3)
    yield tmp_path
    for name in run_names(tmp_path):
        if is_held(run_folder(tmp_path, name)):
            Processes(tmp_path, DATA / "worlds").pause(name)


def client_of(results: Path, **access: Any) -> FlaskClient:
    return signed_in(create_app(results, DATA / "worlds", access=Access(token="a token", **access)))


@pytest.fixture
def client(results: Path) -> FlaskClient:
    return client_of(results)


def steps(results: Path, name: str) -> int:
    with opened(results, name) as run:
        return run.last.step


def test_what_is_offered(client: FlaskClient) -> None:
    offered = client.get("/api/v1/offers").json
    assert offered["models"][-1] == {"spec": "scripted", "langs": ["en", "zh"]}
    minitown = next(world for world in offered["worlds"] if world["id"] == "minitown")["langs"]
    assert {lang: minitown[lang]["people"][0]["name"] for lang in minitown} == {
        "en": "Chen Siyuan",
        "zh": "陈思远",
    }
    assert minitown["en"]["calls"] > 30
    assert minitown["en"]["hours"] > 0


def test_a_world_that_was_changed_is_offered_as_it_is(tmp_path: Path) -> None:
    client = create_app(tmp_path, tmp_path / "worlds").test_client()
    folder = Path(shutil.copytree(DATA / "worlds" / "minitown", tmp_path / "worlds" / "minitown"))

    def name() -> str:
        return next(
            world
            for world in client.get("/api/v1/offers").json["worlds"]
            if world["id"] == "minitown"
        )["langs"]["en"]["name"]

    before, file = name(), folder / "world.json"
    file.write_text(file.read_text("utf-8").replace(f'"{before}"', '"Elsewhere"'), "utf-8")
    assert before != name() == "Elsewhere"


def test_a_town_begins_and_ends_its_life_without_the_page(
    results: Path, client: FlaskClient
) -> None:
    reply = ask(client, "runs", TOWN)
    assert (reply.status_code, reply.json) == (200, {"name": "fresh"})
    waited_for(lambda: not is_held(run_folder(results, "fresh")))
    with opened(results, "fresh") as run:
        assert (run.last.step, run.planned_end, run.manifest.residents) == (
            6,
            6,
            ["lin_yue", "wang_fang"],
        )
    assert ask(client, "runs", TOWN).status_code == 409, "the name is taken"


def test_pause_and_go_on(results: Path, client: FlaskClient) -> None:
    assert ask(client, "runs/town/go", {"hours": 20}).status_code == 200
    host, number = holder_of(run_folder(results, "town"))
    assert host == socket.gethostname()
    assert number != os.getpid()
    assert os.getsid(number) != os.getsid(0), "it does not end with the server's terminal"
    waited_for(lambda: steps(results, "town") > 3)
    assert ask(client, "runs/town/go").status_code == 409, "one process at a time"
    assert ask(client, "runs/town/pause").status_code == 200
    assert not is_held(run_folder(results, "town"))
    rested = steps(results, "town")
    assert 3 < rested < 123
    assert ask(client, "runs/town/pause").status_code == 409
    assert ask(client_of(results), "runs/town/go").status_code == 200, (
        "another server, after a crash of the first"
    )
    waited_for(lambda: steps(results, "town") > rested)
    assert ask(client_of(results), "runs/town/pause").status_code == 200


def test_a_run_is_ended_where_it_stands_and_can_go_on_all_the_same(
    results: Path, client: FlaskClient
) -> None:
    assert ask(client, "runs/town/end").status_code == 200
    with opened(results) as run:
        assert run.planned_end == 3
    assert ask(client, "runs/town/go", {"hours": 1}).status_code == 200
    waited_for(lambda: not is_held(run_folder(results, "town")))
    assert steps(results, "town") == 9


def test_a_branch_has_the_past_and_nothing_else(results: Path, client: FlaskClient) -> None:
    assert ask(client, "runs/town/branch", {"name": "what-if", "step": 2}).status_code == 200
    with opened(results) as parent, opened(results, "what-if") as branch:
        assert list(branch.digests()) == list(parent.digests())[:3]
        assert (branch.manifest.parent, branch.planned_end) == ("town@2", parent.planned_end)
    assert not is_held(run_folder(results, "what-if"))
    for body in (
        {"name": "far", "step": 4},
        {"name": "what-if", "step": 1},
        {"name": "none"},
        {"name": "no", "step": "2"},
        {"name": "no", "step": True},
    ):
        assert ask(client, "runs/town/branch", body).status_code in (400, 409), body


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../up"},
        {"name": "--help"},
        {"name": ""},
        {"name": None},
        {"world": "../minitown"},
        {"world": "nowhere"},
        {"world": ["minitown"]},
        {"lang": "de"},
        {"llm": "huggingface:/etc"},
        {"llm": "gguf:/etc/passwd"},
        {"llm": ""},
        {"hours": 0},
        {"hours": 10**9},
        {"hours": "1"},
        {"hours": 1.5},
        {"residents": ["nobody"]},
        {"residents": "lin_yue"},
        {"residents": [["lin_yue"]]},
        {"residents": ["lin_yue --clone 99"]},
    ],
)
def test_only_what_is_offered_is_begun(
    results: Path, client: FlaskClient, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Processes, "start", lambda *_: pytest.fail("something was started"))
    reply = ask(client, "runs", TOWN | change)
    assert reply.status_code == 400, reply.json
    assert reply.json["error"]
    assert run_names(results) == ["town"]


@pytest.mark.parametrize(
    ("slow", "given"), [(True, ["--pace=6"]), (False, []), (None, []), ("6; rm", [])]
)
def test_a_town_can_be_watched(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, slow: object, given: list[str]
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(
        Processes,
        "start",
        lambda _, __, arguments: begun.append([each for each in arguments if "pace" in each]),
    )
    assert ask(client, "runs", TOWN | {"slow": slow}).status_code == 200
    assert ask(client, "runs/town/go", {"slow": slow}).status_code == 200
    assert begun == [given, given]


def test_what_a_start_has_against_it_is_told(results: Path, client: FlaskClient) -> None:
    folder = run_folder(results, "broken")
    (folder / "run.sqlite").parent.mkdir()
    (folder / "run.sqlite").write_bytes(b"no database")
    reply = ask(client, "runs/broken/go", {"hours": 1})
    assert reply.status_code in (409, 422)
    assert "broken" in reply.json["error"] or "run.sqlite" in reply.json["error"]
    with sqlite3.connect(file_of(results, "town")) as database:
        database.execute(
            'UPDATE meta SET value = replace(CAST(value AS TEXT), \'"embedding":"hash"\', \'"embedding":"none"\') WHERE key = \'manifest\''
        )
    reply = ask(client, "runs/town/go")
    assert reply.status_code == 409
    assert "none" in reply.json["error"]


def test_the_server_never_ends_itself_or_a_process_elsewhere(
    results: Path, client: FlaskClient
) -> None:
    lock = RunLock(run_folder(results, "town"))
    lock.acquire()
    try:
        assert ask(client, "runs/town/pause").status_code == 409
        (run_folder(results, "town") / "run.holder").write_text(
            "process 1 on another-machine since 2025-01-01 00:00:00"
        )
        reply = ask(client, "runs/town/pause")
        assert reply.status_code == 409
        assert "another-machine" in reply.json["error"]
    finally:
        lock.release()


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_nothing_is_changed_without_signing_in_or_from_another_site(
    results: Path, method: str, path: str
) -> None:
    client = create_app(
        results, DATA / "worlds", access=Access(token="a token", public=True)
    ).test_client()
    refused = [
        ask(client, path, method=method, headers=headers)
        for headers in (
            {},
            {"Authorization": "Bearer 1"},
            {"Authorization": "Bearer "},
            {"Authorization": "Basic a token"},
            {"X-Hometown": "a token"},
        )
    ]
    assert [reply.status_code for reply in refused] == [401] * len(refused)
    foreign = [
        {"Origin": "http://evil.example"},
        {"Host": "evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ]
    assert [
        ask(client, path, method=method, headers=OURS | headers).status_code for headers in foreign
    ] == [403] * len(foreign)
    assert run_names(results) == ["town"]


def test_starts_and_stops_leave_no_process_behind(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes that do what a run does: hold its lock until they are told to end."""
    begun: list[subprocess.Popen[bytes]] = []
    holds = f"import sys, time; sys.path[:0] = {sys.path!r}\nfrom pathlib import Path\nfrom hometown.storage.lock import RunLock\n"
    holds += f"lock = RunLock(Path({str(run_folder(results, 'town'))!r}))\nlock.acquire()\ntime.sleep(600)"
    spawn = subprocess.Popen

    def remembered(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
        assert command[1:4] == ["-m", "hometown", "resume"]
        begun.append(spawn([sys.executable, "-S", "-c", holds], **how))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", remembered)
    monkeypatch.setattr(processes, "CHECK_SECONDS", 0.005)
    runner = Processes(results, DATA / "worlds")
    for _ in range(STARTS):
        runner.start("town", ["resume", "town"])
        runner.pause("town")
    assert len(begun) == STARTS
    waited_for(lambda: all(process.returncode is not None for process in begun))


def make_read_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process change nothing below a folder, as on a read-only file system; permissions
    would not stop the superuser.
    """

    def refusing(call: Any, writes: Callable[..., bool] = lambda *_: True) -> Any:
        def refuse(path: Any, *rest: Any, **more: Any) -> Any:
            if (
                isinstance(path, str | os.PathLike)
                and Path(path).is_relative_to(folder)
                and writes(*rest, *more.values())
            ):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return call(path, *rest, **more)

        return refuse

    def is_writing(*arguments: Any) -> bool:
        return any(
            isinstance(given, int) and given & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            for given in arguments[:1]
        ) or any(isinstance(given, str) and set(given) & set("wax+") for given in arguments[:1])

    for name in ("mkdir", "rename", "replace", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    monkeypatch.setattr(os, "open", refusing(os.open, is_writing))
    monkeypatch.setattr(io, "open", refusing(io.open, is_writing))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "runs", TOWN),
        ("POST", "runs/town/go", {"hours": 1}),
        ("POST", "runs/town/end", {}),
        ("POST", "runs/town/branch", {"name": "bough", "step": 1}),
        ("POST", "runs/town/name", {"name": "city"}),
        ("DELETE", "runs/town", {}),
        ("POST", "runs/town/interventions", {"kind": "tell", "text": "Lin Yue: sing"}),
    ],
)
def test_results_that_cannot_be_written_are_told_in_one_line(
    results: Path,
    client: FlaskClient,
    method: str,
    path: str,
    body: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        make_read_only(results, patched)
        reply = ask(client, path, body, method)
    assert (reply.status_code, reply.json["error"].count("\n")) == (
        422 if "interventions" in path else 409,
        0,
    )
    assert "Read-only file system" in reply.json["error"]
    assert run_names(results) == ["town"]
    assert steps(results, "town") == 3
