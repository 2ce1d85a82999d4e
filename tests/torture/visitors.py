"""Visitors who have not signed in ask every route of the server for everything, in every way: they
see and change nothing.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.routing import Rule

from hometown.paths import WORLDS
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.town import live
from tests.torture.cases import Lost, case

RUN, TOKEN = "town", "a-token-that-is-not-known"
GOOD = {
    "name": RUN,
    "who": "lin_yue",
    "id": "lin_yue",
    "other": RUN,
    "number": "1",
    "lang": "en",
    "kind": "portraits",
    "file": "lin_yue.png",
}
"""What the variables of routes mean something by."""

SECRETS = (
    "",
    "a-token",
    TOKEN[:-1],
    TOKEN + "x",
    TOKEN.upper(),
    "' OR 1=1",
    "\u202e",
    "null",
    "0" * 64,
)

OPEN = ("/frontend/", "/charts.js", "/sign-in")
"""What everybody may see."""


@dataclass
class Toll:
    """Requests, by the status of their answers."""

    answers: Counter[int] = field(default_factory=Counter)


def visited(folder: Path, count: int, first: int = 0) -> Toll:
    """Ask every route so often. Raises Lost where anything was seen or has changed."""
    live(folder, 2, name=RUN)
    worlds = folder / "worlds"
    shutil.copytree(WORLDS / "minitown", worlds / RUN)
    before, toll = _traces(folder), Toll()
    for number in range(first, first + count):
        with case("visitors", number):
            chance = random.Random(number)
            access = Access(token=TOKEN, password=chance.choice(("", "", "a password")))
            app = create_app(folder, worlds, access=access)
            for rule in app.url_map.iter_rules():
                for method in sorted(rule.methods or ()):
                    _visit(app.test_client(), rule, method, chance, toll)
            if _traces(folder) != before:
                raise Lost("something has changed")
    return toll


def _visit(client: FlaskClient, rule: Rule, method: str, chance: random.Random, toll: Toll) -> None:
    path = rule.rule
    for name in rule.arguments:
        kinds = (f"<int:{name}>", f"<path:{name}>", f"<any('en', 'zh'):{name}>", f"<{name}>")
        for kind in kinds:
            path = path.replace(kind, GOOD.get(name, "1"))
    secret = chance.choice(SECRETS)
    headers = chance.choice(
        (
            {},
            {"X-Forwarded-For": "127.0.0.1"},
            {"Forwarded": "for=127.0.0.1"},
            {"Authorization": f"Bearer {secret.encode().decode('latin-1')}"},
            {"X-Hometown": secret.encode().decode("latin-1")},
            {"Cookie": f"hometown-80={secret.encode().decode('latin-1')}"},
            {"Authorization": "Basic eDp4"},
        )
    )
    query = {"token": secret} if chance.random() < 0.5 else {"name": RUN}
    body = json.dumps(
        {"name": "mine", "step": 1, "world": RUN, "hours": 1, "lang": "en", "llm": "scripted"}
    )
    with client.open(
        path,
        method=method,
        headers=headers,
        query_string=query,
        data=body,
        content_type="application/json",
    ) as reply:
        toll.answers[reply.status_code] += 1
        if reply.status_code >= 500:
            raise Lost(f"{method} {path}: {reply.status_code}")
        if path.startswith(OPEN):
            return
        if (
            reply.status_code not in (401, 404, 405, 429)
            or "Set-Cookie" in reply.headers
            or {TOKEN, "minitown"} & set(re.findall(r"[\w-]+", reply.get_data(as_text=True)))
        ):
            raise Lost(f"{method} {path} with {headers} {query}: {reply.status_code}")


def _traces(folder: Path) -> dict[str, str]:
    """The content of all files."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
