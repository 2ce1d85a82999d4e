"""What is agreed in a conversation has the place and hour that were said, in the words of each side."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from hometown.agent.conversation.aftermath import enter_outcomes, store_outcome
from hometown.agent.conversation.commitments import SideSummary, as_promise, make_promises
from hometown.agent.mind import Mind
from hometown.agent.mind.open_intentions import find_open_intentions
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.agent.planning.place_choice import conversation_places, find_place_named
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import (
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.world import keys
from hometown.world.conversation import Conversation, Line, Presence
from hometown.world.rows import Promises
from tests.support.agreements import (
    LIN,
    START,
    WANG,
    ZHAO,
    appointments,
    enter,
    list_promises,
    promise,
    promised,
    put_plan,
    remembered,
)
from tests.support.prompt_samples import SAMPLES
from tests.support.town import minds_of


def talk_at(place: str, *lines: Line) -> Conversation:
    return Conversation("1-wang_fang", 1, WANG, LIN, place, START, 5, lines, "", "word")


def summed(what: str, mind: Mind, place: int | None = 0) -> SideSummary:
    """Return a summary that states a commitment for five o'clock today; its place is left open if
    None.
    """
    vars_ = SAMPLES["talk_summary"]
    assert isinstance(vars_, ConversationSummaryVars)
    people = tuple((who, mind.world.name_of(who)) for who in (WANG, LIN))
    asked = replace(
        vars_, situation=mind.situation, people=people, places=conversation_places(mind, [], [LIN])
    )
    day = mind.now.date()
    where = {} if place is None else {"where": place}
    commitment = Commitment(what=what, day=day, start="17:00", minutes=60, **where)
    reply = ConversationSummaryReply(
        summary="They talked.", relations=["Friends."], closer=[1], commitments=[commitment]
    )
    return SideSummary(reply, "rule:test", asked)


def conclude(
    talk: Conversation, sums: Mapping[str, SideSummary], minds: Mapping[str, Mind]
) -> None:
    """Enter the outcome of a conversation: its agreements, and nothing else."""

    async def keep_nothing(*_: object) -> None:
        pass

    asyncio.run(enter_outcomes(talk, sums, minds, keep_nothing))


@pytest.mark.parametrize("lang", LANGS)
def test_homes_are_offered_and_short_names_understood(game: Game, lang: Lang) -> None:
    said = {
        "en": {
            "Seven o'clock at the café, then.": "cafe/main",
            "Come to my place for dinner!": "wang_home/living",
            "Drop by my shop.": "flower_shop/shop",
            "See you!": "",
        },
        "zh": {
            "那就七点咖啡店见。": "cafe/main",
            "到我家来吃饭吧！": "wang_home/living",
            "到我店里来。": "flower_shop/shop",
            "回头见！": "",
        },
    }
    (mind,) = minds_of(game, [WANG]).values()
    places = conversation_places(mind, [], [LIN])
    homes = {address.split("/")[0] for address, _ in places}
    assert {"wang_home", "lin_home", "flower_shop"} <= homes
    for text, address in said[lang].items():
        found = find_place_named(mind, (*places, ("cafe/main", "")), text, WANG)
        assert found == address, text


def test_a_part_is_told_without_the_name_of_who_does_it(game: Game) -> None:
    mind = minds_of(game, [WANG])[WANG]
    side = summed("looking at the curve", mind)
    parts = ["Wang Fang bringing tea", "judging whether it is cut off"]
    commitment = side.reply.commitments[0].model_copy(update={"parts": parts})
    talk = talk_at("park/grounds")
    assert as_promise(commitment, side.asked, talk).parts == ("bringing tea", parts[1])
    of_three = replace(side.asked, people=((ZHAO, "Zhao Gang"), *side.asked.people))
    agreed = as_promise(commitment.model_copy(update={"who": [2, 3]}), of_three, talk)
    assert agreed.part_of(WANG) == "bringing tea", "of three, the two who agreed have parts"
    agreed = as_promise(commitment.model_copy(update={"who": [3, 2]}), of_three, talk)
    assert agreed.part_of(WANG) == parts[1], "parts are in the order of those who agreed"


def test_a_part_tells_nobody_of_what_is_yet_to_be_told(game: Game) -> None:
    mind = minds_of(game, [WANG])[WANG]
    side, parts = summed("talking by the pond", mind), ["telling about the layoffs", "listening"]
    commitment = side.reply.commitments[0].model_copy(update={"parts": parts})
    reply = side.reply.model_copy(update={"commitments": [commitment]})
    aloud = Line(WANG, "It is about the layoffs.")
    for lines, told in (((), "talking by the pond"), ((aloud,), parts[0])):
        talk = talk_at("park/grounds", *lines)
        (promise,) = make_promises(replace(side, reply=reply), talk, mind)
        assert [promise.part_of(who) for who in (WANG, LIN)] == [told, "listening"]


@pytest.mark.parametrize("lang", LANGS)
def test_who_is_named_in_what_was_agreed_has_words_of_their_own(game: Game, lang: Lang) -> None:
    minds = minds_of(game, [WANG, LIN])
    wang, lin = (game.world.name_of(who) for who in (WANG, LIN))
    what = {"en": f"listening to {lin}'s song", "zh": f"听{lin}唱歌"}[lang]
    sums = {who: summed(what, minds[WANG]) for who in minds}
    talk = talk_at("park/grounds")
    conclude(talk, sums, minds)
    (hers,), (his,) = (list_promises(minds[who]) for who in (LIN, WANG))
    own = {"en": f"meeting {wang}: {what}", "zh": f"和{wang}碰头：{what}"}[lang]
    assert (hers.part_of(LIN), his.part_of(WANG)) == (own, what)
    assert own in [entry.activity for entry in minds[LIN].state.schedule(LIN).entries]


@pytest.mark.parametrize("settled", [True, False])
def test_an_errand_that_a_conversation_has_done_leaves_the_plan(game: Game, settled: bool) -> None:
    """It goes before what was agreed is entered, so that it is not missed as having no time left."""
    minds = minds_of(game, [WANG, LIN])
    mind = minds[WANG]
    errand = Entry(1020, 1080, "making room on the wall")
    put_plan(mind, Entry(0, 1020, "reading"), errand, Entry(1080, 1440, "sleeping", "sleep"))
    talk = talk_at("cafe/main")
    side = summed("hanging a picture", mind)
    asked = replace(side.asked, lines=(), errands=((errand.start, errand.activity),))
    number = len(asked.candidates_to_settle) + 1
    reply = side.reply.model_copy(update={"settled": [number] if settled else []})
    sides = {
        WANG: replace(side, reply=reply, asked=asked),
        LIN: summed("hanging a picture", minds[LIN]),
    }
    conclude(talk, sides, minds)
    assert appointments(mind) == [(errand.start, "hanging a picture")]
    assert len(remembered(mind, DISPLACED_PREDICATE)) == (not settled)


def test_an_agreement_for_at_once_and_here_stays_here_whatever_place_is_spoken_of(
    game: Game,
) -> None:
    minds = minds_of(game, [WANG, LIN])
    line = Line(LIN, "I sing at the café on Friday the 28th.", "")
    talk = talk_at("park/grounds", line)
    sums = {who: summed("looking through the script", minds[WANG]) for who in minds}
    soon = f"{START + timedelta(minutes=10):%H:%M}"
    for side in sums.values():
        commitments = side.reply.commitments
        commitments[:] = [commitments[0].model_copy(update={"start": soon})]
    conclude(talk, sums, minds)
    for mind in minds.values():
        (item,) = list_promises(mind)
        assert item.address == "park/grounds"


@pytest.mark.parametrize(
    ("line", "given", "place"),
    [
        ("Come to my place!", None, "wang_home/living"),
        ("Come to my place, or stay here!", 0, "park/grounds"),
        ("Let us stay here!", None, "park/grounds"),
    ],
)
def test_a_place_left_open_is_the_one_that_was_said_or_here(
    game: Game, line: str, given: int | None, place: str
) -> None:
    """The number 0 stands for here, whatever other places were spoken of."""
    minds = minds_of(game, [WANG, LIN])
    here = place if place.startswith("park") else "cafe/main"
    talk = talk_at(here, Line(WANG, line, ""))
    sums = {who: summed("having dinner", minds[WANG], given) for who in minds}
    conclude(talk, sums, minds)
    for mind in minds.values():
        (item,) = list_promises(mind)
        assert (item.address, item.start.hour) == (place, 17)


def test_a_meeting_begins_when_all_can_be_there(game: Game) -> None:
    minds = minds_of(game, [WANG, LIN])
    talk = talk_at("park/grounds")
    place, _ = conversation_places(minds[WANG], [], [LIN])[0]
    walk = game.world.walk_minutes("park/grounds", place)
    assert walk
    sums = {who: summed("having dinner", minds[WANG], 1) for who in minds}
    for side in sums.values():
        commitments = side.reply.commitments
        commitments[:] = [commitments[0].model_copy(update={"start": f"{START:%H:%M}"})]
    conclude(talk, sums, minds)
    for mind in minds.values():
        (item,) = list_promises(mind)
        assert item.address == place
        assert item.start == START + timedelta(minutes=talk.minutes + walk)


def test_a_time_that_has_passed_today_is_meant_for_tomorrow() -> None:
    vars_ = SAMPLES["talk_summary"]
    assert isinstance(vars_, ConversationSummaryVars)
    today, tomorrow = vars_.days[:2]
    for start, day in (("08:00", tomorrow), ("09:10", today), ("10:00", today)):
        reply = ConversationSummaryReply(
            relations=["Friends."],
            commitments=[Commitment(what="having tea", day=today, start=start)],
        )
        for rule in CONVERSATION_SUMMARY.mend:
            reply = rule.apply(vars_, reply)
        assert reply.commitments[0].day == day, start


@pytest.mark.parametrize("lang", LANGS)
def test_who_is_to_come_along_by_an_agreement_is_to_be_told_by_the_one_who_named_them(
    game: Game, lang: Lang
) -> None:
    """A third party is no participant, and those who are to be seen need not know; a promise of one
    side is an open intention of its own.
    """
    minds = minds_of(game, [WANG, LIN])
    third, me = game.world.name_of(ZHAO), game.world.name_of(WANG)
    seen, friend = game.world.name_of("zhang_wei"), game.world.name_of("xiao_mei")
    chess = {"en": f"chess with {third}", "zh": f"和{third}下棋"}[lang]
    visit = {"en": f"seeing {seen} and {friend}", "zh": f"看{seen}和{friend}"}[lang]
    lines = (Line(WANG, f"{third}!", ""), Line(LIN, "Yes.", ""))
    talk = talk_at("cafe/main", *lines)
    sums = {who: summed(chess, minds[WANG]) for who in minds}
    other = replace(sums[LIN].asked.company[0].other, id=LIN)
    company = (replace(sums[LIN].asked.company[0], other=other),)
    promised_alone = f"{me}: soup"
    reply = sums[WANG].reply.model_copy(update={"intentions": [promised_alone]})
    asked = replace(sums[WANG].asked, company=company, lines=())
    side = SideSummary(reply, "rule:test", asked)
    told = [promise(what, (WANG, LIN)) for what in (chess, visit)]
    asyncio.run(store_outcome(minds[WANG], talk, "They talked.", side, told))
    to_tell, alone = sorted(remembered(minds[WANG], INTENTION_PREDICATE), key=len, reverse=True)
    assert third in to_tell
    assert alone == promised_alone
    assert promised(minds[LIN]) == [], "the third party is not counted on"
    reasons = minds[WANG].state.reasons(WANG)
    assert len(reasons) >= 2
    wishes = [wish.text for wish in find_open_intentions(minds[WANG], [ZHAO])]
    assert wishes[0] == to_tell
    who_knows = minds_of(game, [WANG, LIN])
    invited = promise("chess", (ZHAO, WANG))  # by the one who is named now
    who_knows[WANG].state.put(keys.PROMISES.of(WANG), Promises((invited,)))
    asyncio.run(store_outcome(who_knows[WANG], talk, "They talked.", side, told[:1]))
    assert remembered(who_knows[WANG], INTENTION_PREDICATE) == [promised_alone]


def test_a_talk_that_changes_a_life_leaves_small_promises_small(game: Game) -> None:
    mind = minds_of(game, [WANG])[WANG]
    side, latte = summed("playing chess", mind), "Wang Fang owes Lin Yue two oolong lattes."
    (company,) = side.asked.company[:1]
    company = replace(company, other=replace(company.other, id=LIN))
    reply = side.reply.model_copy(update={"weight": 9, "intentions": [latte]})
    side = replace(side, reply=reply, asked=replace(side.asked, company=(company,), lines=()))
    asyncio.run(store_outcome(mind, talk_at("cafe/main"), "They talked.", side, []))
    weights = {
        memory.text: memory.poignancy for memory in mind.state.memory(WANG).concepts.values()
    }
    assert (weights["They talked."], weights[latte]) == (9, 6)


def test_what_a_talk_calls_off_leaves_all_plans_and_what_it_moves_stands_once(
    game: Game,
) -> None:
    minds = minds_of(game, [WANG, LIN])
    chess = promise("playing chess", (WANG, LIN), 19)
    enter(minds, chess)
    talk = talk_at("cafe/main")
    sums = {who: summed("playing chess", minds[who]) for who in minds}
    told = sums[WANG]
    text = minds[WANG].words.agreement(WANG, chess)
    agreed = replace(told.asked.memories[0], text=text)
    asked = replace(told.asked, memories=(agreed,), lines=())
    reply = told.reply.model_copy(update={"settled": [1]})
    sums[WANG] = replace(told, asked=asked, reply=reply)
    conclude(talk, sums, minds)
    for mind in minds.values():
        assert appointments(mind) == [(17 * 60, "playing chess")]


def test_what_a_talk_with_a_visitor_calls_off_leaves_the_plan(game: Game) -> None:
    """A visitor sums nothing up."""
    minds = minds_of(game, [WANG, LIN])
    chess = promise("playing chess", (WANG, LIN), 19)
    enter(minds, chess)
    told = summed("playing chess", minds[WANG])
    agreed = replace(told.asked.memories[0], text=minds[WANG].words.agreement(WANG, chess))
    reply = told.reply.model_copy(update={"settled": [1], "commitments": []})
    side = replace(told, asked=replace(told.asked, memories=(agreed,), lines=()), reply=reply)
    conclude(talk_at("cafe/main"), {WANG: side}, minds)
    assert appointments(minds[WANG]) == []


def test_an_agreement_that_two_state_is_one_in_the_words_of_each(game: Game) -> None:
    minds = minds_of(game, [WANG, LIN])
    heard = (Presence(WANG, 0, 2), Presence(LIN, 1, 2))
    lines = (Line(WANG, "Well?", ""), Line(WANG, "Come at five!", ""))
    talk = talk_at("cafe/main", *lines)
    talk = talk.among(heard)
    sums = {
        WANG: summed("listening to the song", minds[WANG]),
        LIN: summed("singing a song", minds[LIN]),
    }
    conclude(talk, sums, minds)
    assert appointments(minds[WANG]) == [(17 * 60, "listening to the song")]
    assert appointments(minds[LIN]) == [(17 * 60, "listening to the song (singing a song)")]
