"""Whoever is addressed answers, whoever asks hears the answer, and bystanders hear what matters."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from hometown.agent.conversation.circle import LINES_BEFORE_JOINING, Circle
from hometown.agent.conversation.converse import LocalSpeaking, make_conversation
from hometown.agent.conversation.overhear import overhear
from hometown.agent.mind import Mind
from hometown.agent.planning.reconsider import WEIGHTY_NEWS_MIN
from hometown.memory.concept import OVERHEARD_PREDICATE, Concept
from hometown.world.conversation import Line
from tests.support.town import live, minds_of

NOON = datetime(2025, 2, 13, 12, 0)
PEOPLE = ["wang_fang", "lin_yue", "chen_siyuan", "zhang_wei"]


@pytest.fixture(scope="module")
def minds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mind]:
    found: list[dict[str, Mind]] = []
    live(
        tmp_path_factory.mktemp("town"),
        1,
        start=NOON,
        after_each=lambda game: found.append(minds_of(game, PEOPLE)),
    )
    return found[-1]


def circle_of(minds: dict[str, Mind], *lines: tuple[str, str]) -> Circle:
    """Return a conversation of Wang Fang, Lin Yue and Chen Siyuan with these lines."""
    opener, partner, joining, _ = (minds[who] for who in PEOPLE)
    circle = Circle(opener, partner, [joining], {})
    for speaker in circle.speakers:
        speaker.came = 0
    circle.lines = [Line(who, text, "") for who, text in lines]
    return circle


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("Lin Yue has told me. Chen, how much do they need?", "chen_siyuan"),
        ("Chen Siyuan, what does Lin Yue say to that?", "chen_siyuan"),
        ("What does Chen Siyuan say to that, Lin Yue?", "lin_yue"),
        ("Lin Yue has told me. Siyuan, how much do they need?", "chen_siyuan"),
    ],
)
def test_whoever_is_addressed_by_name_speaks_next(
    minds: dict[str, Mind], text: str, following: str
) -> None:
    first, *others = circle_of(minds, ("wang_fang", text)).next_speakers()
    assert (first.who, others) == (following, [])


def test_who_is_asked_answers_before_a_newcomer_speaks(minds: dict[str, Mind]) -> None:
    circle = circle_of(minds, ("wang_fang", "I sold a rose."), ("lin_yue", "A red one?"))
    assert [one.who for one in circle.next_speakers()] == ["wang_fang"]


def test_who_comes_up_to_a_conversation_has_heard_what_was_said_last(
    minds: dict[str, Mind],
) -> None:
    opener, partner, joining, _ = (minds[who] for who in PEOPLE)
    circle = Circle(opener, partner, [joining], {})
    circle.speakers[2].came = LINES_BEFORE_JOINING
    circle.lines = [Line("wang_fang", "Roses?", ""), Line("lin_yue", "Chen, help us!", "")]
    (joiner,) = circle.next_speakers()
    assert [line.text for line in circle.dialogue(joiner)] == ["Chen, help us!"]


def stand_in_cafe(
    minds: dict[str, Mind], monkeypatch: pytest.MonkeyPatch, column: int
) -> list[Mind]:
    """Return the minds of three residents who are awake in the café, the third in a column of their
    own.
    """
    people = PEOPLE[:3]
    here = [minds[who] for who in people]
    scene = here[0].scene
    monkeypatch.setattr(scene, "residents", {"cafe/main": people})
    monkeypatch.setattr(
        scene, "tiles", dict(zip(people, [(10, 10), (13, 10), (column, 10)], strict=True))
    )
    monkeypatch.setattr(scene, "_arenas", dict.fromkeys(people, "cafe/main"))
    for mind in minds.values():
        monkeypatch.setattr(mind, "scene", scene)
        monkeypatch.setattr(mind.state, "is_asleep", lambda who: False)
    return here


def test_both_sides_know_the_same_bystanders(
    minds: dict[str, Mind], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stands beside one of them hears the other, too."""
    opener, partner, bystander = stand_in_cafe(minds, monkeypatch, 16)
    circle = Circle(opener, partner, [], {})
    for speaker in circle.speakers:
        asyncio.run(LocalSpeaking().utter(speaker, circle))
        assert speaker.opening
        assert speaker.opening.situation.earshot == (bystander.who,)


def test_who_is_in_the_room_but_does_not_hear_them_is_known_to_be_there(
    minds: dict[str, Mind], monkeypatch: pytest.MonkeyPatch
) -> None:
    opener, partner, away = stand_in_cafe(minds, monkeypatch, 30)
    circle = Circle(opener, partner, [], {})
    for speaker in circle.speakers:
        asyncio.run(LocalSpeaking().utter(speaker, circle))
        assert speaker.opening
        situation = speaker.opening.situation
        assert (situation.earshot, situation.present) == ((), (away.who,))
        rooms = [room for room, _ in speaker.opening.places]
        assert [room for room, _ in situation.walks] == [
            each for each in rooms if each != "cafe/main"
        ]


