"""The refusal of the network itself, which `.ci/run` relies on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hang import HANG

OFFLINE = Path(__file__).parent.parent / "offline"


def offline(code: str, log: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(OFFLINE), "OFFLINE_LOG": str(log)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=HANG
    )


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import asyncio; asyncio.run(asyncio.open_connection('192.0.2.1', 80))",
        "import urllib.request; urllib.request.urlopen('http://192.0.2.1')",
        "import socket; socket.socket().connect_ex(('192.0.2.1', 9))",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('198.51.100.1', 9))",
    ],
)
def test_what_leaves_the_machine_is_refused_and_noted(code: str, tmp_path: Path) -> None:
    result = offline(code, tmp_path / "log")
    assert result.returncode == 1
    assert "no network in this test" in result.stderr
    assert (tmp_path / "log").read_text().strip()


@pytest.mark.parametrize(
    "code",
    [
        "import socket; server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname())",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).connect_ex(('192.0.2.1', 9))",  # an error's number where there is no route
    ],
    ids=["own server", "question about the own address"],
)
def test_what_stays_on_the_machine_is_let_through(code: str, tmp_path: Path) -> None:
    assert offline(code, tmp_path / "log").returncode == 0
    assert not (tmp_path / "log").exists()
