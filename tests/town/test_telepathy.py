"""No telepathy: what one resident knows reaches others only along conversations that happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.language import LANGS, Lang
from hometown.storage.run import RunFile
from hometown.world.persona import Seed
from hometown.world.world import World
from tests.support.company import lines_heard, talks_of
from tests.support.once import made_once
from tests.support.town import join_readily, live, minitown, opened
from tests.support.traces import traces

STEPS = 102

CANARY = {"en": "quokka", "zh": "短尾袋鼠"}
SECRET = {
    "en": "{name} is hiding a quokka in the old greenhouse",
    "zh": "{name}正在旧温室里偷偷养一只短尾袋鼠",
}


def planted(lang: Lang, owner: str = "wang_fang") -> World:
    """The world, with a secret that one resident remembers from the start."""
    world = minitown(lang)
    persona = world.personas[owner]
    secret = Seed(SECRET[lang].format(name=persona.name), "event", 9, (owner,), subject=owner)
    return minitown(lang, **{owner: {"seeds": (*persona.seeds, secret)}})


def heard_by(run: RunFile, word: str) -> dict[str, int]:
    """The first step in which each resident heard, overheard or said a line with the word."""
    heard: dict[str, int] = {}
    for who, step, text in lines_heard(run):
        if word in text.lower():
            heard[who] = min(step, heard.get(who, step))
    return heard


def lived_with_a_secret(factory: pytest.TempPathFactory, lang: Lang) -> Path:
    """A day until eleven at night among people who like to join others; each language once."""

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            join_readily(patch)
            live(folder, STEPS, world=planted(lang), seed=5)

    return made_once(factory, f"secret-{lang}", make)


@pytest.mark.parametrize("lang", LANGS)
def test_a_secret_is_nowhere_before_a_line_of_dialogue_has_carried_it(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with opened(lived_with_a_secret(tmp_path_factory, lang)) as run:
        heard = heard_by(run, CANARY[lang])
        knowing = [
            (who, step, where)
            for who, step, where in traces(run, CANARY[lang])
            if who != "wang_fang"
        ]
    assert len(heard) > 1, "the secret was told to nobody: the test shows nothing"
    assert [trace for trace in knowing if trace[1] < heard.get(trace[0], 10**9)] == []


def test_without_retrieval_it_spreads_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hometown.memory.store.MemoryStore.recall", lambda *args, **more: [])
    live(tmp_path, 72, world=planted("en"))
    with opened(tmp_path) as run:
        assert heard_by(run, CANARY["en"]) == {}
        assert {who for who, _, _ in traces(run, CANARY["en"])} <= {"wang_fang"}


@pytest.mark.parametrize("lang", LANGS)
def test_news_comes_from_somebody_who_knew_it(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    """Each memory of the secret names a talk with somebody who remembered it before."""
    with opened(lived_with_a_secret(tmp_path_factory, lang)) as run:
        rows = run.database.execute(
            "SELECT resident, id, step, text, talk, object FROM memories ORDER BY step, id"
        ).fetchall()
        talks = {talk.id: talk for talk in talks_of(run)}
    knows = {"wang_fang"}
    for who, _, _, text, talk, _source in rows:
        if CANARY[lang] in text.lower() and who not in knows:
            assert talk in talks, f"{who} knows it from nowhere: {text}"
            heard = talks[talk].lines_for(who) if who in talks[talk].people else talks[talk].lines
            tellers = {line.speaker for line in heard if CANARY[lang] in line.text.lower()} - {who}
            assert tellers
            assert tellers <= knows | {other for other in tellers if other in talks[talk].people}
            knows.add(who)
    assert len(knows) > 1


@pytest.mark.parametrize("lang", LANGS)
def test_of_a_conversation_each_knows_what_was_said_while_it_was_there(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    """Prompts hold no line that was said before somebody came up, or after it left, unless it was
    said in another conversation that it heard.
    """
    with opened(lived_with_a_secret(tmp_path_factory, lang)) as run:
        talks = [talk for talk in talks_of(run) if len(talk.people) > 2]
        heard: dict[str, set[str]] = {}
        for who, _, text in lines_heard(run):
            heard.setdefault(who, set()).add(text)
        prompts = {(call.who, call.step): "" for call in run.calls()}
        for call in run.calls():
            if call.kind in ("utterance", "talk_summary"):
                prompts[call.who, call.step] += "\n".join(
                    message.content for message in call.messages
                )
    assert talks, "nobody talked in company: the test shows nothing"
    for talk in talks:
        for who in talk.people:
            missed = [
                line
                for line in talk.lines
                if line not in talk.lines_for(who) and line.text not in heard[who]
            ]
            assert not [line for line in missed if line.text in prompts[who, talk.step]]
