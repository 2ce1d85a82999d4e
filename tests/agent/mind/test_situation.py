"""What every prompt tells of the moment, and decisions of the resident's day."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hometown.agent.planning.rest_of_day import free_stretches
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.schedule import Entry, Schedule, Task, Tasks
from hometown.prompt.keeping import restore_variables, serialize_variables
from hometown.prompt.reactions import ReactVars
from hometown.world import keys
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import TalkBegan
from hometown.world.pending import Question, QuestionArose
from hometown.world.usual_day import describe_usual_day
from tests.support.town import live, minds_of, minitown

NOON = datetime(2025, 2, 13, 12)


@pytest.mark.parametrize("lang", LANGS)
def test_the_entry_under_way_and_the_appointment_one_is_late_for(game: Game, lang: Lang) -> None:
    (mind,) = minds_of(game, ["zhao_gang"]).values()
    now, schedule = mind.now, mind.state.schedule("zhao_gang")
    action = replace(game.state.action("zhao_gang"), activity="counting")
    game.state.put(keys.ACTION.of("zhao_gang"), action)
    (mind,) = minds_of(game, ["zhao_gang"]).values()
    entry = schedule.at(mind.minute)
    assert entry.activity in mind.situation.within
    walk = Entry(mind.minute, mind.minute + 30, "walking")
    game.state.put(keys.SCHEDULE.of("zhao_gang"), schedule.splice(walk))
    (mind,) = minds_of(game, ["zhao_gang"], now).values()
    begun = {"en": "next, due since 12:10: walking", "zh": "12:10起该做：walking"}[lang]
    assert mind.situation.within == begun, "counting belongs to the entry before"
    elsewhere = "library/hall" if mind.arena != "library/hall" else "cafe/main"
    promised = Entry(mind.minute - 10, mind.minute + 30, "tea", "appointment", elsewhere)
    game.state.put(keys.SCHEDULE.of("zhao_gang"), schedule.splice(promised))
    (mind,) = minds_of(game, ["zhao_gang"], now).values()
    due = {"en": "due since", "zh": "就该去"}[lang]
    assert due in mind.situation.within
    assert mind.world.place_name(elsewhere) in mind.situation.within


@pytest.mark.parametrize(
    ("lang", "way"), [("en", "walking home with Xiao Mei"), ("zh", "往家里走")]
)
def test_who_has_arrived_is_not_on_the_way_any_more(game: Game, way: str) -> None:
    (mind,) = minds_of(game, ["zhao_gang"]).values()
    entry = mind.state.schedule("zhao_gang").at(mind.minute)
    task = Task(entry.start, entry.end, way, "doing")
    game.state.put(keys.TASKS.of("zhao_gang"), Tasks(entry.start, (task,)))
    for started, doing in ((None, way), (mind.now, entry.activity)):
        action = replace(game.state.action("zhao_gang"), activity=way, started=started)
        game.state.put(keys.ACTION.of("zhao_gang"), action)
        (mind,) = minds_of(game, ["zhao_gang"]).values()
        assert mind.situation.doing == doing


def test_who_is_on_the_way_does_not_do_yet_what_they_go_for(game: Game) -> None:
    for started, doing in (
        (None, "drawing (still on the way to the town square)"),
        (NOON, "drawing"),
    ):
        action = replace(game.state.action("lin_yue"), activity="drawing", started=started)
        action = replace(action, address="square/plaza")
        game.state.put(keys.ACTION.of("lin_yue"), action)
        (mind,) = minds_of(game, ["lin_yue"]).values()
        assert mind.arena != "square/plaza"
        assert mind.situation.doing == doing


@pytest.mark.parametrize("lang", LANGS)
def test_the_rest_of_the_usual_day_has_what_is_done_away_from_home(lang: Lang) -> None:
    world = minitown(lang)
    usual = describe_usual_day(world, "wang_fang", NOON)
    persona = world.personas["wang_fang"]
    habits = persona.habits_on(NOON.date())
    away = [each for each in habits if not each.place.startswith("wang_home")]
    to_come = [each for each in away if each.end > 12 * 60]
    assert to_come
    assert to_come != away
    assert all((each.activity in usual) == (each in to_come) for each in away)
    assert not any(each.activity in usual for each in habits if each not in away)


def test_those_within_earshot_are_awake_and_near(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        for who, mind in minds_of(game, list(game.world.personas)).items():
            for other in mind.situation.earshot:
                assert mind.scene.arena(other) == mind.scene.arena(who)
                assert not game.state.is_asleep(other)
                near.add(other)

    near: set[str] = set()
    live(tmp_path, 2, start=NOON, after_each=check)
    assert near


def test_a_stored_question_finds_the_usual_day_again(game: Game) -> None:
    (mind,) = minds_of(game, ["wang_fang"]).values()
    variables = ReactVars(mind.situation, (), "", 0, (), ())
    text, _ = serialize_variables(variables)
    assert mind.situation.usual
    assert mind.situation.usual not in text
    memories = mind.state.memory("wang_fang")
    assert restore_variables(ReactVars, text, mind.situation, memories) == variables


def test_the_hour_named_in_a_talk_that_is_not_summed_up_is_not_free(game: Game) -> None:
    lin, now = "lin_yue", NOON.replace(hour=14)
    entries = (Entry(0, 1320, "drawing"), Entry(1320, 1440, "sleeping", "sleep"))
    game.state.put(keys.SCHEDULE.of(lin), Schedule(now.date(), entries))
    (mind,) = minds_of(game, [lin], now).values()
    assert free_stretches(mind) == ((840, 1320),)
    line = Line("chen_siyuan", "Then come to the pond at half past seven.", "")
    talk = Conversation("1-lin_yue", 1, lin, "chen_siyuan", mind.arena, now, 5, (line,), "", "word")
    mind.do(TalkBegan(talk, now, summed=False), "rule:test")
    mind.do(QuestionArose(lin, Question("talk_summary", "{}", talk=talk.id)), "rule:test")
    (before, after) = free_stretches(mind)
    assert before[0] == 840
    assert before[1] <= 19 * 60 + 30 < after[0]
    assert after[1] == 1320


def test_what_was_agreed_to_in_a_talk_comes_with_its_last_words(game: Game) -> None:
    """Its summary is a memory only after the step that begins the next talk."""
    lin, chen = "lin_yue", "chen_siyuan"
    said = ("Good morning.", "Will you come to my supper?", "I'll come.", "At six.", "Good.")
    lines = tuple(Line((chen, lin)[at % 2], text) for at, text in enumerate(said))
    (mind,) = minds_of(game, [lin]).values()
    talk = Conversation("1-lin_yue", 1, chen, lin, mind.arena, mind.now, 5, lines, "", "word")
    mind.do(TalkBegan(talk, mind.now, summed=False), "rule:test")
    mind.do(QuestionArose(lin, Question("talk_summary", "{}", talk=talk.id)), "rule:test")
    assert said[0] not in mind.situation.lately
    assert all(text in mind.situation.lately for text in said[1:])
