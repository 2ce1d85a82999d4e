"""Pastimes that the scripted model adds to a day of habits, the tasks of an entry, and notes."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from hometown.language import LANGS, Lang
from hometown.memory.schedule import Entry
from hometown.prompt.approach_prompt import ApproachVars
from hometown.prompt.second_thoughts import ReconsiderVars
from hometown.prompt.tasks import DecomposeVars
from hometown.scripted.approaching import answer_approach
from hometown.scripted.phrases import bank
from hometown.scripted.planning import OUTING_MINUTES, _enrich
from hometown.scripted.pursuits import Pursuit, theme_tasks
from hometown.scripted.words import read_bank
from hometown.world.activities import themes_of
from tests.support.prompt_samples import SAMPLES, memory
from tests.support.scripted_answers import reply


def habit(start: int, end: int) -> Pursuit:
    return Pursuit(f"habit at {start}", f"house/room_{start}", (), (), start * 60, end * 60)


def idea(name: str, place: str) -> Pursuit:
    return Pursuit(name, "", (place,), ())


def test_an_outing_goes_into_the_widest_gap() -> None:
    day = [habit(7, 8), habit(8, 9), habit(13, 14), habit(20, 22)]
    _enrich(day, 10, [idea("walk", "park")])
    walk = day.index(next(each for each in day if each.activity == "walk"))
    assert (walk, day[walk].start, day[walk].end) == (3, 14 * 60, 14 * 60 + OUTING_MINUTES)


def test_no_habit_of_hours_is_cut_short_for_an_outing() -> None:
    day = [habit(7, 9), habit(9, 13), habit(13, 14), habit(14, 18), habit(18, 22)]
    for each in range(1, len(day)):
        day[each] = Pursuit(
            day[each].activity, "house/room_7", (), (), *(day[each].start, day[each].end)
        )
    _enrich(day, 10, [idea("walk", "park")])
    assert all(each.activity != "walk" for each in day)


def test_tasks_keep_their_order_and_only_the_last_one_is_resumed() -> None:
    here, entry = SAMPLES["schedule_decompose"].situation, Entry(600, 780, "washing clothes")
    offered = theme_tasks(themes_of(entry.activity, "en"), "en")
    for seed in range(10):
        done = reply("schedule_decompose", DecomposeVars(here, entry, None, None, 15), seed).tasks
        acts = [task.activity for task in done]
        own = [act for act in acts if act in offered]
        assert own == sorted(own, key=offered.index)
        resumed = [act for act in acts if any(act.endswith(f" {task}") for task in offered)]
        assert all(act.endswith(f" {own[-1]}") for act in resumed)


def test_a_visit_has_tasks_of_its_own() -> None:
    here, entry = SAMPLES["schedule_decompose"].situation, Entry(1020, 1140, "visiting Tom at home")
    for seed in range(10):
        done = reply("schedule_decompose", DecomposeVars(here, entry, None, None, 15), seed).tasks
        acts = [task.activity for task in done]
        assert "having a cup of tea at Tom's" in acts
        assert not any(re.search("(back|on) (to|with) visiting", act) for act in acts)


@pytest.mark.parametrize("lang", LANGS)
def test_a_note_is_a_sentence_and_no_activity(lang: Lang) -> None:
    asked = SAMPLES["approach"]
    assert isinstance(asked, ApproachVars)
    one = replace(asked.people[0], kind="plan", text="shouting for Jack", choices=("note",))
    replies = [
        answer_approach(replace(asked, people=(one,)), Random(seed), lang) for seed in range(20)
    ]
    topics = {each.topic for each in replies if each.decision == "leave a note for 1"}
    assert topics
    assert topics <= set(read_bank(lang, "noticing")["notes"])


@pytest.mark.parametrize("has_quarrelled", [False, True])
def test_words_are_set_right_only_after_a_quarrel(has_quarrelled: bool) -> None:
    asked, said = SAMPLES["reconsider"], "They spoke about the weather."
    assert isinstance(asked, ReconsiderVars)
    if has_quarrelled:
        said = bank("en").frames["sum_quarrel"][0].fill({"a": "Ida Berg", "b": "Tom Reed"})
    talk = replace(memory(1, said, "chat"), about=("tom",))
    here = replace(asked.situation, names=(("ida", "Ida Berg"), ("tom", "Tom Reed")))
    v = replace(asked, situation=here, voices=(), happened=(talk,), plan=(), open_lines=())
    plans = {reply("reconsider", v, seed).activity for seed in range(40)} - {""}
    assert plans
    assert plans <= {
        text.format(other="Tom Reed")
        for text in read_bank("en", "doing")["amends" if has_quarrelled else "reasons"]
    }
