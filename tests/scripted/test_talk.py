"""Conversations of the scripted model over a day, its phrases and its grammar."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.language import LANGS, Lang
from hometown.prompt.dialogue import Companion, ConversationSummaryReply, DialogueLine
from hometown.scripted import clauses
from hometown.scripted.acts import is_answered
from hometown.scripted.exchanging import find_exchange
from hometown.scripted.grammar import as_me, as_them, to_your_face
from hometown.scripted.phrases import NEWLY, SLOT, bank, next_turn
from hometown.scripted.sharing import SHARERS
from hometown.scripted.talking import answer_utterance
from hometown.world.rows import Relation, earlier_lines
from hometown.world.verbs import first_person, third
from tests.support.scripted_talks import Town, scene_of, settle_newcomer, world


@lru_cache
def day(lang: Lang, seed: int) -> list[tuple[list[DialogueLine], ConversationSummaryReply]]:
    return Town(world(lang), seed).day()


def six_grams(lines: list[str], lang: Lang) -> Counter[tuple[str, ...]]:
    """In how many lines each run of six words occurs."""
    counts: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        words = words_of(line, lang)
        counts.update({tuple(words[i : i + 6]) for i in range(len(words) - 5)})
    return counts


def words_of(line: str, lang: Lang) -> list[str]:
    if lang == "zh":
        import jieba

        return [word for word in jieba.lcut(line) if re.search(r"\w", word)]
    return [word for raw in line.lower().split() if (word := re.sub(r"[^\w']", "", raw))]


@pytest.mark.parametrize("lang", LANGS)
def test_no_line_occurs_twice_over_the_banks(lang: Lang) -> None:
    """A line of two acts would be recognised as one of them only, and the talk go astray."""
    counts = Counter(
        frame.text.casefold() for frames in bank(lang).frames.values() for frame in frames
    )
    assert [line for line, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_day_of_talk_is_varied(lang: Lang, seed: int) -> None:
    texts = [line.text for lines, _ in day(lang, seed) for line in lines]
    assert len(set(texts)) >= 0.95 * len(texts)
    assert Counter(texts).most_common(1)[0][1] <= SHARERS
    run, lines = six_grams(texts, lang).most_common(1)[0]
    assert lines <= 0.07 * len(texts), f"{' '.join(run)!r} stands in {lines} of {len(texts)} lines"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_talks_are_short_and_end_by_leave_taking_or_with_an_exchange(lang: Lang, seed: int) -> None:
    for lines, reply in day(lang, seed):
        assert 3 <= len(lines) <= 8
        assert all(
            0 < len(line.text) <= 220
            and line.text.isprintable()
            and not re.search(r"[{}]|  ", line.text)
            for line in lines
        )
        last = [move.act for move in bank(lang).recognise(lines[-1].text)]
        assert any(act.startswith(("bye", "turn:")) for act in last)
        assert 0 < len(reply.summary) <= 600


@pytest.mark.parametrize("lang", LANGS)
def test_the_same_seed_says_the_same_and_another_does_not(lang: Lang) -> None:
    assert Town(world(lang), 1).day(6) == day(lang, 1)[:6]
    assert day(lang, 1)[0] != day(lang, 2)[0]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_news_travels_as_clean_clauses(lang: Lang, seed: int) -> None:
    """At most one note of who told it, and never somebody else's "I"."""
    mark = "说的）" if lang == "zh" else "(heard from"
    for _, reply in day(lang, seed):
        for news in reply.learnt:
            assert news.what.count(mark) == 1
            assert not re.search(r"\b(I|my|you|your)\b|[我你]", news.what), news.what
            assert not re.search(r"(told me|says that) .* (told me|says that)", news.what)


