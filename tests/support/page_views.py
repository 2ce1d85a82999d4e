"""The page's own views without a browser: its scripts in Node.js, with a server or with a
`replay.html` behind them.
"""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hometown.paths import FRONTEND, WORLDS
from hometown.web.access import Access
from hometown.web.serve import serve
from tests.support.needs import require_node

SCRIPT = Path(__file__).with_name("views.mjs")

Request = tuple[str, str, dict[str, Any]]
"""A run, a view of it, and its query."""


class PageViews:
    """Views of runs, each as the page would show it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, requests: Sequence[Request]) -> list[dict[str, Any]]:
        """By request `{"answer": …}`, or `{"error": message}`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(requests) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the page's scripts have stopped"
        answers: list[dict[str, Any]] = json.loads(line)
        return answers

    def get(self, run: str, view: str, **query: Any) -> Any:
        """One answer."""
        (answer,) = self.ask([(run, view, query)])
        assert "answer" in answer, answer
        return answer["answer"]


@contextmanager
def page_views(mode: str, source: str) -> Iterator[PageViews]:
    """`mode` is "server", `source` its address; or "file" and the path of a `replay.html`."""
    command = [require_node(), str(SCRIPT), str(FRONTEND), mode, source]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield PageViews(process)
        finally:
            process.kill()


def served(results: Path, worlds: Path = WORLDS, access: Access | None = None) -> str:
    """Start a server of a results folder and return its address. Without `access`, everybody may do
    everything.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(
        target=serve,
        args=(listener, results, worlds, (), access or Access(guarded=False)),
        daemon=True,
    ).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"
