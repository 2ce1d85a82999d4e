"""A wish is followed until it is carried out, refused, forgotten or overtaken, each with a reason."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from hometown.agent.acting.reasons import find_reasons
from hometown.agent.mind import Mind
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.agent.mind.wishes import list_open_wishes, record_wish
from hometown.agent.planning.plan_settling import settle_memories
from hometown.agent.planning.wish_pursuit import follow_wishes, parse_wish
from hometown.clock import minute_of_day
from hometown.history.reader import RunReader
from hometown.history.wish_threads import list_wishes
from hometown.language import Lang
from hometown.memory.schedule import Entry, Schedule
from hometown.model.llm import Completion, Request
from hometown.prompt.approach_prompt import ApproachVars
from hometown.prompt.second_thoughts import ReconsiderVars
from hometown.scripted.approaching import answer_approach
from hometown.scripted.model import ScriptedModel
from hometown.scripted.reconsidering import answer_reconsider
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.inner_voice import is_news
from hometown.world.resolve import parse_intervention
from hometown.world.wish import Wish, Wishes, WishEvent
from tests.support.prompt_samples import SAMPLES
from tests.support.town import begin_town, game_on, live, minds_of, minitown

LIN, CHEN, WANG = "lin_yue", "chen_siyuan", "wang_fang"
NOON = datetime(2025, 2, 13, 12, 0)

PARSED: list[tuple[Lang, str, dict[str, Any]]] = [
    ("en", "Lin Yue wants to tell Wang Fang how she feels", {"people": (WANG,), "start": None}),
    (
        "en",
        "Lin Yue wants to sing in the park at 15:30",
        {"people": (), "start": datetime(2025, 2, 13, 15, 30), "address": "park/grounds"},
    ),
    (
        "en",
        "Lin Yue wants to apologise to Chen Siyuan in private tomorrow",
        {"people": (CHEN,), "start": datetime(2025, 2, 14), "is_alone": True},
    ),
    ("en", "Two signatures; Lin Yue would rather not ask Wang Fang, the owner", {"people": ()}),
    ("en", "Lin Yue does not want to tell Wang Fang", {"is_refraining": True}),
    (
        "en",
        "Lin Yue must ask Chen Siyuan about the letter, and they do not want Wang Fang to worry",
        {"people": (CHEN,)},
    ),
    (
        "en",
        "Lin Yue will not tell anybody, least of all Zhao Gang, that Xiao Mei sings at song night",
        {"is_refraining": True},
    ),
    (
        "en",
        "Lin Yue will ask Chen Siyuan but nobody else, not even Wang Fang, that is sure",
        {"people": (CHEN,)},
    ),
    ("en", "Lin Yue won't wait for Wang Fang; that evening, see Chen Siyuan", {"people": (CHEN,)}),
    ("zh", "小梅要唱歌的事谁也不告诉，尤其是陈思远，连王芳也不例外", {"is_refraining": True}),
    ("zh", "林悦要打听那封信谁见过，可别让王芳知道了操心", {"people": ()}),
    ("zh", "林悦要单独告诉王芳她的心意", {"people": (WANG,), "is_alone": True}),
    ("en", "Lin Yue wants to sing at 10:00", {"start": datetime(2025, 2, 14, 10)}),
    ("en", "Lin Yue wants to sing today at 10:00", {"start": datetime(2025, 2, 13, 10)}),
    ("en", "Lin Yue wants to sing on 30 February at 10:00", {"start": None}),
    ("zh", "林悦明天要跟陈思远道歉", {"people": (CHEN,), "start": datetime(2025, 2, 14)}),
    ("zh", "林悦不想告诉王芳", {"is_refraining": True}),
    ("zh", "林悦要告诉王芳别担心", {"is_refraining": False}),
    (
        "en",
        "Lin Yue must find out who has seen her letter, and she does not want Wang Fang to worry.",
        {"people": (), "is_refraining": False},
    ),
    ("en", "Invite Wang Fang to tea at 7:30pm", {"start": datetime(2025, 2, 13, 19, 30)}),
    ("en", "Invite Wang Fang to tea at 7 pm", {"start": datetime(2025, 2, 13, 19)}),
    ("en", "Buy a present for Wang Fang from two shops", {"people": (WANG,), "start": None}),
    ("zh", "提前一点去找王芳", {"people": (WANG,), "start": None}),
    (
        "zh",
        "林悦那封信不见了，得打听打听谁见过，可别让王芳知道了操心。",
        {"people": (), "is_refraining": False},
    ),
]


@pytest.mark.parametrize(("lang", "text", "expected"), PARSED)
def test_words_become_a_wish_with_person_place_time_and_condition(
    lang: Lang, text: str, expected: dict[str, Any]
) -> None:
    wish = parse_wish(minitown(lang), LIN, text, 7, NOON)
    assert {name: getattr(wish, name) for name in expected} == expected
    assert (wish.memory, wish.hearing_time, wish.is_open) == (7, NOON, True)


def test_the_scripted_resident_waits_to_say_alone_what_no_one_else_is_to_hear() -> None:
    asked = SAMPLES["approach"]
    assert isinstance(asked, ApproachVars)
    one = replace(
        asked.people[0],
        kind="wish",
        text="Ida wants to thank Tom in private",
        state="free",
        choices=("wait", "talk"),
    )
    decisions = [
        answer_approach(replace(asked, people=(one,)), Random(seed), "en").decision
        for seed in range(40)
    ]
    assert decisions.count("wait for 1") > decisions.count("talk to 1")


@pytest.mark.parametrize(
    ("lang", "text", "answer"),
    [
        ("en", "Visit Tom on 16 February, in the morning", "later"),
        ("en", "Visit Tom next week", "later"),
        ("en", "Visit Tom on Thursday at 15:00", "yes"),
        ("en", "Visit Tom", "yes"),
        ("zh", "2月16日上午去看林梅", "later"),
        ("zh", "三月二日去看林梅", "later"),
        ("zh", "去看林梅", "yes"),
    ],
)
def test_the_scripted_resident_leaves_a_wish_for_another_day_until_then(
    lang: Lang, text: str, answer: str
) -> None:
    asked = SAMPLES["reconsider"]
    assert isinstance(asked, ReconsiderVars)
    asked = replace(asked, voices=(text,), meant=None, is_for_today=False)
    assert answer_reconsider(asked, Random(1), lang).answer == answer


class Answering(ScriptedModel):
    """A model that answers every reconsideration alike."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.reply = reply

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, ReconsiderVars):
            return Completion(orjson.dumps(self.reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Noon:
    """A town at noon in which Lin Yue has just heard an inner voice."""

    def __init__(self, folder: Path, voice: str, reply: dict[str, Any] | None = None) -> None:
        begin_town(folder, start=NOON)
        with RunFile.open(folder, "town", write=True) as run:
            run.ask([parse_intervention("tell", f"Lin Yue: {voice}", minitown())])
            game = game_on(run, minitown(), Answering(reply) if reply else None)
            asyncio.run(game.step())
            self.mind: Mind = minds_of(game, [LIN])[LIN]

    def at(self, moment: datetime) -> Mind:
        """Return the mind at another time."""
        self.mind.now, self.mind.minute = moment, minute_of_day(moment)
        return self.mind

    @property
    def wish(self) -> Wish:
        (wish,) = self.mind.state.wishes(LIN)
        return wish

    @property
    def events(self) -> list[WishEvent]:
        return [step.event for step in self.wish.steps]


DECLINING = {
    "activity": "",
    "start": "12:10",
    "minutes": 30,
    "where": 0,
    "answer": "no",
    "because": "it would only hurt Wang Fang",
}


def test_a_resident_may_refuse_with_a_reason_that_they_remember(tmp_path: Path) -> None:
    town = Noon(tmp_path, "Tell Wang Fang how you feel", DECLINING)
    last = town.wish.steps[-1]
    assert (last.event, last.why) == ("refused", "it would only hurt Wang Fang")
    remembered = town.mind.state.memory(LIN).concept(last.memory)
    assert remembered.text.endswith("The reason: it would only hurt Wang Fang")
    assert town.wish.memory in town.mind.state.settled_memories(LIN)
    assert not list_open_wishes(town.mind)


def test_what_an_inner_voice_only_reports_is_considered_and_is_no_wish(tmp_path: Path) -> None:
    voice = "The list is finished, and Wang Fang's name is on it; it comes out on Monday"
    town = Noon(tmp_path, voice, DECLINING | {"answer": "later"})
    assert town.mind.state.wishes(LIN) == ()
    assert town.mind.state.voices(LIN) == (), "it was asked about"
    assert voice in [each.text for each in town.mind.state.memory(LIN).concepts.values()]
    assert list_open_intentions(town.mind) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chen Siyuan is in love with Lin Yue", True),
        ("There is a thief in town.", True),
        ("There is a thief in town. Lock the doors.", False),
        ("The door is open, so go and look", False),
        ("Lin Yue has to go", False),
        ("Lin Yue is planning a party at the café", False),
        ("Ask Chen Siyuan whether he is well", False),
        ("Sing!", False),
        ("陈思远病了。", True),
        ("林悦要在公园唱歌", False),
        ("镇上有小偷，要小心", False),
    ],
)
def test_words_that_say_what_to_do_are_no_news(text: str, expected: bool) -> None:
    assert is_news(text) == expected


