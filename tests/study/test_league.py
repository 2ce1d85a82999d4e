"""A league of models: lived, stopped and continued, compared on a page, with cards of others."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hometown import backends
from hometown.cli.main import run_hometown as hometown
from hometown.config import read_layer
from hometown.errors import BadInput, HometownError, ModelUnavailable
from hometown.league_interface import League
from hometown.model import permission
from hometown.model.llm import Completion, Request
from hometown.paths import CONFIG
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.study.experiment import work_pools
from hometown.study.league import league_entries
from hometown.study.league.card import Card, card_name, read_card, write_card
from hometown.study.league.league_page import rank_cards
from tests.support.once import made_once

HOURS = ["--lang", "en", "--residents", "3", "--start", "20250213-08:00", "--hours", "1"]

PARROT = "league:parrot"

SAID = "The kiln is warm and the bread is late again, as I always say."


class Killed(Exception):
    """The process of the league is gone."""


class Variant:
    """The stand-in under another name: `parrot` says one line for ever, `mute` answers nothing, and
    all are killed once `left` is used up.
    """

    left = -1

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = f"league:{name}"
        self._model = ScriptedModel()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if self.name == "league:mute":
            raise ModelUnavailable("league:mute: no reply")
        if Variant.left == 0:
            raise Killed
        Variant.left -= 1
        completion = await self._model.complete(request, seed=seed, priority=priority)
        if request.kind != "utterance":
            return completion
        reply = json.dumps(json.loads(completion.text) | {"say": SAID})
        return Completion(reply, completion.prompt_tokens, completion.reply_tokens)


class InlinePool:
    """A pool of this process."""

    def submit(self, work: Callable[..., bool], *arguments: Any) -> Future[bool]:
        done: Future[bool] = Future()
        done.set_result(work(*arguments))
        return done


@contextmanager
def open_inline(*_: object) -> Iterator[InlinePool]:
    yield InlinePool()


def hold(results: Path, *words: str) -> int:
    """Hold a league in this process, and return the exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work_pools, "open_pool", open_inline)
        patch.setattr(league_entries, "INTERVIEWED", 1)
        patch.setattr(permission, "FILE", results / "permitted.txt")
        patch.setitem(backends._registered, "league", Variant)
        return hometown(["league", *words, *HOURS, "--results", str(results)])


def folder_in(results: Path) -> Path:
    """The folder of the only league."""
    (folder,) = (results / "leagues").iterdir()
    return folder


def card_in(results: Path, model: str) -> Card:
    return read_card(folder_in(results) / "cards" / f"{card_name(model)}.json")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of the stand-in and a parrot, with an hour on the farmstead. Nobody may change it."""

    def live(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(league_entries, "DAY", 60)
            assert hold(folder, PARROT, "--farmstead", "1") == 0

    return made_once(tmp_path_factory, "league", live)


def test_the_page_compares_all_models_by_itself(results: Path) -> None:
    page = (folder_in(results) / "league.html").read_text("utf-8")
    assert page.index("1. league:parrot") < page.index("2. stand-in (rules, no language model)")
    assert SAID in page
    assert "time spent urgently hungry there" in page
    for elsewhere in ("http:", "https:", "src=", "<script"):
        assert elsewhere not in page


def test_a_card_tells_how_a_model_lived(results: Path) -> None:
    parrot, stand_in = card_in(results, PARROT), card_in(results, "scripted")
    assert (parrot.source, stand_in.source) == ("model", "stand-in")
    assert parrot.hours == stand_in.hours
    assert (parrot.hours.residents, parrot.hours.minutes) == (3, 60)
    assert not parrot.is_alive
    assert parrot.repetition.count > stand_in.repetition.count
    assert all(line.endswith(f": {SAID}") for line in parrot.talk)
    assert stand_in.memory or sys.platform == "win32"
    assert stand_in.interviews
    assert stand_in.interviews.count > stand_in.interviews.total / 2
    assert stand_in.farmstead
    assert stand_in.farmstead.minutes == 60
    assert stand_in.farmstead.standing.count == 4
    assert stand_in.farmstead.hungry.count == 0
    picture = folder_in(results) / "cards" / f"{card_name(PARROT)}.png"
    with Image.open(picture) as image:
        assert image.size == (1200, 630)


def test_a_league_that_was_killed_goes_on(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First while residents live, then while they are interviewed; in the end nothing is asked."""
    for left in (4, 20):
        monkeypatch.setattr(Variant, "left", left)
        with pytest.raises(Killed):
            hold(tmp_path, PARROT)
    monkeypatch.setattr(Variant, "left", -1)
    assert hold(tmp_path, PARROT) == 0
    monkeypatch.setattr(Variant, "left", 0)
    assert hold(tmp_path, PARROT) == hold(tmp_path) == 0
    assert "1. league:parrot" in (folder_in(tmp_path) / "league.html").read_text("utf-8")
    changing = {"seconds", "memory", "farmstead"}
    continued, whole = (card_in(each, PARROT) for each in (tmp_path, results))
    assert continued.model_dump(exclude=changing) == whole.model_dump(exclude=changing)