def test_who_stands_in_the_room_where_they_would_meet_has_no_way_there(
    minds: dict[str, Mind], monkeypatch: pytest.MonkeyPatch
) -> None:
    opener, partner, _ = stand_in_cafe(minds, monkeypatch, 30)
    circle = Circle(opener, partner, [], {})
    circle.speakers[0].topic = "tea at the café"
    asyncio.run(LocalSpeaking().utter(circle.speakers[0], circle))
    opening = circle.speakers[0].opening
    assert opening
    assert "cafe/main" in dict(opening.places)
    assert "cafe/main" not in dict(opening.situation.walks)


def test_whoever_asks_hears_the_answer_before_they_leave(minds: dict[str, Mind]) -> None:
    circle = circle_of(minds, ("chen_siyuan", "Will you come at six? I have to run."))
    asking = circle.speakers[2]
    circle.end(asking)
    assert asking in circle.present_speakers
    circle.lines.append(Line("wang_fang", "Gladly.", ""))
    circle.lines.append(Line("chen_siyuan", "Till six, then.", ""))
    circle.end(asking)
    assert asking.left == 3


def test_the_one_who_is_asked_at_the_end_has_a_line(minds: dict[str, Mind]) -> None:
    circle = circle_of(minds, ("wang_fang", "Off I go."))
    wang, lin, chen = circle.speakers
    circle.end(wang)
    circle.lines += [Line("chen_siyuan", "Eight at my flat, is that all right?", "")] * 8
    circle.end(chen)
    assert (wang.left, chen.done, circle.is_going_on) == (1, True, True)
    assert circle.next_speakers() == [lin]
    circle.lines.append(Line("lin_yue", "It is, and bring the book?", ""))
    assert not circle.is_going_on


def test_the_last_lines_are_one_for_each(minds: dict[str, Mind]) -> None:
    circle = circle_of(minds, ("lin_yue", "Hm."))
    circle.lines *= circle.closing(circle.speakers[0])
    circle.lines.append(Line("lin_yue", "Friday at four.", ""))
    circle.lines.append(Line("chen_siyuan", "Lin Yue, a quarter past nine, then.", ""))
    assert [one.who for one in circle.next_speakers()] == ["wang_fang"]


async def _overhear(circle: Circle, bystander: Mind) -> Concept:
    talk = make_conversation(circle, "word")
    await overhear(talk, [bystander.who], lambda who: bystander)
    memories = bystander.state.memory(bystander.who).concepts.values()
    *_, last = (each for each in memories if each.predicate == OVERHEARD_PREDICATE)
    return last


def test_bystanders_hear_the_line_that_matters_and_not_the_longest(
    minds: dict[str, Mind],
) -> None:
    circle = circle_of(
        minds,
        ("wang_fang", "The soup wants another half an hour, and then some ginger, and then some."),
        ("lin_yue", "There is a fire at the library!"),
    )
    assert "fire" in asyncio.run(_overhear(circle, minds["zhang_wei"])).text


def test_who_overhears_that_they_are_asked_along_may_change_their_day(
    minds: dict[str, Mind],
) -> None:
    circle = circle_of(
        minds,
        ("wang_fang", "Zhang Wei, Xiao Mei and Zhao Gang are all fond of dumplings, I believe."),
        ("lin_yue", "Will you come, and bring Zhang Wei?"),
    )
    heard = asyncio.run(_overhear(circle, minds["zhang_wei"]))
    assert "bring Zhang Wei" in heard.text
    assert heard.poignancy >= WEIGHTY_NEWS_MIN


def test_who_is_spoken_to_from_a_conversation_beside_them_keeps_that_line(
    minds: dict[str, Mind],
) -> None:
    circle = circle_of(
        minds,
        ("wang_fang", "Zhang Wei, the seed has to go up the hill, and you only need to nod."),
        ("lin_yue", "Zhang Wei, Xiao Mei and Zhao Gang are at the bridge, and the bridge is wet."),
    )
    heard = asyncio.run(_overhear(circle, minds["zhang_wei"]))
    assert "nod" in heard.text
    assert heard.poignancy >= WEIGHTY_NEWS_MIN


def test_a_question_to_another_that_names_a_bystander_before_is_no_question_to_them(
    minds: dict[str, Mind],
) -> None:
    circle = circle_of(
        minds,
        ("lin_yue", "The first piece is for Zhang Wei. Chen Siyuan, when do people sit down?"),
    )
    heard = asyncio.run(_overhear(circle, minds["zhang_wei"]))
    assert heard.poignancy < WEIGHTY_NEWS_MIN
