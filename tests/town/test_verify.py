"""`--verify`: a run is what it says it is, and whatever was changed in it afterwards is found."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from math import inf
from pathlib import Path

import orjson
import pytest
import zstandard

from hometown.cli.start import main
from hometown.errors import TooLong
from hometown.model.llm import Completion, Request
from hometown.model.reply_parsing import ONLY_REASONING
from hometown.prompt.budget import about_tokens
from hometown.scripted.model import ScriptedModel
from hometown.storage.manifest import ENGINE
from hometown.storage.run_names import file_of
from hometown.world.interventions import Intervention
from tests.support.town import live, minitown, opened

Tamper = Callable[[sqlite3.Connection], object]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A morning with talks in it."""
    results = tmp_path_factory.mktemp("lived")
    live(results, 30, seed=3)
    return results


def verify(results: Path) -> int:
    return main(["--verify", "town", "--results", str(results), "--lang", "en"])


def test_a_run_is_what_it_says_it_is(lived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(lived) == 0
    assert "30 steps are thought as recorded" in capsys.readouterr().out


def test_what_is_perceived_does_not_depend_on_the_vectors_that_are_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chen Siyuan sees that the café is closed while they choose a place for their next task: the
    choice was another one when the memory's vector was known already, as after a kill.
    """
    live(tmp_path, 6, world=minitown("en"), seed=0)
    with opened(tmp_path) as run:
        run.ask([Intervention("leave", "zhang_wei", step=8)])
        run.ask([Intervention("event", "cafe/main", "a fire breaks out", 10)])
    live(tmp_path, 10, world=minitown("en"), seed=0)
    assert verify(tmp_path) == 0
    assert "16 steps are thought as recorded" in capsys.readouterr().out


def _effects(database: sqlite3.Connection, step: int, change: Callable[[list], object]) -> None:  # type: ignore[type-arg]
    (log,) = database.execute("SELECT log FROM effects WHERE step = ?", (step,)).fetchone()
    rows = orjson.loads(zstandard.ZstdDecompressor().decompress(log))
    change(rows)
    database.execute(
        "UPDATE effects SET log = ? WHERE step = ?",
        (zstandard.ZstdCompressor().compress(orjson.dumps(rows)), step),
    )


def _replace(
    database: sqlite3.Connection, table: str, column: str, old: str, new: str, where: str = "1"
) -> None:
    database.execute(
        f"UPDATE {table} SET {column} = CAST(replace({column}, ?, ?) AS BLOB) WHERE {where}",
        (old, new),
    )


def _other_activity(rows: list) -> None:  # type: ignore[type-arg]
    began = next(row for row in rows if row[1] == "Began")
    began[3]["action"]["activity"] = "robbing a bank"


TAMPERS: dict[str, Tamper] = {
    "an utterance": lambda db: _replace(db, "conversations", "lines", "e", "x"),
    "a memory": lambda db: db.execute(
        "UPDATE memories SET text = 'I owe nobody anything.' WHERE step = 12"
    ),
    "a poignancy": lambda db: db.execute(
        "UPDATE memories SET poignancy = 11 - poignancy WHERE step = 20"
    ),
    "a digest": lambda db: db.execute(
        "UPDATE steps SET digest = substr(digest, 2) || '0' WHERE step = 17"
    ),
    "an effect": lambda db: _effects(db, 9, _other_activity),
    "an effect left out": lambda db: _effects(db, 9, lambda rows: rows.pop(len(rows) // 2)),
    "a state row": lambda db: _replace(
        db, "state", "value", '"talks":1', '"talks":2', "key LIKE 'relation/%'"
    ),
    "a way": lambda db: db.execute(
        "DELETE FROM trajectories WHERE step = (SELECT max(step) FROM trajectories)"
    ),
    "a last access": lambda db: db.execute(
        "UPDATE memory_changes SET accessed = x'7b7d' WHERE step ="
        " (SELECT max(step) FROM memory_changes WHERE accessed != x'7b7d')"
    ),
    "a reply": lambda db: _replace(db, "calls", "attempts", "a", "o", "kind = 'utterance'"),
    "the reply that was used": lambda db: _replace(
        db, "calls", "reply", "a", "o", "kind = 'utterance'"
    ),
    "what was retrieved": lambda db: db.execute(
        "UPDATE calls SET retrieved = x'5b5d' WHERE kind = 'utterance'"
    ),
    "something unreadable": lambda db: db.execute(
        "UPDATE calls SET reply = 'text' WHERE kind = 'utterance'"
    ),
    "the start": lambda db: db.execute(
        "UPDATE memories SET text = 'A secret.' WHERE step = 0 AND id = 1"
    ),
}


@pytest.mark.parametrize("what", TAMPERS)
def test_what_was_tampered_with_is_found(
    what: str, lived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(lived, tmp_path, dirs_exist_ok=True)
    with sqlite3.connect(file_of(tmp_path, "town")) as database:
        before = database.total_changes
        TAMPERS[what](database)
        assert database.total_changes > before
    assert verify(tmp_path) == 1
    told = capsys.readouterr().out
    assert "different: step" in told
    assert "recorded:" in told


class HardToRead:
    """The scripted model, each third of whose replies is unreadable: `broken` by the server where
    that is said. Prompts and replies have `context` tokens.
    """

    name = "hard"

    def __init__(self, broken: str, context: float = inf, refused: int = 0) -> None:
        self.broken, self.tokens, self.refused = broken, context, refused
        self.asked = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if self.refused and about_tokens(request.messages) > self.refused:
            raise TooLong("the server refuses it")
        self.asked += 1
        if self.asked % 3 == 0:
            return Completion("no JSON here " * 40, 10, 10, broken=self.broken)
        return await ScriptedModel().complete(request, seed=seed, priority=priority)

    def context(self, kind: str) -> float:
        return self.tokens


@pytest.mark.parametrize(
    "model",
    [
        HardToRead(""),
        HardToRead(ONLY_REASONING),
        HardToRead("", context=2200),
        HardToRead(ONLY_REASONING, context=2200),
        HardToRead("", refused=2000),
    ],
    ids=["unreadable", "broken", "cut", "broken and cut", "refused as too long"],
)
def test_replies_that_cannot_be_used_and_prompts_that_are_cut_are_thought_again(
    model: HardToRead, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"llm": {"max_fallback_share": 1}}
    live(tmp_path, 5, model=model, stride=60, settings=settings)
    assert verify(tmp_path) == 0
    assert "5 steps are thought as recorded" in capsys.readouterr().out


def test_shortened_prompts_that_were_not_kept_are_only_folded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"record_prompts": False}
    live(tmp_path, 5, model=HardToRead("", context=2200), stride=60, settings=settings)
    assert verify(tmp_path) == 0
    assert "prompts were shortened" in capsys.readouterr().out


def test_another_engine_is_only_folded(
    lived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(lived, tmp_path, dirs_exist_ok=True)
    with sqlite3.connect(file_of(tmp_path, "town")) as database:
        database.execute(
            "UPDATE meta SET value = replace(value, ?, ?) WHERE key = 'manifest'",
            (f'"engine":{ENGINE}', '"engine":999'),
        )
    assert verify(tmp_path) == 0
    assert "engine 999" in capsys.readouterr().out


def test_no_run_no_verdict(tmp_path: Path) -> None:
    assert verify(tmp_path) == 2