def test_a_plan_left_as_it_is_does_not_end_the_wish(tmp_path: Path) -> None:
    later = DECLINING | {"answer": "later", "because": "there is too much to do today"}
    town = Noon(tmp_path, "Tell Wang Fang how you feel", later)
    assert town.events == ["heard", "left"]
    assert town.wish.steps[-1].why == "there is too much to do today"
    assert WANG in {each.other for each in find_reasons(town.mind) if each.kind == "wish"}


def test_time_ends_a_wish_with_what_came_in_between(tmp_path: Path) -> None:
    later = DECLINING | {"answer": "later"}
    town = Noon(tmp_path, "Tell Wang Fang how you feel", later)
    asyncio.run(follow_wishes(town.at(NOON + timedelta(days=1))))
    assert town.wish.is_open
    asyncio.run(follow_wishes(town.at(NOON + timedelta(days=3))))
    assert town.wish.steps[-1].event == "forgotten"
    assert town.wish.steps[-1].why == "did not get to speak with Wang Fang"
    assert town.wish.steps[-1].memory


def test_a_dated_wish_is_overtaken_and_one_to_refrain_is_kept(tmp_path: Path) -> None:
    later = DECLINING | {"answer": "later", "because": ""}
    dated = Noon(tmp_path / "dated", "Sing in the park at 15:30", later)
    asyncio.run(follow_wishes(dated.at(NOON + timedelta(days=1))))
    assert dated.wish.steps[-1].event == "overtaken"
    kept = Noon(tmp_path / "kept", "You must not tell Wang Fang", later)
    assert not [each for each in find_reasons(kept.mind) if each.kind == "wish"]
    asyncio.run(follow_wishes(kept.at(NOON + timedelta(days=3))))
    assert kept.wish.steps[-1].event == "done"


