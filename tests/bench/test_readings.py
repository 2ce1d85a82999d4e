"""What rules read in a prompt is what its template has written, in both languages: a changed
template that they can't read fails here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hometown.bench.items import load_items
from hometown.bench.model_bench import Trial
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES
from hometown.bench.word_faults import words_of
from hometown.clock import DAY, hhmm
from hometown.language import LANGS, Lang
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import UtteranceVars
from hometown.prompt.tasks import DecomposeVars
from hometown.prompt.wording import full_date
from hometown.scripted.model import ScriptedModel

TALKS = ("utterance", "talk_summary", "talk_outcome")
"""The kinds of prompt that show a conversation."""

DAYS = ("schedule_init", "schedule_daily", "schedule_changes")
"""The kinds of prompt that plan a day."""

PLACES = ("approach", "clash", "interview", "react", "reconsider", "respond", "wake_up", *TALKS)
"""The kinds of prompt that say where the resident is and what they are doing."""

JUDGEMENTS = ("rank_answers", "check_answer")
"""The kinds of prompt that show a resident to a judge."""

READINGS = [(lang, kind) for lang in LANGS for kind in PROMPTS]


@cache
def _prompts(lang: Lang, kind: str) -> tuple[tuple[Any, ScoredReply], ...]:
    """Return the variables of all items of a kind, each with its prompt as the rules read it."""
    trial = Trial(ScriptedModel(), Path("unused"))
    requests = [trial.request(item) for item in load_items(lang) if item.kind == kind]
    return tuple(
        (each.variables, ScoredReply(each.messages, each.schema, "{}", lang, kind))
        for each in requests
    )


def _find(reply: ScoredReply, name: str) -> tuple[str, ...]:
    """Return what a pattern of `words.json` finds in a prompt."""
    found = re.search(words_of(reply.lang)[name], reply.prompt_text)
    return found.groups() if found else ()


@pytest.mark.parametrize(("lang", "kind"), READINGS)
def test_it_is_known_who_is_asked_and_when(lang: Lang, kind: str) -> None:
    for asked, reply in _prompts(lang, kind):
        now = asked.situation.now
        is_themselves = kind not in JUDGEMENTS and PROMPTS[kind].persona != "nobody"
        assert reply.me == (asked.situation.me.name if is_themselves else "")
        if kind in PLACES:
            assert reply.minute == now.hour * 60 + now.minute
            assert reply.date in full_date(now.date(), lang)
        if re.search(r"\d \w+ 2025|2025年", reply.prompt_text):
            assert reply.date


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", PLACES)
def test_it_is_known_where_the_resident_is(lang: Lang, kind: str) -> None:
    for asked, reply in _prompts(lang, kind):
        if not getattr(asked, "asleep", False):
            assert _find(reply, "here") == (asked.situation.where,)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", TALKS)
def test_a_conversation_is_read_line_by_line_with_its_speakers(lang: Lang, kind: str) -> None:
    lines = 0
    for asked, reply in _prompts(lang, kind):
        said = [line.text for line in asked.lines]
        assert [line.replace('\\"', '"') for line in reply.lines_so_far] == said
        assert reply.others == {one.other.name for one in asked.all_partners}
        lines += len(said)
        if kind == "utterance":
            assert bool(reply.previous_line) == bool(said)
    assert lines > 20


@pytest.mark.parametrize(("lang", "kind"), READINGS)
def test_only_a_conversation_has_others_and_answers_to_choose_from_are_no_lines(
    lang: Lang, kind: str
) -> None:
    for _, reply in _prompts(lang, kind):
        assert bool(reply.others) == (kind in TALKS)
        assert not any("{" in name for name in reply.others)
        if kind in ("react", "approach", "respond"):
            assert reply.lines_so_far == ()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", DAYS)
def test_the_hours_of_a_day_are_read(lang: Lang, kind: str) -> None:
    for asked, reply in _prompts(lang, kind):
        assert _find(reply, "waking_hours") == (hhmm(asked.wake), hhmm(asked.bed % DAY))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", ["schedule_decompose", "steps"])
def test_the_activity_to_split_and_those_around_it_are_read(lang: Lang, kind: str) -> None:
    for asked, reply in _prompts(lang, kind):
        assert _find(reply, "activity_to_split") == (asked.entry.activity,)
        if isinstance(asked, DecomposeVars):
            around = [each.activity for each in (asked.before, asked.after) if each]
            assert reply.neighbours == around


@pytest.mark.parametrize("lang", LANGS)
def test_the_lines_of_a_usual_day_are_read(lang: Lang) -> None:
    for asked, reply in _prompts(lang, "schedule_changes"):
        usual = [(str(line.number or ""), hhmm(line.start)) for line in asked.usual]
        assert reply.usual_day == usual


@pytest.mark.parametrize("lang", LANGS)
def test_habits_are_read_and_a_time_far_from_them_contradicts_them(lang: Lang) -> None:
    found = 0
    for asked, reply in _prompts(lang, "wake_up"):
        me = asked.situation.me
        assert reply.habits == {"wake": hhmm(me.wake), "bed": hhmm(me.bed)}
        late = json.dumps({"wake": hhmm(asked.wakes[-1]), "bed": hhmm(me.bed)})
        judged = ScoredReply(reply.messages, reply.schema, late, lang, "wake_up")
        if me.wake in asked.wakes and asked.wakes[-1] - me.wake > 120:
            assert hhmm(me.wake) in RULES["contradiction"](judged)
            found += 1
    assert found


@pytest.mark.parametrize("lang", LANGS)
def test_all_marks_that_a_copying_reply_betrays_itself_by_stand_in_prompts(lang: Lang) -> None:
    shown = "\n".join(reply.prompt_text for kind in PROMPTS for _, reply in _prompts(lang, kind))
    for mark in words_of(lang)["markup"].split("|"):
        assert re.search(mark, shown, re.M), mark


def _faults_of_answers(lang: Lang, rule: str, say: Callable[[str], str]) -> Iterator[str]:
    """Yield what a rule finds in answers to the last lines of conversations that are no short ones."""
    for asked, reply in _prompts(lang, "utterance"):
        assert isinstance(asked, UtteranceVars)
        if asked.lines and len(reply.previous_line) > 20:
            text = json.dumps({"say": say(reply.previous_line)}, ensure_ascii=False)
            yield RULES[rule](ScoredReply(reply.messages, reply.schema, text, lang, "utterance"))


@pytest.mark.parametrize("lang", LANGS)
def test_a_line_said_again_and_one_that_answers_nothing_are_found(lang: Lang) -> None:
    strange = {"en": "Zeppelins explode.", "zh": "鹦鹉螺漂浮。"}[lang]
    again = list(_faults_of_answers(lang, "repetition", lambda line: line))
    unheard = list(_faults_of_answers(lang, "ignores_last_line", lambda _: strange))
    assert len(again) == len(unheard) > 8
    assert all(again)
    assert all(unheard)
