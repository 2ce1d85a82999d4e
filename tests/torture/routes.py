"""Asks the server everything: whatever that is, it answers, and never with its own fault.

Routes are found from the app, and the parameters that each reads by looking over its shoulder, so
what is added later is asked too.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch
from urllib.parse import quote

import flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule

from hometown.paths import DATA
from hometown.web.access import Access
from hometown.web.processes import Processes
from hometown.web.server import create_app
from tests.support.town import live

TOKEN = "a token"
RUN = "town"
STEPS = 8
WORLD = "dale"
GOOD = (
    "town",
    "dale",
    "lin_yue",
    "map",
    "1",
    "8",
    "en",
    "0",
    "event",
    "score",
    "cafe/main/counter",
)
"""What some route or parameter means something by."""

ODD = (
    "",
    "..",
    "../../etc/passwd",
    "%2e%2e%2f",
    "/",
    "//",
    "\\",
    ".",
    "CON",
    "a" * 300,
    "-1",
    "9" * 40,
    "1e9",
    "nan",
    "true",
    "null",
    "[]",
    "{}",
    "'; DROP TABLE steps; --",
    "<script>alert(1)</script>",
    "\x00",
    "\r\nX-Evil: 1",
    "故里",
    "😀" * 20,
    "\u202e",
    "٣",
    "２",
    "2025-02-30",
    "24:61",
)

BESIDE = ("HEAD", "OPTIONS")
"""Methods that every route answers without code of its own: what it does for GET, or nothing."""

TEXT = st.one_of(
    st.sampled_from(GOOD),
    st.sampled_from(ODD),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)
BODY = st.one_of(
    st.binary(max_size=200),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["tell", "set", "event", "place", "remove", "fly"]),
            "text": st.one_of(TEXT, st.just("Lin Yue: sing"), JSON),
            "at": TEXT,
        }
    ).map(lambda value: json.dumps(value).encode()),
    st.just(b"[" * 5000),
    st.just(b'{"kind": "tell", "text": "\\ud800"}'),
    st.just(b"x" * 20_000),
)
HEADERS = st.fixed_dictionaries(
    {
        "Authorization": st.sampled_from([f"Bearer {TOKEN}"] * 7 + ["Bearer 0"]),
        "Content-Type": st.sampled_from(
            ["application/json", "application/json", "text/plain", "\x7f"]
        ),
    },
    optional={
        "Origin": st.sampled_from(
            ["http://localhost", "http://localhost", "http://evil.example", "null"]
        ),
        "Host": st.sampled_from(["localhost", "127.0.0.1:5000", "evil.example", "[::1", "a:b", ""]),
        "If-None-Match": st.sampled_from(["*", '"x"', "nonsense", '"' * 9]),
        "Accept-Language": st.sampled_from(["zh", "*", ";q=x", "en" * 50]),
        "Range": st.sampled_from(["bytes=0-1", "bytes=9-1", "x"]),
    },
)


class Watched(ImmutableMultiDict[str, str]):
    """Parameters of a request; which were looked for is kept, for all requests of all routes."""

    asked: ClassVar[set[str]] = set()

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return super().__getitem__(key)

    def get(self, key: str, *more: Any, **named: Any) -> Any:
        self.asked.add(key)
        return super().get(key, *more, **named)


class WatchedRequest(flask.Request):
    parameter_storage_class = Watched


@dataclass
class Fuzz:
    """An app over one run; how much it was asked, and what it got wrong."""

    results: Path
    requests: int = 0
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        live(self.results / "kept", STEPS, name=RUN)
        self.restore()
        worlds = self.results / "worlds"
        shutil.copytree(DATA / "worlds" / "minitown", worlds / WORLD)
        self.app = create_app(self.results, worlds, access=Access(token=TOKEN))
        self.app.request_class = WatchedRequest
        self.app.logger.disabled = True

    def restore(self) -> None:
        """What a route has deleted or renamed is there again."""
        if not (self.results / "checkpoints" / RUN / "run.sqlite").exists():
            shutil.copytree(
                self.results / "kept" / "checkpoints",
                self.results / "checkpoints",
                dirs_exist_ok=True,
            )

    def routes(self) -> Iterator[tuple[Rule, str]]:
        for rule in self.app.url_map.iter_rules():
            yield from ((rule, method) for method in sorted(rule.methods or ()))

    def ask(self, rule: Rule, method: str, parameters: list[str], data: st.DataObject) -> None:
        self.restore()
        path = "".join(_part(part, rule, data) for part in _parts(rule.rule))
        query = data.draw(st.dictionaries(st.sampled_from(parameters), TEXT, max_size=5))
        body = data.draw(BODY) if method in ("POST", "PUT", "PATCH", "DELETE") else None
        with self.app.test_client() as client:
            reply = client.open(
                path, method=method, query_string=query, data=body, headers=data.draw(HEADERS)
            )
            self.requests += 1
            if reply.status_code >= 500:
                self.failures.append(f"{method} {path} {query} {body!r}: {reply.status_code}")
            reply.close()


def _parts(rule: str) -> list[str]:
    return rule.replace("<", "\n<").replace(">", ">\n").split("\n")


def _part(part: str, rule: Rule, data: st.DataObject) -> str:
    """A piece of a path: as it is, or something in a variable's place, mostly what means something."""
    if not part.startswith("<"):
        return part
    good = {"name": st.just(RUN), "who": st.just("lin_yue"), "id": st.just("lin_yue")}.get(
        part.strip("<>").rpartition(":")[2], st.sampled_from(GOOD)
    )
    value = data.draw(st.one_of(good, good, good, TEXT))
    return quote(value, safe="/" if "path:" in part else "")


def fuzz(results: Path, examples: int) -> Fuzz:
    """Asks each route `examples` times or so, and before that twice to learn which parameters
    there are.
    """
    found = Fuzz(results)
    with (
        patch.object(Processes, "start"),
        patch.object(Processes, "pause"),
    ):  # the routes are tried, and not what they start
        for times in (2, examples):
            parameters = sorted(Watched.asked | {"name"})
            for rule, method in found.routes():
                _fuzz_one(found, rule, method, parameters, 1 if method in BESIDE else times)
    return found


def _fuzz_one(found: Fuzz, rule: Rule, method: str, parameters: list[str], times: int) -> None:
    @settings(
        max_examples=times,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def ask(data: st.DataObject) -> None:
        found.ask(rule, method, parameters, data)

    ask()