def test_python_holds_the_same_league(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results, tmp_path, dirs_exist_ok=True)
    told: list[tuple[str, Path | HometownError | None]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work_pools, "open_pool", open_inline)
        patch.setattr(league_entries, "INTERVIEWED", 1)
        patch.setattr(permission, "FILE", tmp_path / "permitted.txt")
        patch.setitem(backends._registered, "league", Variant)
        league = League.prepare(
            [PARROT, "league:mute"],
            residents=["3"],
            start=datetime(2025, 2, 13, 8),
            hours=1,
            settings=read_layer(CONFIG),
            results=tmp_path,
        )
        assert league.folder == folder_in(tmp_path), "it goes on with what the command began"
        report = asyncio.run(league.run_async(progress=lambda *each: told.append(each)))
    assert report.page.is_file()
    assert report.cards[PARROT] == league.folder / "cards" / f"{card_name(PARROT)}.json"
    assert [*report.errors] == ["league:mute"]
    assert told[-2:] == [("league:mute", None), ("league:mute", report.errors["league:mute"])]


def test_cards_and_runs_are_shown_beside_the_models(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model without replies does not end the league."""
    other = card_in(results, PARROT)
    other = other.model_copy(
        update={
            "model": "<b>ollama:qwen3:8b</b>",
            "missed": (),
            "hours": other.hours.model_copy(update={"seed": 7}),
        }
    )
    runs = folder_in(results) / "checkpoints"
    (tmp_path / "checkpoints").symlink_to(runs, target_is_directory=True)
    file = write_card(other, tmp_path)
    assert hold(tmp_path, "league:mute", "--card", str(file), "--run", "scripted-0") == 3
    assert "league:mute: no reply" in capsys.readouterr().err
    page = (folder_in(tmp_path) / "league.html").read_text("utf-8")
    assert "1. &lt;b&gt;ollama:qwen3:8b&lt;/b&gt;: a living town" in page
    assert "scripted-0: scripted (no language model)" in page
    assert "other hours were lived: &lt;b&gt;ollama:qwen3:8b" in page
    assert "time spent urgently hungry there" in page
    assert "not measured" in page


def test_the_best_comes_first_and_the_stand_in_last(results: Path) -> None:
    stand_in, parrot = card_in(results, "scripted"), card_in(results, PARROT)
    alive = parrot.model_copy(update={"missed": ()})
    assert rank_cards([stand_in.model_copy(update={"missed": ()}), parrot, alive])[::2] == [
        alive,
        stand_in.model_copy(update={"missed": ()}),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "hometown-league-9"}, "a card of a league has 'hometown-league-1'"),
        ({"modell": "x"}, "unknown key 'modell'; did you mean 'model'?"),
        ({"echo": {"count": 3, "total": 2}}, "the count lies between 0 and the total"),
        ({"seconds": -1}, "seconds: Input should be greater than or equal to 0, not -1"),
        ({"hours": 4}, "hours: Input should be a valid dictionary"),
        ({"talk": ["x"] * 7}, "at most 6 items"),
        (
            {"missed": [{"name": "charm", "value": 0, "limit": 1}]},
            "there is no limit of acceptance 'charm': a newer version may have it",
        ),
    ],
)
def test_a_faulty_card_is_refused_with_a_line(
    results: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    content = card_in(results, PARROT).model_dump(mode="json") | change
    file = tmp_path / "card.json"
    file.write_text(json.dumps(content), "utf-8")
    with pytest.raises(BadInput) as refused:
        read_card(file)
    (line,) = refused.value.lines
    assert message in line
    assert str(file) in line


@pytest.mark.parametrize("content", [b"\xff", b"{", b"[1]", b'{"a":' * 9999, None])
def test_a_file_that_is_no_card_is_refused(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "card.json"
    if content is not None:
        file.write_bytes(content)
    assert hold(tmp_path, "--card", str(file)) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert str(file) in told
    assert not (tmp_path / "leagues").exists()


def test_models_that_cannot_take_part_are_named_before_any_lives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hold(tmp_path, "league:A", "league:a", "auto", "nonsense", "gguf:/nowhere.gguf") == 2
    told = capsys.readouterr().err
    for fault in (
        "'league:a' and 'league:A' have the same name for files",
        "name one in place of auto",
        "unknown language model 'nonsense'",
        "gguf:/nowhere.gguf: there is no such file",
    ):
        assert fault in told
    assert not (tmp_path / "leagues").exists()
