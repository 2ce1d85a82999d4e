"""Rows of a journal that cannot be read: they are asked again, and never stop a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.model.caller import Caller
from hometown.model.llm import Completion, Request
from hometown.prompt.catalogue import PROMPTS
from hometown.settings import Llm, Settings
from hometown.storage.journal import RunJournal
from hometown.storage.run import RunFile
from tests.support.conformance import TEMPLATES
from tests.support.fake_models import Canned, HashEmbeddings, PocketJournal, PocketTable
from tests.support.prompt_samples import SAMPLES
from tests.support.town import live

UNREADABLE = (
    b"",
    b"null",
    b"[]",
    b"5",
    b"{}",
    b"\xff\xfe",
    b"not json",
    b"[" * 5000,
    b'{"text": null, "prompt_tokens": 1, "reply_tokens": 1}',
    b'{"text": "{}", "prompt_tokens": null, "reply_tokens": 1}',
    b'{"text": "{}", "prompt_tokens": "many", "reply_tokens": 1}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 18446744073709551615}',
    b'{"text": "{}", "prompt_tokens": -1, "reply_tokens": 1}',
    b'{"text": "{}", "prompt_tokens": 1.5, "reply_tokens": 1}',
    b'{"text": ["a"], "prompt_tokens": 1, "reply_tokens": 1}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 1, "colour": "red"}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 1, "read_ms": "x"}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 1, "failure": 5}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 1, "served": 5}',
    b'{"text": "{}", "prompt_tokens": 1, "reply_tokens": 1, "served": {"server": "one", "began": 0, "ms": 1, "tokens": 2}}',
    None,
    "a text",
    5,
)


async def ask(model: Any, journal: PocketJournal) -> Any:
    caller = Caller(
        model,
        HashEmbeddings(),
        TEMPLATES["en"],
        journal,
        PocketTable(),
        Settings(llm=Llm(retries=1)),
    )
    _, call, _ = await caller.ask(
        PROMPTS["utterance"], SAMPLES["utterance"], step=3, who="ida", ordinal=0, seed=1
    )
    return call


@pytest.mark.parametrize("row", UNREADABLE, ids=range(len(UNREADABLE)))
async def test_a_row_that_cannot_be_read_is_asked_again(row: Any) -> None:
    journal, model = PocketJournal(), Canned()
    usual = await ask(model, journal)
    ((key, (asked, good)),) = journal.kept.items()
    journal.kept[key] = (asked, row)
    assert replace(await ask(model, journal), ms=0) == replace(usual, ms=0)
    assert len(model.requests) == 2
    assert journal.kept[key] == (asked, good), "and replaced"


async def test_rows_of_earlier_versions_are_read() -> None:
    journal, model = PocketJournal(), Canned()
    await ask(model, journal)
    ((key, (asked, good)),) = journal.kept.items()
    journal.kept[key] = (
        asked,
        orjson.dumps(
            {name: orjson.loads(good)[name] for name in ("text", "prompt_tokens", "reply_tokens")}
        ),
    )
    await ask(model, journal)
    assert len(model.requests) == 1


ODD_COMPLETIONS = (
    None,
    "text",
    Completion(None, 1, 1),  # type: ignore[arg-type]
    Completion(b"{}", 1, 1),  # type: ignore[arg-type]
    Completion("{}", None, 1),  # type: ignore[arg-type]
    Completion("{}", 2**63, 1),
    Completion("{}", 1, -1),
    Completion("{}", 1, 1.5),  # type: ignore[arg-type]
    Completion("{}", 1, 1, 0, float("nan")),
    Completion("{}", 1, 1, 0, 0.0, float("inf")),
    Completion("{}", 1, 1, failure=None),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("odd", ODD_COMPLETIONS, ids=range(len(ODD_COMPLETIONS)))
async def test_what_a_backend_returns_is_checked_before_it_is_kept(odd: Any) -> None:
    class Odd(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            answer: Completion = odd
            return answer

    journal = PocketJournal()
    call = await ask(Odd(), journal)
    assert call.outcome == "fallback"
    assert call.attempts[0].failed
    assert (await ask(Odd(), journal)).attempts == call.attempts


def test_rows_of_the_wrong_types_do_not_stop_a_run(tmp_path: Path) -> None:
    live(tmp_path, 2)
    with RunFile.open(tmp_path, "town", write=True) as run:
        rows = [
            (3, b"\xff\xfe", 5, "x", b"\xff", "no hash", 2.5),
            (b"\xff\xff", "ida", "utterance", 0, 0, 7, "reply"),
            (3, "ida", "place", 0, 0, b"h", b"{}"),
        ]
        run.database.executemany("INSERT INTO journal VALUES (?,?,?,?,?,?,?,NULL)", rows)
        run.database.execute(
            "INSERT INTO journal SELECT 3, CAST(x'fffe' AS TEXT), CAST(x'ff' AS TEXT), 1, 1, CAST(x'fe' AS TEXT), CAST(x'fe' AS TEXT), NULL"
        )
    with RunFile.open(tmp_path, "town", write=True) as run:
        assert isinstance(run.journal, RunJournal)
        assert run.journal.get(3, "ida", "place", 0, 0, b"h") == b"{}"
        assert run.journal.get(3, "tom", "place", 0, 0, b"h") is None
