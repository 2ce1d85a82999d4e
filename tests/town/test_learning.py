"""A resident learns files: the passages come to mind like any memory and are cited, they are known
before and last, and the run stays what its records say.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from hometown.agent.inner_life.sleep import consolidate, find_repetitions
from hometown.agent.mind import NewMemory
from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main
from hometown.errors import BadInput, BadRun
from hometown.history.memories import memories
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.memory.concept import BACKGROUND, NEVER, Concept
from hometown.memory.stream import MemoryStream
from hometown.storage.run import RunFile
from hometown.study.learning import lessons
from hometown.study.learning.lessons import prepare_lessons
from hometown.world.effects import Remembered
from hometown.world.interventions import Intervention, summarize
from hometown.world.learning import lesson
from tests.support.memories import concept, unit
from tests.support.once import made_once
from tests.support.town import begin_town, game_on, live, lived, minds_of, minitown, opened

BOOK: dict[Lang, str] = {
    "en": "Rye bread needs eleven hours to rise. Wheat bread is done sooner.\n\n" * 3
    + "A cold cellar keeps sourdough alive for a week, fed with a spoonful of flour. " * 6,
    "zh": "黑麦面包要发酵十一个小时。小麦面包快一些。\n\n" * 3
    + "凉爽的地窖能让酸面团活上一个星期，每晚喂一勺面粉。" * 9,
}
QUESTION: dict[Lang, str] = {
    "en": "Lin Yue: How many hours does rye bread need to rise?",
    "zh": "林悦：黑麦面包要发酵几个小时？",
}
NAME: dict[Lang, str] = {"en": "Lin Yue", "zh": "林悦"}
TOWN = ("--world", "minitown", "--llm", "scripted", "--residents", "lin_yue,wang_fang")
WHEN = ("--start", "20250213-10:00", "--stride", "30")


def book(folder: Path, lang: Lang) -> Path:
    file = folder / "bread.md"
    file.write_text(BOOK[lang], "utf-8")
    return file


def run(results: Path, lang: Lang, *words: str) -> int:
    return hometown([*words, "--lang", lang, "--results", str(results)])


def passages_of(results: Path, name: str = "town") -> list[tuple[int, Concept]]:
    """The step and the memory of each passage that was learnt."""
    with RunFile.open(results, name) as opened_run:
        return [
            (step, logged.effect.concept)
            for step, logged in opened_run.effects()
            if isinstance(logged.effect, Remembered) and logged.effect.concept.is_background
        ]


@pytest.fixture(scope="module", params=LANGS)
def learnt(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Lang]:
    """A run that has learnt a book after two steps, and lived two more."""
    lang: Lang = request.param

    def make(folder: Path) -> None:
        begin = ("--name", "town", "--step", "2", "--lang", lang, "--results", str(folder))
        assert main([*begin, *TOWN, *WHEN]) == 0
        assert run(folder, lang, "learn", "town", NAME[lang], str(book(folder, lang))) == 0
        assert run(folder, lang, "resume", "town", "--step", "2") == 0

    return made_once(tmp_path_factory, f"learnt_{lang}", make), lang


def test_passages_are_remembered_as_known_before(learnt: tuple[Path, Lang]) -> None:
    results, _ = learnt
    found = passages_of(results)
    assert len(found) >= 2
    assert {step for step, _ in found} == {3}
    assert {each.created for _, each in found} == {datetime(2025, 2, 13, 10)}
    assert {each.expires for _, each in found} == {NEVER}
    sources = [each.source for _, each in found]
    assert [(source.file, source.number) for source in sources if source] == [
        ("bread.md", number) for number in range(1, len(found) + 1)
    ]


def test_a_question_is_answered_from_the_book(
    learnt: tuple[Path, Lang], capsys: pytest.CaptureFixture[str]
) -> None:
    results, lang = learnt
    capsys.readouterr()
    assert run(results, lang, "ask", "town", QUESTION[lang], "--llm", "scripted") == 0
    printed = capsys.readouterr().out
    assert {"en": "known before (bread.md, passage 1)", "zh": "早先知道（bread.md，第 1 段）"}[
        lang
    ] in printed


def test_the_page_is_told_the_source(learnt: tuple[Path, Lang]) -> None:
    results, _ = learnt
    with opened(results) as file:
        items = memories(RunReader(file), "lin_yue", 1, 4)["items"]
    sources = [each["source"] for each in items if each["source"]]
    assert sources[0] == {"file": "bread.md", "passage": 1}
    assert items[0]["source"] is None


def test_the_run_is_verified_intact_and_forked(learnt: tuple[Path, Lang], tmp_path: Path) -> None:
    results, lang = learnt
    folder = tmp_path / "copy"
    shutil.copytree(results, folder)
    assert run(folder, lang, "verify", "town") == 0
    assert run(folder, lang, "check", "town") == 0
    assert run(folder, lang, "fork", "town@1", "--name", "fork", "--step", "3") == 0
    with opened(folder) as file, opened(folder, "fork") as fork:
        assert list(file.digests()) == list(fork.digests())


def test_what_is_known_is_told_and_not_stored_again(
    learnt: tuple[Path, Lang], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, lang = learnt
    folder = tmp_path / "copy"
    shutil.copytree(results, folder)
    with opened(folder) as file:
        before = file.inbox.interventions()
    assert run(folder, lang, "learn", "town", NAME[lang], str(book(folder, lang))) == 0
    assert {"en": "knows bread.md already", "zh": "已经知道"}[lang] in capsys.readouterr().out
    with opened(folder) as file:
        assert file.inbox.interventions() == before


def test_what_waits_is_known_and_what_is_new_is_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin_town(tmp_path)
    file = book(tmp_path, "en")
    line = ("learn", "town", "Lin Yue", str(file), str(file))
    assert run(tmp_path, "en", *line) == 0
    assert "knows bread.md already" in capsys.readouterr().out
    assert run(tmp_path, "en", *line[:-1]) == 0
    assert "knows bread.md already" in capsys.readouterr().out
    file.write_text(BOOK["en"] + "\n\nA stone oven holds the heat. " * 12, "utf-8")
    assert run(tmp_path, "en", *line[:-1]) == 0
    assert "known already" in capsys.readouterr().out
    with opened(tmp_path) as there:
        first, second = there.inbox.interventions()
    assert (first.kind, first.target, first.memory) == ("learn", "lin_yue", "bread.md")
    assert summarize(first) == "bread.md"
    assert '"1":' in first.text
    assert '"1":' not in second.text
    live(tmp_path, 1)
    texts = [each.text for _, each in passages_of(tmp_path)]
    assert len(texts) == len(set(texts)) > 2


def test_vectors_are_kept_when_the_file_is_learnt(tmp_path: Path) -> None:
    begin_town(tmp_path)
    assert run(tmp_path, "en", "learn", "town", "Lin Yue", str(book(tmp_path, "en"))) == 0
    with opened(tmp_path) as file:
        found = prepare_lessons(file, minitown(), "Wang Fang", [book(tmp_path, "en")])
        texts = list(found[0].passages.values())
        assert len(file.vectors.get_many(texts)) == len(texts) > 1


def test_a_run_in_use_embeds_in_its_next_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin_town(tmp_path)
    with RunFile.open(tmp_path, "town", write=True):
        assert run(tmp_path, "en", "learn", "town", "Lin Yue", str(book(tmp_path, "en"))) == 0
    assert "embedded in its next step" in capsys.readouterr().out
    live(tmp_path, 1)
    assert passages_of(tmp_path)


def test_an_unknown_name_and_too_many_passages_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_town(tmp_path)
    file = book(tmp_path, "en")
    with opened(tmp_path) as there:
        with pytest.raises(BadInput, match="nobody in minitown is called 'Ann'"):
            prepare_lessons(there, minitown(), "Ann", [file])
        monkeypatch.setattr(lessons, "MAX_PASSAGES", 1)
        with pytest.raises(BadInput, match="a resident can know 1"):
            prepare_lessons(there, minitown(), "Lin Yue", [file])


def test_a_line_that_was_edited_by_hand_is_refused(tmp_path: Path) -> None:
    begin_town(tmp_path)
    with opened(tmp_path) as there:
        there.ask([Intervention("learn", "lin_yue", "no passages", memory="a.md")])
    with pytest.raises(BadRun, match="has no passages to learn"):
        live(tmp_path, 1)


# what lasts, and what it must not be taken for -------------------------------------------------


def passage(number: int) -> Concept:
    source = f"book.md#{number}"
    return replace(concept(number, 4), predicate=BACKGROUND, object=source, expires=NEVER)


def test_passages_are_nothing_that_was_just_noticed_and_never_expire() -> None:
    stream = MemoryStream()
    for made in (concept(1), passage(2), concept(3), passage(4)):
        stream.add(made, unit(1, 0))
    assert [each.id for each in stream.recent(("event",), 10)] == [3, 1]
    assert [each.id for each in stream.since(datetime(2025, 2, 13), ("event",))] == [3, 1]
    assert [each.id for each in stream.background] == [4, 2]
    assert stream.expired(datetime(2099, 1, 1)) == [1, 3]


def test_a_memory_of_an_author_who_uses_the_same_word_has_no_source() -> None:
    assert replace(concept(1), predicate=BACKGROUND, object="rye").source is None
    assert replace(concept(1), object="book.md#3").source is None


async def test_passages_make_no_room_and_take_none(tmp_path: Path) -> None:
    await lived(tmp_path, 1, settings={"associate": {"max_memory": 12}})
    with RunFile.open(tmp_path, "town", write=True) as there:
        there.ask([lesson("lin_yue", "a.md", {n: f"passage {n}" for n in range(1, 31)})])
        game = game_on(there)
        await game.step()
        (mind,) = minds_of(game, ["lin_yue"]).values()
        news = [NewMemory("event", f"something {n}", "lin_yue", "is") for n in range(12)]
        await mind.remember(news, [5] * len(news), "rule:test")
        memory = mind.state.memory("lin_yue")
        assert len(memory.background) == 30
        assert len(memory) == 30 + 12


async def test_sleep_spares_passages(tmp_path: Path) -> None:
    """Passages that say the same stay, where of what happened only one would."""
    await lived(tmp_path, 1, settings={"faculties": {"consolidate": True}})
    alike = [f"Rye bread in a cold cellar rises for eleven hours, {n}" for n in range(1, 4)]
    with RunFile.open(tmp_path, "town", write=True) as there:
        there.ask([lesson("lin_yue", "a.md", dict(enumerate(alike, start=1)))])
        game = game_on(there)
        await game.step()
        (mind,) = minds_of(game, ["lin_yue"], datetime(2025, 2, 14, 7)).values()
        found = mind.state.memory("lin_yue").background
        assert find_repetitions(found, partial(mind.state.store.get_vectors, "lin_yue"))
        await consolidate(mind)
        assert mind.state.memory("lin_yue").background == found
