"""Towns from a stranger: worlds, runs and experiments that name the stranger's server wherever one
might be named.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Self
from unittest import mock

from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput, ModelUnavailable
from hometown.paths import DATA
from hometown.reading import Run
from hometown.storage.checksum import seal_meta
from hometown.storage.run_names import file_of
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.fake_openai import FakeOpenAI
from tests.web.asking import ask

MODEL = "openai:town-7b"
KEY = "sk-of-the-user"
PEOPLE = ("lin_yue", "wang_fang")
CONFIGURED = ("run", "resume", "fork", "ask", "doctor", "experiment")
"""Commands that take a settings file."""


class Stranger:
    """A server that answers nothing and keeps all that it receives: `heard` has an entry for each
    connection, of whatever protocol.
    """

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.url = f"http://{self.place}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            with caller:
                self.heard.append(b"")
                caller.settimeout(0.2)
                try:
                    self.heard[-1] = caller.recv(1 << 16)
                except OSError:
                    continue


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of both, those of `over` where both have one."""
    both = dict(under)
    for key, value in over.items():
        both[key] = merged(both.get(key) or {}, value) if isinstance(value, Mapping) else value
    return both


def places(stranger: Stranger) -> dict[str, dict[str, Any]]:
    """Return settings that would lead to a stranger's server, each on a way of its own."""
    server = {"machine": {"openai_base_url": f"{stranger.url}/v1"}}
    return {
        "openai": server | {"llm": {"default": MODEL}},
        "ollama": {"machine": {"ollama_hosts": [stranger.url]}},
        "by kind": server
        | {"llm": {"by_kind": dict.fromkeys(("schedule_init", "wake_up", "interview"), MODEL)}},
        "others": server | {"detail": {"cast": ["lin_yue"], "others": MODEL}},
        "embedding": server | {"embedding": {"default": MODEL}},
        "ray": {"machine": {"ray": stranger.place, "shards": 2}},
    }


@dataclass(frozen=True)
class Outcome:
    """The exit code of a command, what it printed, and what the stranger heard of it."""

    code: int
    printed: str
    heard: Sequence[bytes]


