"""Others see the act, not the reason, the thought or the secret in its label."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import orjson
import pytest

from hometown.agent.acting.partners import describe_neighbour
from hometown.agent.perception.perceive import resident_event
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.world import keys
from hometown.world.load import load_world
from hometown.world.outside import visible_act
from hometown.world.resident_names import IsHere
from hometown.world.world import arena_of
from tests.support.fake_models import Wrapped
from tests.support.town import live, minds_of, minitown

NOW = datetime(2025, 2, 13, 12, 0)


def everybody(_: str) -> bool:
    return True


def seen_from(who: str, lang: Lang, action: Action, is_here: IsHere = everybody) -> str:
    return visible_act(minitown(lang), who, action, "cafe/main", NOW, is_here)


def doing(activity: str, outside: str = "") -> Action:
    return Action("act", activity, "cafe/main", 30).seen_as(outside)


@pytest.mark.parametrize(
    ("lang", "activity", "seen"),
    [
        ("en", "eating dumplings because nobody came", "eating dumplings"),
        ("en", "missing her parents", "deep in thought"),
        ("en", "seeing who needs help", "busy with something"),
        ("en", "dancing and asking Xiao Mei to carry chairs", "dancing"),
        ("zh", "找赵刚坦白偷画了他十一回", "像有话要说"),
        (
            "en",
            "asking Zhang Wei to speak at the reading circle",
            "looking for a moment to say something",
        ),
        ("en", "sketching the noodle seller's hands", "sketching the noodle seller's hands"),
        ("en", "writing and remembering", "writing and remembering"),
        (
            "en",
            "laying out chalk, problems and an extra chair",
            "laying out chalk, problems and an extra chair",
        ),
        ("en", "untangling the script that gives nonsense", "untangling the script"),
        ("en", "humming, thinking of him and her", "humming"),
        ("en", "looking for Wang Fang", "looking around for somebody"),
        ("en", "looking for a quiet corner", "looking for a quiet corner"),
        ("zh", "去找林悦", "像在找人"),
        ("en", "waiting for Wang Fang", "waiting for somebody"),
        ("zh", "等赵刚来", "像在等人"),
        ("zh", "去找胸牌", "去找胸牌"),
        ("en", "getting back to sketching the logo", "getting back to sketching the logo"),
        ("zh", "跟林悦说公司要裁员的事", "像有话要说"),
        ("zh", "给小陈盛饭夹菜，装作什么也没听见", "给小陈盛饭夹菜"),
        ("zh", "给她留个话头", "像有话要说"),
        ("zh", "犹豫要不要开口", "想着心事"),
        ("zh", "插花", "插花"),
    ],
)
def test_the_outside_of_an_activity_is_its_visible_act(
    lang: Lang, activity: str, seen: str
) -> None:
    assert seen_from("chen_siyuan", lang, doing(activity)) == seen


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_to_be_done_elsewhere_is_not_seen_on_the_way(lang: Lang) -> None:
    way = {"en": "on the way somewhere", "zh": "正往别处去"}[lang]
    world, action = minitown(lang), doing("making coffee")
    for arena, seen in (("cafe/main", "making coffee"), ("park/grounds", way)):
        assert visible_act(world, "xiao_mei", action, arena, NOW, everybody) == seen


@pytest.mark.parametrize("name", ["minitown", "ville"])
@pytest.mark.parametrize("lang", LANGS)
def test_habits_are_seen_as_they_are_called(name: str, lang: Lang) -> None:
    world = load_world(name, lang)
    labels = [(who, habit.activity) for who, one in world.personas.items() for habit in one.habits]
    changed = {
        label
        for who, label in labels
        if visible_act(world, who, doing(label), "cafe/main", NOW, everybody) != label
    }
    assert len(changed) <= len(labels) // 50, changed


@pytest.mark.parametrize("lang", LANGS)
def test_no_secret_is_learnt_from_a_label(tmp_path: Path, lang: Lang) -> None:
    world = minitown(lang)

    def check(game: Game) -> None:
        mind = minds_of(game, ["lin_yue"], NOW)["lin_yue"]
        for story in world.storylines:
            for word in story.keywords:
                label = f"{word} {word}"
                action = replace(game.state.action("chen_siyuan"), kind="act", activity=label)
                game.state.put(keys.ACTION.of("chen_siyuan"), action)
                mind = minds_of(game, ["lin_yue"], NOW)["lin_yue"]
                seen = resident_event(mind, "chen_siyuan")
                assert not story.is_mentioned_in(seen.describe + seen.predicate)
                assert not story.is_mentioned_in(describe_neighbour(mind, "chen_siyuan").doing)
                own = minds_of(game, ["chen_siyuan"], NOW)["chen_siyuan"]
                assert resident_event(own, "chen_siyuan").predicate == label

    live(tmp_path, 1, world=world, after_each=check)


def test_who_knows_of_a_gathering_sees_the_work_for_it(tmp_path: Path) -> None:
    label, seen = "drawing the poster of the reading circle", {}

    def check(game: Game) -> None:
        action = replace(game.state.action("lin_yue"), kind="act", activity=label)
        game.state.put(keys.ACTION.of("lin_yue"), replace(action, address=""))
        for who, mind in minds_of(game, ["wang_fang", "chen_siyuan"], NOW).items():
            seen[who] = mind.see_act("lin_yue")

    live(tmp_path, 1, world=minitown("en"), after_each=check)
    assert seen == {"wang_fang": label, "chen_siyuan": "busy with something"}


@pytest.mark.parametrize(
    ("lang", "activity", "outside", "seen"),
    [
        ("en", "rehearsing how to tell her", "sitting on a bench", "sitting on a bench"),
        (
            "en",
            "asking about the rent",
            "asking something at the counter",
            "asking something at the counter",
        ),
        ("en", "drafting", "typing about the layoffs", "busy with something"),
        ("zh", "盘算怎么开口", "坐在长椅上", "坐在长椅上"),
    ],
)
def test_the_owner_s_words_for_the_outside_come_first_unless_they_tell_a_secret(
    lang: Lang, activity: str, outside: str, seen: str
) -> None:
    assert seen_from("chen_siyuan", lang, doing(activity, outside)) == seen


@pytest.mark.parametrize(
    ("lang", "activity", "seen"),
    [
        ("en", "having dinner with her grandfather", "having dinner"),
        ("en", "having dinner with Grandpa", "having dinner"),
        ("zh", "和爷爷一起吃晚饭", "吃晚饭"),
        ("zh", "给爷爷熬姜汤", "熬姜汤"),
        ("zh", "和祖父下棋", "下棋"),
    ],
)
def test_a_relative_is_seen_as_company_only_where_they_are(
    lang: Lang, activity: str, seen: str
) -> None:
    action = doing(activity)
    assert seen_from("xiao_mei", lang, action, lambda who: False) == seen
    assert seen_from("xiao_mei", lang, action) == activity


@pytest.mark.parametrize(
    ("lang", "activity", "seen"),
    [
        ("en", "chatting with Lin Yue", "looking for a moment to say something"),
        ("en", "having a quick word with Lin Yue", "looking for a moment to say something"),
        ("en", "wiping the counter and chatting with Lin Yue", "wiping the counter"),
        ("en", "chatting with customers", "chatting with customers"),
        ("zh", "擦着吧台和林悦聊天", "擦着吧台"),
        ("zh", "找林悦聊聊", "像有话要说"),
    ],
)
def test_a_conversation_is_seen_only_when_it_is_held(lang: Lang, activity: str, seen: str) -> None:
    assert seen_from("chen_siyuan", lang, doing(activity)) == seen
    assert seen_from("chen_siyuan", lang, doing("reading", activity)) == seen


@pytest.mark.parametrize("lang", LANGS)
def test_others_see_and_pass_the_outside_that_the_task_s_owner_has_worded(
    tmp_path: Path, lang: Lang
) -> None:
    """The reply's outside reaches the action, the sight of those in the room, and of passers-by."""
    outside = {"en": "turning over some papers", "zh": "翻着几张纸"}[lang]
    inside = {"en": "weighing a move to Shanghai", "zh": "掂量要不要去上海"}[lang]
    actions: list[Action] = []

    class Worded(Wrapped):
        async def answer(self, request: Request, seed: int) -> Completion:
            reply = await super().answer(request, seed)
            if request.kind != "schedule_decompose" or request.people[0] != "chen_siyuan":
                return reply
            tasks = orjson.loads(reply.text)["tasks"]
            tasks[0][0] = inside
            worded = orjson.dumps({"tasks": tasks, "seen": [[1, outside]]}).decode()
            return replace(reply, text=worded)

    def check(game: Game) -> None:
        action = game.state.action("chen_siyuan")
        if action.activity == inside:
            actions.append(action)
            room, now = arena_of(action.address), game.state.clock.now
            assert visible_act(game.world, "chen_siyuan", action, room, now, everybody) == outside
            own = minds_of(game, ["chen_siyuan"], game.state.clock.now)["chen_siyuan"]
            assert resident_event(own, "chen_siyuan").predicate == inside
        for who in game.world.personas:
            if who != "chen_siyuan":
                texts = [each.text for each in game.state.memory(who).concepts.values()]
                sights = [one.activity for one in game.state.passed(who).people]
                assert not any(inside in text for text in (*texts, *sights))

    live(tmp_path, 24, world=minitown(lang), model=Worded(ScriptedModel()), after_each=check)
    assert any(arena_of(action.address) == "cafe/main" for action in actions)