@pytest.mark.parametrize("lang", LANGS)
def test_a_question_is_answered(lang: Lang) -> None:
    """The line after a question begins with the answer, but for a greeting that is returned."""
    asked = answered = 0
    for seed in range(1, 6):
        for lines, _ in day(lang, seed):
            for question, answer in pairwise(lines):
                if question.text[-1] in "?？":
                    asked += 1
                    answered += is_answered(
                        bank(lang).recognise(question.text), bank(lang).recognise(answer.text)
                    )
    assert asked >= 100
    assert answered >= 0.98 * asked


@pytest.mark.parametrize("lang", LANGS)
def test_a_course_goes_on_to_its_end_or_to_the_leave_taking(lang: Lang) -> None:
    for seed in range(1, 6):
        for lines, _ in day(lang, seed):
            for line, reply in pairwise(lines):
                last = bank(lang).recognise(line.text)[-1].act
                if last.startswith("turn:") and next_turn(last) in bank(lang).frames:
                    acts = [move.act for move in bank(lang).recognise(reply.text)]
                    assert next_turn(last) in acts or acts[-1].startswith("bye"), reply.text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(4))
def test_partners_do_not_talk_as_strangers_do(lang: Lang, seed: int) -> None:
    """They ask about life at home alone, and about something else each time."""
    asked = [
        act
        for line in openings_to_partner(lang, seed, meetings=10)
        for act in (move.act for move in bank(lang).recognise(line))
        if act.startswith("ask:")
    ]
    assert len(asked) >= 8
    assert len(set(asked)) == len(asked)
    assert all(bank(lang).exchanges[act[4:]].needs & {"family", "partners"} for act in asked), asked


def openings_to_partner(lang: Lang, seed: int, meetings: int) -> Iterator[str]:
    """Yield the first line to the partner at each meeting, of which the speaker remembers the
    earlier ones.
    """
    v, relation = scene_of(lang, []), Relation()
    partner = replace(v.other, relation={"en": "his wife, who hums", "zh": "他妻子，爱哼歌"}[lang])
    for meeting in range(meetings):
        earlier = tuple((partner.id, line) for line in earlier_lines(relation))
        again = replace(
            v,
            situation=replace(v.situation, earlier=earlier),
            company=(Companion(replace(partner, conversations=relation.talks)),),
        )
        line = answer_utterance(again, random.Random(f"{seed}/{meeting}"), lang).say
        relation = relation.after([line], v.situation.now)
        yield line


@pytest.mark.parametrize("lang", LANGS)
def test_a_newcomer_is_met_as_new(lang: Lang) -> None:
    """Nobody has nodded at them for years, and they have seen nobody's lit window."""
    words, newcomer = bank(lang), "chen_siyuan"
    town_with_newcomer, needs = settle_newcomer(world(lang), newcomer), Counter[str]()
    for seed, other in enumerate(5 * [who for who, _ in world(lang).names if who != newcomer]):
        for pair in ((other, newcomer), (newcomer, other)):
            lines, _ = Town(town_with_newcomer, seed).talk(*pair, 0)
            assert words.recognise(lines[0].text)[0].act == "introduce", lines[0].text
            asked = {
                find_exchange(move.act) for line in lines for move in words.recognise(line.text)
            }
            needs.update(need for each in asked - {""} for need in words.exchanges[each].needs)
    assert "long-here" not in needs
    assert needs.keys() >= NEWLY


@pytest.mark.parametrize("lang", LANGS)
def test_days_hold_arrangements_but_not_in_every_talk(lang: Lang) -> None:
    replies = [reply for seed in range(1, 6) for _, reply in day(lang, seed)]
    assert (
        0.1 * len(replies) < sum(bool(reply.commitments) for reply in replies) < 0.6 * len(replies)
    )


# the bank ----------------------------------------------------------------------------------


def sample(lang: Lang) -> dict[str, str]:
    texts = {
        "time": "16:30",
        "coins": "10",
        "talks": "3",
        "last": "12:00",
        "when": "Saturday",
        "day": "today",
    }
    other = {
        slot: "画猫" if lang == "zh" else "tea"
        for frames in bank(lang).frames.values()
        for frame in frames
        for slot in map(str.lower, frame.slots)
    }
    return {**other, **texts}