class Household:
    """A user with a server and a key of their own, in a folder with a run of their own, `mine`,
    whom a stranger sends something.
    """

    def __init__(self, folder: Path, stranger: Stranger, server: FakeOpenAI) -> None:
        self.folder, self.stranger, self.server = folder, stranger, server
        self.results, self.worlds, self.config = (
            folder / "results",
            folder / "worlds",
            folder / "here.json",
        )
        self.worlds.mkdir(parents=True, exist_ok=True)
        self.config.write_text(json.dumps({"llm": {"give_up_after": 0.05}}), "utf-8")

    def found(self) -> None:
        """Live the user's own run, of which strangers' runs are altered copies."""
        people = ",".join(PEOPLE)
        done = self.call(
            "run",
            "mine",
            "--world",
            "minitown",
            "--residents",
            people,
            "--step",
            "2",
            "--llm",
            "scripted",
        )
        assert done.code == 0, done.printed

    def receive_world(self, settings: Mapping[str, Any]) -> None:
        """Put a world with these settings, `gift`, among those of the user."""
        folder = self.worlds / "gift"
        if not folder.exists():
            shutil.copytree(DATA / "worlds" / "minitown", folder)
        content = json.loads((DATA / "worlds" / "minitown" / "world.json").read_text("utf-8"))
        (folder / "world.json").write_text(
            json.dumps(merged(content, {"settings": settings})), "utf-8"
        )

    def receive_run(self, settings: Mapping[str, Any], **manifest: str) -> None:
        """Put a run with these settings and other fields of the manifest, `gift`, among those of
        the user.
        """
        source, folder = file_of(self.results, "mine").parent, file_of(self.results, "gift").parent
        for name in ("gift", "branch"):
            shutil.rmtree(file_of(self.results, name).parent, ignore_errors=True)
        shutil.copytree(source, folder)
        with closing(sqlite3.connect(file_of(self.results, "gift"))) as database:
            (text,) = database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
            content = merged(json.loads(text), {"name": "gift", "settings": settings, **manifest})
            database.execute(
                "UPDATE meta SET value = ? WHERE key = 'manifest'", (json.dumps(content).encode(),)
            )
            seal_meta(database)
            database.commit()

    def receive_experiment(self, settings: Mapping[str, Any], **changes: Any) -> Path:
        """Write an experiment with these settings."""
        file = self.folder / "gift.json"
        content = {
            "name": "gift",
            "question": "Is it safe?",
            "town": {"world": "minitown", "residents": list(PEOPLE), "until": "00:20"},
            "seeds": [1],
            "conditions": {"one": {}},
            "settings": settings,
            "primary": {"measure": "novelty.distinct_2"},
        }
        file.write_text(json.dumps(content | changes), "utf-8")
        return file

    def call(self, command: str, *arguments: str) -> Outcome:
        """Run a command of `hometown` in this process, with the user's environment."""
        more = ["--results", str(self.results)]
        more += ["--worlds", str(self.worlds)] if command != "check" else []
        more += ["--config", str(self.config)] if command in CONFIGURED else []
        return self.observe(lambda: hometown([command, *arguments, *more]))

    def observe(self, work: Callable[[], int]) -> Outcome:
        """Do some work with the user's environment."""
        before, printed = len(self.stranger.heard), StringIO()
        with self.environment(), redirect_stdout(printed), redirect_stderr(printed):
            code = work()
        return Outcome(code, printed.getvalue(), self.stranger.heard[before:])

    @contextmanager
    def environment(self) -> Iterator[None]:
        """Set the user's servers and key, while the context lasts."""
        own = {
            "OPENAI_BASE_URL": self.server.url,
            "OPENAI_API_KEY": KEY,
            "OLLAMA_HOST": "http://127.0.0.1:9",
            "LC_ALL": "C.UTF-8",
        }
        with mock.patch.dict(os.environ, own):
            yield

    def begin_on_page(self) -> Outcome:
        """Begin a run of the world that was received, on the page."""
        body = {
            "name": "fresh",
            "world": "gift",
            "lang": "en",
            "llm": "scripted",
            "hours": 1,
            "residents": [PEOPLE[0]],
        }

        def work() -> int:
            client = create_app(
                self.results, self.worlds, access=Access(token="a token")
            ).test_client()
            answer = ask(client, "runs", body)
            print(answer.get_data(as_text=True))
            return answer.status_code

        return self.observe(work)

    def retrieve(self) -> Outcome:
        """Search a resident's memories in the run that was received, by the Python interface."""

        def work() -> int:
            try:
                with Run.open("gift", results=self.results, worlds=self.worlds) as run:
                    run.retrieve(PEOPLE[0], "tea")
            except (BadInput, ModelUnavailable) as error:
                print(error)
                return error.exit_code
            return 0

        return self.observe(work)


WORLD_COMMANDS: dict[str, Callable[[Household], Outcome]] = {
    "run": lambda home: home.call("run", "new", "--world", "gift", "--step", "1"),
    "run on openai": lambda home: home.call(
        "run", "new", "--world", "gift", "--step", "1", "--llm", MODEL
    ),
    "run by rule": lambda home: home.call(
        "run", "new", "--world", "gift", "--step", "1", "--llm", "scripted"
    ),
    "doctor": lambda home: home.call("doctor", "--world", "gift", "--llm", MODEL),
    "check": lambda home: home.call("world", "check", "gift"),
    "page": lambda home: home.begin_on_page(),
    "experiment": lambda home: home.call(
        "experiment", str(home.receive_experiment({}, town={"world": "gift", "until": "00:20"}))
    ),
}
"""What a user may do with a world."""

RUN_COMMANDS: dict[str, Callable[[Household], Outcome]] = {
    "resume": lambda home: home.call("resume", "gift", "--step", "1"),
    "fork": lambda home: home.call("fork", "gift@1", "--name", "branch", "--step", "1"),
    "ask": lambda home: home.call("ask", "gift", "Lin Yue: Who are you?"),
    "compare": lambda home: home.call("compare", "gift", "mine"),
    "verify": lambda home: home.call("verify", "gift"),
    "check": lambda home: home.call("check", "gift"),
    "export": lambda home: home.call("export", "gift"),
    "retrieve": lambda home: home.retrieve(),
}
"""What a user may do with a run."""