def test_a_wish_called_settled_is_done_only_if_anything_was_done_about_it(tmp_path: Path) -> None:
    town = Noon(tmp_path, "Tell Wang Fang how you feel", DECLINING | {"answer": "later"})
    left = town.wish
    heard = town.mind.state.memory(LIN).concept(left.memory)
    settle_memories(town.mind, [heard], "rule:test")
    assert town.wish.steps[-1].event == "overtaken"
    town.mind.state.put(keys.WISHES.of(LIN), Wishes((left,)))
    record_wish(town.mind, left, "sought", "rule:wish")
    settle_memories(town.mind, [heard], "rule:test")
    assert town.wish.steps[-1].event == "done"


def test_talks_without_a_word_of_it_raise_it_again_three_times(tmp_path: Path) -> None:
    town = Noon(tmp_path, "Tell Wang Fang how you feel", DECLINING | {"answer": "later"})
    reasons = set()
    for _ in range(4):
        reasons |= {each.key for each in find_reasons(town.mind) if each.kind == "wish"}
        record_wish(town.mind, town.wish, "talked", "rule:wish", memory=1)
    assert len(reasons) == 3


def test_time_spent_alone_carries_out_no_wish_that_needs_others(tmp_path: Path) -> None:
    later = DECLINING | {"answer": "later", "because": ""}
    for voice, outcome, why in (
        ("Bring Wang Fang a lantern", "forgotten", "did not get to speak with Wang Fang"),
        ("Find three people who carry chairs", "forgotten", "found nobody to do it with"),
        ("Draw the river", "done", "spent the time on it: drawing lots"),
    ):
        town = Noon(tmp_path / outcome / voice[:4], voice, later)
        record_wish(town.mind, town.wish, "begun", "rule:wish", "drawing lots")
        town.mind.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), (Entry(0, 1440, "idle"),)))
        asyncio.run(follow_wishes(town.at(NOON + timedelta(days=3))))
        assert (town.wish.steps[-1].event, town.wish.steps[-1].why) == (outcome, why), voice


@pytest.mark.parametrize(
    ("lang", "voice", "said"),
    [
        ("en", "Chen Siyuan: Tell Wang Fang how you feel", "Wang Fang said"),
        ("zh", "陈思远：把你的心意告诉王芳", "王芳说"),
    ],
)
def test_the_scripted_resident_says_it_and_the_answer_is_the_reason(
    lang: Lang, voice: str, said: str, tmp_path: Path
) -> None:
    world = minitown(lang)
    live(tmp_path, 12, world=world)
    with RunFile.open(tmp_path, "town", write=True) as run:
        run.ask([parse_intervention("tell", voice, world)])
    live(tmp_path, 12, world=world)
    with RunReader.open(tmp_path, "town") as reader:
        (wish,) = list_wishes(reader)
    events = [step["event"] for step in wish["steps"]]
    assert events[:2] == ["heard", "planned"]
    assert events[-1] == "done"
    assert wish["steps"][-1]["why"].startswith(said)
    assert wish["steps"][-1]["memory"]


@pytest.mark.parametrize(
    "voice",
    ["Sing a song in the park", "Find three people who carry chairs", "Ask the owner of the shop"],
)
def test_time_spent_carries_out_a_wish_unless_it_was_to_find_others(
    tmp_path: Path, voice: str
) -> None:
    town = Noon(tmp_path, voice, DECLINING | {"answer": "later"})
    record_wish(town.mind, town.wish, "begun", "rule:test", "walking")
    for _ in range(2):
        asyncio.run(follow_wishes(town.mind))
    is_found_by_time = "song" in voice
    assert town.events[-1:] == (["done"] if is_found_by_time else ["left"])
    assert (town.wish.memory in town.mind.state.reasons(LIN)) != is_found_by_time