@pytest.mark.parametrize("lang", LANGS)
def test_every_phrase_is_recognised_for_what_it_is(lang: Lang) -> None:
    words, slots = bank(lang), sample(lang)
    for act, frames in words.frames.items():
        assert len({(frame.tag, frame.text) for frame in frames}) == len(frames), act
        for frame in frames:
            assert not re.search(
                r"\}\{", re.sub(r"\{time\}", "+", frame.text, flags=re.IGNORECASE)
            ), f"two slots touch: {frame.text}"
            assert len(set(SLOT.findall(frame.text))) == len(SLOT.findall(frame.text)), frame.text
            acts = [move.act for move in words.recognise(frame.fill(slots))]
            assert acts, frame.text
            assert all(other == act for other in acts), (frame.text, acts)


def test_the_two_languages_have_the_same_acts_and_exchanges() -> None:
    en, zh = bank("en"), bank("zh")
    assert set(en.frames) == set(zh.frames)
    assert {exchange.id: exchange.needs for exchange in en.exchanges.values()} == {
        exchange.id: exchange.needs for exchange in zh.exchanges.values()
    }
    assert set(en.words) == set(zh.words)


# grammar -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_turning_a_sentence_to_the_first_person_and_back_changes_nothing(lang: Lang) -> None:
    for persona in world(lang).personas.values():
        for seed in persona.seeds:
            clause = clauses.one_clause(seed.text, lang)
            if clause.startswith(persona.name):
                spoken = as_me(clause, persona.name, persona.pronouns, lang)
                assert spoken.startswith("我" if lang == "zh" else "I")
                assert as_them(spoken, persona.name, persona.pronouns, lang) == clause


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("Bo carves a spoon for Ann, for the day when it is hers", "yours"),
        ("Bo thinks that Ann hides some worry about her work", "your work"),
    ],
)
def test_a_sentence_said_to_the_other_s_face_comes_back(clause: str, said: str) -> None:
    he, she = ("he", "him", "his"), ("she", "her", "her")
    spoken = to_your_face(clause, "Bo", he, "Ann", "en")
    assert spoken.endswith(said)
    assert as_them(spoken, "Bo", he, "en", "Ann", she) == clause


@pytest.mark.parametrize(
    ("said", "retold"),
    [
        (
            "I ate the last cake and held the ladder",
            "Lin Yue ate the last cake and held the ladder",
        ),
        ("I needn't go", "Lin Yue needn't go"),
        ("I no longer want it", "Lin Yue no longer wants it"),
        ("I probably want it", "Lin Yue probably wants it"),
    ],
)
def test_any_verb_is_retold(said: str, retold: str) -> None:
    assert as_them(said, "Lin Yue", ("she", "her", "her"), "en") == retold
    assert as_me(retold, "Lin Yue", ("she", "her", "her"), "en") == said


def test_titles_and_longer_words_keep_their_pronouns() -> None:
    retold = "林悦想唱《我和我的家乡》，忘我地练，身在异国他乡，吃维他命"
    spoken = "我想唱《我和我的家乡》，忘我地练，身在异国他乡，吃维他命"
    assert as_them(spoken, "林悦", ("他",), "zh") == retold
    assert as_me(retold, "林悦", ("他",), "zh") == spoken
    assert as_them("你先走，我留下", "林悦", ("她",), "zh", "张伟") == "张伟先走，林悦留下"


@given(
    st.sampled_from(
        [
            "wants",
            "tries",
            "teaches",
            "goes",
            "has",
            "is",
            "passes",
            "fixes",
            "knows",
            "makes",
            "watches",
            "does",
            "plays",
        ]
    )
)
def test_verb_forms_come_back(verb: str) -> None:
    assert third(first_person(verb)) == verb
