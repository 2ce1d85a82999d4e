"""Agreements keep the place and hour that were said, and nothing agreed disappears in silence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hometown.agent.acting.react import react
from hometown.agent.conversation.aftermath import enter_outcomes, store_outcome
from hometown.agent.conversation.commitments import SideSummary, as_promise
from hometown.agent.conversation.converse import may_meet
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import MET_CAUSE
from hometown.agent.mind.open_intentions import find_open_intentions
from hometown.agent.planning.agreements import enter_agreements
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.agent.planning.participation import find_agreed_meeting
from hometown.agent.planning.place_choice import conversation_places, find_place_named
from hometown.agent.planning.plan_clashes import (
    CALLED_OFF_PREDICATE,
    Decision,
    call_off,
    settle_clashes,
)
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry, Schedule
from hometown.prompt.clashes import CLASH, ClashReply, ClashVars
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import (
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.prompt.keeping import restore_variables
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line, Presence
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Body, Promise, Promises, Relation
from hometown.world.social import OccasionSet
from tests.support.prompt_samples import SAMPLES
from tests.support.town import begin_town, game_on, minds_of, minitown

START = datetime(2025, 2, 13, 12, 0)
LIN, CHEN, WANG, ZHAO = "lin_yue", "chen_siyuan", "wang_fang", "zhao_gang"


def look(tmp_path: Path, check: Callable[[Game], None], lang: Lang = "en") -> None:
    """Check a town at noon, one step after its start."""
    begin_town(tmp_path, lang, start=START)
    with RunFile.open(tmp_path, "town", write=True) as run:
        check(game_on(run, minitown(lang)))


def promise(what: str, people: Sequence[str], hour: int = 15, place: str = "cafe/main") -> Promise:
    return Promise(what, tuple(people), place, datetime(2025, 2, 13, hour), 60, f"{hour}-talk")


def enter(minds: dict[str, Mind], *promises: Promise) -> list[Promise]:
    return asyncio.run(enter_agreements(promises, minds, dict.fromkeys(minds, "rule:test")))


def list_promises(mind: Mind) -> list[Promise]:
    """Return what was agreed on in conversations, without the gatherings of storylines."""
    return [item for item in mind.state.promises(mind.who).items if item.talk]


def promised(mind: Mind) -> list[str]:
    return [item.what for item in list_promises(mind)]


def list_agreed(mind: Mind) -> list[tuple[str, Occasion]]:
    """Return the occasions with their ids, without those of storylines."""
    return [(number, each) for number, each in mind.state.occasions if not each.story]


def appointments(mind: Mind) -> list[tuple[int, str]]:
    return [
        (entry.start, entry.activity)
        for entry in mind.state.schedule(mind.who).entries
        if entry.kind == "appointment"
    ]


def remembered(mind: Mind, predicate: str) -> list[str]:
    return [
        memory.text
        for memory in mind.state.memory(mind.who).concepts.values()
        if memory.predicate == predicate
    ]


def test_each_side_has_its_own_words_and_the_plan_item_goes(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        day = minds[LIN].state.schedule(LIN).date
        plan = Schedule(
            day,
            (
                Entry(0, 800, "drawing"),
                Entry(800, 860, "listening to Chen Siyuan play the guitar"),
                Entry(860, 1440, "reading"),
            ),
        )
        minds[LIN].state.put(keys.SCHEDULE.of(LIN), plan)
        both = promise("playing and listening", (LIN, CHEN))
        parts = ("listening to Chen Siyuan play guitar", "playing the guitar for Lin Yue")
        (agreed,) = enter(minds, replace(both, parts=parts))
        assert appointments(minds[LIN])[-1:] == [(900, f"{both.what} ({parts[0]})")]
        assert appointments(minds[CHEN])[-1:] == [(900, f"{both.what} ({parts[1]})")]
        entries = [entry.activity for entry in minds[LIN].state.schedule(LIN).entries]
        free = minds[LIN].words.say("free_time")
        assert entries == ["drawing", free, "reading", f"{both.what} ({parts[0]})", "reading"]
        assert all(part in minds[CHEN].words.agreement(CHEN, agreed) for part in parts)

    look(tmp_path, check)


def test_nobody_does_an_agreement_in_the_words_of_the_other(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        both = promise("Lin Yue returns his thermos to Chen Siyuan", (LIN, CHEN))
        enter(minds, replace(both, parts=("returning the thermos", "getting it from Lin Yue")))
        (*_, hers), (*_, his) = appointments(minds[LIN]), appointments(minds[CHEN])
        assert hers == (900, "meeting Chen Siyuan: returning the thermos")
        assert his == (900, "getting it from Lin Yue")

    look(tmp_path, check)


def test_a_short_meeting_within_a_longer_one_stands_in_both_plans_and_is_opened(
    tmp_path: Path,
) -> None:
    """A book is handed over in the shop while its keeper is there with another."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN, WANG])
        ribbons = promise("tying ribbons", (LIN, WANG), 17, "flower_shop/shop")
        book = replace(
            promise("giving the old book back", (CHEN, WANG), 17, "flower_shop/shop"),
            start=ribbons.start + timedelta(minutes=40),
            minutes=15,
        )
        days = {who: mind.state.schedule(who) for who, mind in minds.items()}
        for agreed in ((ribbons, book), (book, ribbons)):
            for who, mind in minds.items():
                mind.state.put(keys.PROMISES.of(who), None)
                mind.state.put(keys.SCHEDULE.of(who), days[who])
            enter(minds, *agreed)
            assert sorted(appointments(minds[WANG])) == [
                (17 * 60, ribbons.what),
                (17 * 60 + 40, book.what),
                (17 * 60 + 55, ribbons.what),
            ]
            assert sorted(promised(minds[WANG])) == sorted([ribbons.what, book.what])
            assert not minds[WANG].state.questions(WANG), "she can do both"
        assert appointments(minds[CHEN]) == [(17 * 60 + 40, book.what)]
        assert appointments(minds[LIN]) == [(17 * 60, ribbons.what)]
        guests = [occasion.expected for _, occasion in list_agreed(minds[CHEN])]
        assert set(guests) == {(CHEN, WANG)}

    look(tmp_path, check)


def test_what_a_meeting_leaves_no_time_for_is_remembered_and_reconsidered(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, WANG])
        day = minds[WANG].state.schedule(WANG).date
        roses = Entry(1020, 1095, "counting sixty roses")
        plan = (Entry(0, 1020, "reading"), roses, Entry(1095, 1440, "cooking"))
        minds[WANG].state.put(keys.SCHEDULE.of(WANG), Schedule(day, plan))
        enter(minds, promise("choosing the lettering", (LIN, WANG), 17, "flower_shop/shop"))
        (text,) = remembered(minds[WANG], DISPLACED_PREDICATE)
        assert roses.activity in text
        assert len(minds[WANG].state.reasons(WANG)) == 1
        assert remembered(minds[LIN], DISPLACED_PREDICATE) == []

    look(tmp_path, check)


def test_the_same_people_move_a_meeting_to_other_hours(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        chess = promise("playing chess", (LIN, CHEN))
        enter(minds, chess)
        enter(minds, replace(chess, start=chess.start + timedelta(minutes=30)))
        for mind in minds.values():
            (item,) = list_promises(mind)
            assert item.start == chess.start + timedelta(minutes=30)
            assert [each.start for _, each in list_agreed(minds[LIN])] == [item.start]
            assert appointments(mind) == [(15 * 60 + 30, chess.what)]

    look(tmp_path, check)


def test_an_event_is_at_the_place_said_last_and_the_others_are_told(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN, ZHAO])
        enter(minds, promise("hearing Lin Yue sing on the stage", (LIN, ZHAO)))
        enter(minds, promise("hearing Lin Yue sing", (LIN, CHEN), place="park/grounds"))
        for who in (LIN, CHEN):
            (held,) = list_promises(minds[who])
            assert (held.address, held.people) == ("park/grounds", (LIN, CHEN))
        assert list_promises(minds[ZHAO])[0].address == "cafe/main"
        asked = [
            each.kind for who, mind in minds.items() for each in mind.state.questions(mind.who)
        ]
        assert "clash" not in asked
        (to_tell,) = remembered(minds[LIN], INTENTION_PREDICATE)
        assert "Zhao Gang" in to_tell
        assert minds[LIN].world.place_name("park/grounds") in to_tell
        enter(minds, promise("hearing her sing outdoors", (LIN, CHEN, ZHAO), place="park/grounds"))
        for mind in minds.values():
            (held,) = list_promises(mind)
            assert held.address == "park/grounds"
            assert len(appointments(mind)) == 1

    look(tmp_path, check)


def test_a_circle_that_moves_is_one_event_in_chinese_and_a_supper_is_another(
    tmp_path: Path,
) -> None:
    """Two who meet one friend elsewhere at the hour of the circle move it; a supper is a promise."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, WANG, ZHAO])
        circle = promise("参加“科技与生活”读书会", (WANG, ZHAO), place="library/activity")
        enter(minds, circle, promise("吃晚饭", (WANG, ZHAO), 18, "zhao_home/living"))
        enter(minds, promise("“科技与生活”读书会改在星光咖啡店", (LIN, WANG)))
        assert [each.address for each in list_promises(minds[WANG])] == [
            "cafe/main",
            "zhao_home/living",
        ]
        assert not minds[WANG].state.questions(WANG)
        enter(minds, promise("吃晚饭", (LIN, WANG), 18, "cafe/main"))
        assert minds[WANG].state.questions(WANG)

    look(tmp_path, check, "zh")


def test_a_host_to_whom_a_guest_promises_to_come_keeps_the_gathering(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN, ZHAO])
        song = replace(promise("Lin Yue's song night", (LIN, ZHAO), 18), minutes=120)
        guests = (Guest(LIN, START, part="gives"),)
        night = Occasion(song.what, song.address, song.start, song.minutes, guests, "song_night")
        minds[LIN].do(OccasionSet("song_night", night), "rule:test")
        enter(minds, song, replace(promise("going there", (LIN, CHEN), 18), minutes=90))
        (kept,) = list_promises(minds[LIN])
        assert set(kept.people) == {LIN, CHEN, ZHAO}
        assert kept.part_of(LIN) == song.what
        held = minds[LIN].state.occasion("song_night")
        assert held
        assert held.gives(LIN)

    look(tmp_path, check)


def test_the_hour_that_was_said_stands_where_an_occasion_is_joined(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN, WANG])
        supper = promise("having soup", (LIN, WANG), 18, "wang_home/living")
        late = replace(supper, start=supper.start + timedelta(minutes=15), minutes=30)
        enter(minds, late)
        (agreed,) = enter(minds, replace(supper, people=(LIN, CHEN), talk="other"))
        assert (agreed.start, agreed.minutes) == (supper.start, supper.minutes)
        assert len(list_agreed(minds[LIN])) == 1
        assert appointments(minds[CHEN]) == [(18 * 60, "having soup")]

    look(tmp_path, check)


def test_a_meeting_that_both_came_to_is_never_called_off(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [CHEN, WANG, ZHAO])
        decision = clashing(minds)
        mind = minds[CHEN]
        (old,) = decision.asked.kept
        guests = tuple(Guest(who, START, part="comes", came=START) for who in old.people)
        met = Occasion(old.what, old.address, old.start, old.minutes, guests)
        mind.do(OccasionSet("met", met), "rule:test")
        decision = replace(decision, reply=ClashReply(keep=2, say=""))
        assert asyncio.run(settle_clashes([decision], minds.__getitem__)) == []
        assert promised(mind) == ["taking a walk"]
        assert not any(remembered(each, CALLED_OFF_PREDICATE) for each in minds.values())

    look(tmp_path, check)


def clashing(minds: dict[str, Mind]) -> Decision:
    """Let Chen Siyuan promise the same hour to two residents; return what is asked of him, with
    the earlier one kept.
    """
    old = promise("mending the bell with Wang Fang", (WANG, CHEN), place="flower_shop/shop")
    new = promise("taking a walk", (ZHAO, CHEN), place="park/grounds")
    enter(minds, old)
    enter(minds, new)
    mind = minds[CHEN]
    assert promised(mind) == [old.what], "nothing is decided yet"
    assert promised(minds[ZHAO]) == [new.what]
    (question,) = (each for each in mind.state.questions(CHEN) if each.kind == CLASH.kind)
    reply = ClashReply(keep=1, say="Forgive me!")
    asked = restore_variables(
        CLASH.variables, question.variables, mind.situation, mind.state.memory(CHEN)
    )
    return Decision(CHEN, reply, "rule:test", asked)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keep", [1, 2])
def test_of_two_clashing_promises_the_mind_keeps_one_and_all_learn_of_it(
    tmp_path: Path, lang: Lang, keep: int
) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [CHEN, WANG, ZHAO])
        decision = clashing(minds)
        decision = replace(decision, reply=ClashReply(keep=keep, say="Forgive me!"))
        asyncio.run(settle_clashes([decision], minds.__getitem__))
        kept, let_down = (WANG, ZHAO) if keep == 1 else (ZHAO, WANG)
        assert len(promised(minds[CHEN])) == len(appointments(minds[CHEN])) == 1
        assert promised(minds[CHEN]) == promised(minds[kept])
        assert promised(minds[let_down]) == appointments(minds[let_down]) == []
        for who in (CHEN, let_down):
            (text,) = remembered(minds[who], CALLED_OFF_PREDICATE)
            assert "Forgive me!" in text
        assert remembered(minds[kept], CALLED_OFF_PREDICATE) == []

    look(tmp_path, check, lang)


def test_one_date_of_a_weekly_agreement_is_called_off_and_not_the_next(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [CHEN, WANG])
        chess = promise("playing chess every Thursday", (WANG, CHEN))
        enter(minds, chess)
        asked = ClashVars(minds[CHEN].situation, (), promise("drawing", (CHEN,)), 0)
        decision = Decision(CHEN, ClashReply(keep=1, say="Forgive me!"), "rule:test", asked)
        asyncio.run(call_off(chess, decision, minds.__getitem__, instead=asked.new))
        for mind in minds.values():
            (left,) = list_promises(mind)
            assert left.start == chess.start + timedelta(weeks=1)
            assert remembered(mind, CALLED_OFF_PREDICATE)

    look(tmp_path, check)


def test_who_both_call_off_in_one_step_both_know(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [CHEN, WANG, ZHAO])
        decision = clashing(minds)
        old = promise("mending the bell", (WANG, ZHAO), place="flower_shop/shop")
        other = replace(
            decision, who=ZHAO, asked=replace(decision.asked, kept=(old,), new=decision.asked.new)
        )
        asyncio.run(settle_clashes([decision, other], minds.__getitem__))
        assert decision.asked.new.what not in promised(minds[ZHAO])
        assert len(remembered(minds[ZHAO], CALLED_OFF_PREDICATE)) == 1

    look(tmp_path, check)


@pytest.mark.parametrize("lang", LANGS)
def test_homes_are_offered_and_short_names_understood(tmp_path: Path, lang: Lang) -> None:
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

    def check(game: Game) -> None:
        (mind,) = minds_of(game, [WANG]).values()
        places = conversation_places(mind, [], [LIN])
        homes = {address.split("/")[0] for address, _ in places}
        assert {"wang_home", "lin_home", "flower_shop"} <= homes
        for text, address in said[lang].items():
            found = find_place_named(mind, (*places, ("cafe/main", "")), text, WANG)
            assert found == address, text

    look(tmp_path, check, lang)


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


def test_a_part_is_told_without_the_name_of_who_does_it(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        mind = minds_of(game, [WANG])[WANG]
        side = summed("looking at the curve", mind)
        parts = ["Wang Fang bringing tea", "judging whether it is cut off"]
        commitment = side.reply.commitments[0].model_copy(update={"parts": parts})
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "park/grounds", START, 5, (), "", "word")
        assert as_promise(commitment, side.asked, talk).parts == ("bringing tea", parts[1])
        of_three = replace(side.asked, people=((ZHAO, "Zhao Gang"), *side.asked.people))
        agreed = as_promise(commitment.model_copy(update={"who": [2, 3]}), of_three, talk)
        assert agreed.part_of(WANG) == "bringing tea", "of three, the two who agreed have parts"

    look(tmp_path, check)


@pytest.mark.parametrize("lang", LANGS)
def test_who_is_named_in_what_was_agreed_has_words_of_their_own(tmp_path: Path, lang: Lang) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        wang, lin = (game.world.name_of(who) for who in (WANG, LIN))
        what = {"en": f"listening to {lin}'s song", "zh": f"听{lin}唱歌"}[lang]
        sums = {who: summed(what, minds[WANG]) for who in minds}
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "park/grounds", START, 5, (), "", "word")
        asyncio.run(enter_outcomes(talk, sums, minds, keep=keep_nothing))
        (hers,), (his,) = (list_promises(minds[who]) for who in (LIN, WANG))
        own = {"en": f"meeting {wang}: {what}", "zh": f"和{wang}碰头：{what}"}[lang]
        assert (hers.part_of(LIN), his.part_of(WANG)) == (own, what)
        assert own in [entry.activity for entry in minds[LIN].state.schedule(LIN).entries]

    look(tmp_path, check, lang)


async def keep_nothing(*_: object) -> None:
    """Store nothing of a conversation but its agreements."""


@pytest.mark.parametrize("settled", [True, False])
def test_an_errand_that_a_conversation_has_done_leaves_the_plan(
    tmp_path: Path, settled: bool
) -> None:
    """It goes before what was agreed is entered, so that it is not missed as having no time left."""

    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        mind = minds[WANG]
        errand = Entry(1020, 1080, "making room on the wall")
        day = mind.state.schedule(WANG).date
        plan = (Entry(0, 1020, "reading"), errand, Entry(1080, 1440, "sleeping", "sleep"))
        mind.state.put(keys.SCHEDULE.of(WANG), Schedule(day, plan))
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "cafe/main", START, 5, (), "", "word")
        side = summed("hanging a picture", mind)
        asked = replace(side.asked, lines=(), errands=((errand.start, errand.activity),))
        number = len(asked.candidates_to_settle) + 1
        reply = side.reply.model_copy(update={"settled": [number] if settled else []})
        sides = {
            WANG: replace(side, reply=reply, asked=asked),
            LIN: summed("hanging a picture", minds[LIN]),
        }
        asyncio.run(enter_outcomes(talk, sides, minds, keep_nothing))
        assert appointments(mind) == [(errand.start, "hanging a picture")]
        assert len(remembered(mind, DISPLACED_PREDICATE)) == (not settled)

    look(tmp_path, check)


def test_an_agreement_for_at_once_and_here_stays_here_whatever_place_is_spoken_of(
    tmp_path: Path,
) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        line = Line(LIN, "I sing at the café on Friday the 28th.", "")
        talk = Conversation(
            "1-wang_fang", 1, WANG, LIN, "park/grounds", START, 5, (line,), "", "word"
        )
        sums = {who: summed("looking through the script", minds[WANG]) for who in minds}
        soon = f"{START + timedelta(minutes=10):%H:%M}"
        for side in sums.values():
            commitments = side.reply.commitments
            commitments[:] = [commitments[0].model_copy(update={"start": soon})]
        asyncio.run(enter_outcomes(talk, sums, minds, keep_nothing))
        for mind in minds.values():
            (item,) = list_promises(mind)
            assert item.address == "park/grounds"

    look(tmp_path, check)


@pytest.mark.parametrize(
    ("line", "given", "place"),
    [
        ("Come to my place!", None, "wang_home/living"),
        ("Come to my place, or stay here!", 0, "park/grounds"),
        ("Let us stay here!", None, "park/grounds"),
    ],
)
def test_a_place_left_open_is_the_one_that_was_said_or_here(
    tmp_path: Path, line: str, given: int | None, place: str
) -> None:
    """The number 0 stands for here, whatever other places were spoken of."""

    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        here = place if place.startswith("park") else "cafe/main"
        talk = Conversation(
            "1-wang_fang", 1, WANG, LIN, here, START, 5, (Line(WANG, line, ""),), "", "word"
        )
        sums = {who: summed("having dinner", minds[WANG], given) for who in minds}
        asyncio.run(enter_outcomes(talk, sums, minds, keep_nothing))
        for mind in minds.values():
            (item,) = list_promises(mind)
            assert (item.address, item.start.hour) == (place, 17)

    look(tmp_path, check)


def test_two_who_have_met_by_agreement_open_with_their_conversation(tmp_path: Path) -> None:
    """No matter that they have talked a moment ago."""

    def check(game: Game) -> None:
        begins = START + timedelta(minutes=10)
        both = replace(promise("choosing sketches", (LIN, CHEN)), start=begins)
        minds = minds_of(game, [LIN, CHEN])
        enter(minds, both)
        for mind in minds.values():
            for logged in mind.effects:
                apply(logged.effect, game.state)
        tile = game.world.spot_tiles["cafe/main"]
        for who, other in ((LIN, CHEN), (CHEN, LIN)):
            game.state.put(keys.BODY.of(who), Body(tile))
            game.state.put(keys.TALKING.of(who), None)
            game.state.put(keys.RELATION.of(who, other), Relation(1, START))
        (mind, partner) = minds_of(game, [LIN, CHEN], begins).values()
        assert mind.arena == partner.arena == "cafe/main"
        intent = asyncio.run(react(mind, ()))
        assert (intent.partner, intent.topic, intent.cause) == (CHEN, both.what, MET_CAUSE)
        assert may_meet(mind, partner)
        assert may_meet(partner, mind)
        assert find_agreed_meeting(mind, [CHEN]) == both
        mind.state.put(keys.RELATION.of(LIN, CHEN), Relation(2, begins))
        assert asyncio.run(react(mind, ())).cause != MET_CAUSE, "they open it once"

    look(tmp_path, check)


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
    tmp_path: Path, lang: Lang
) -> None:
    """A third party is no participant, and those who are to be seen need not know; a promise of one
    side is an open intention of its own.
    """

    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        third, me = game.world.name_of(ZHAO), game.world.name_of(WANG)
        seen, friend = game.world.name_of("zhang_wei"), game.world.name_of("xiao_mei")
        chess = {"en": f"chess with {third}", "zh": f"和{third}下棋"}[lang]
        visit = {"en": f"seeing {seen} and {friend}", "zh": f"看{seen}和{friend}"}[lang]
        lines = (Line(WANG, f"{third}!", ""), Line(LIN, "Yes.", ""))
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "cafe/main", START, 5, lines, "", "word")
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

    look(tmp_path, check, lang)


def test_a_coffee_agreed_on_is_the_coffee_that_was_planned(tmp_path: Path) -> None:
    """What is planned with the same person on the same theme is not told as a loss."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        mind = minds[LIN]
        plan = (
            Entry(0, 900, "drawing"),
            Entry(900, 960, "buying Chen Siyuan the coffee that she owes him"),
            Entry(960, 1440, "sleeping", "sleep"),
        )
        mind.state.put(keys.SCHEDULE.of(LIN), Schedule(mind.state.schedule(LIN).date, plan))
        coffee = promise("having coffee and talking in private", (LIN, CHEN))
        enter(minds, coffee)
        assert coffee.what in [entry.activity for entry in mind.state.schedule(LIN).entries]
        assert remembered(mind, DISPLACED_PREDICATE) == []

    look(tmp_path, check)


def test_an_agreement_replaces_what_it_is_and_nothing_else(tmp_path: Path) -> None:
    """What is cooked before the supper stays; the supper itself is not missed."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        mind = minds[LIN]
        day = mind.state.schedule(LIN).date
        plan = (
            Entry(0, 840, "drawing"),
            Entry(840, 900, "cooking supper for two"),
            Entry(900, 930, "having supper alone"),
            Entry(930, 1000, "asking Chen Siyuan about the lamp"),
            Entry(1000, 1440, "sleeping", "sleep"),
        )
        mind.state.put(keys.SCHEDULE.of(LIN), Schedule(day, plan))
        supper = replace(
            promise("having supper and looking for the letter", (LIN, CHEN)), minutes=60
        )
        enter(minds, supper)
        planned = [entry.activity for entry in mind.state.schedule(LIN).entries]
        before, lamp = plan[:2], plan[3].activity
        assert planned == [*(entry.activity for entry in before), supper.what, lamp, "sleeping"]
        (postponed,) = remembered(mind, DISPLACED_PREDICATE)
        assert f"from 15:30 to 16:00: {lamp}" in postponed

    look(tmp_path, check)


def test_what_a_talk_calls_off_leaves_all_plans_and_what_it_moves_stands_once(
    tmp_path: Path,
) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        chess = promise("playing chess", (WANG, LIN), 19)
        enter(minds, chess)
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "cafe/main", START, 5, (), "", "word")
        sums = {who: summed("playing chess", minds[who]) for who in minds}
        told = sums[WANG]
        text = minds[WANG].words.agreement(WANG, chess)
        agreed = replace(told.asked.memories[0], text=text)
        asked = replace(told.asked, memories=(agreed,), lines=())
        reply = told.reply.model_copy(update={"settled": [1]})
        sums[WANG] = replace(told, asked=asked, reply=reply)
        asyncio.run(enter_outcomes(talk, sums, minds, keep_nothing))
        for mind in minds.values():
            assert appointments(mind) == [(17 * 60, "playing chess")]

    look(tmp_path, check)


def test_an_agreement_that_two_state_is_one_in_the_words_of_each(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [WANG, LIN])
        heard = (Presence(WANG, 0, 2), Presence(LIN, 1, 2))
        lines = (Line(WANG, "Well?", ""), Line(WANG, "Come at five!", ""))
        talk = Conversation("1-wang_fang", 1, WANG, LIN, "cafe/main", START, 5, lines, "", "word")
        talk = talk.among(heard)
        sums = {
            WANG: summed("listening to the song", minds[WANG]),
            LIN: summed("singing a song", minds[LIN]),
        }
        asyncio.run(enter_outcomes(talk, sums, minds, keep_nothing))
        assert appointments(minds[WANG]) == [(17 * 60, "listening to the song")]
        assert appointments(minds[LIN]) == [(17 * 60, "listening to the song (singing a song)")]

    look(tmp_path, check)


def test_meetings_that_share_a_few_minutes_are_both_kept_and_the_earlier_is_left_early(
    tmp_path: Path,
) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN, WANG])
        coffee = replace(promise("having coffee", (LIN, CHEN)), minutes=70)
        song = promise("hearing a song", (LIN, WANG), 16, "park/grounds")
        for agreed in ((coffee, song), (song, coffee)):
            for mind in minds.values():
                mind.state.put(keys.PROMISES.of(mind.who), None)
            enter(minds, *agreed)
            assert sorted(appointments(minds[LIN])) == [
                (900, "having coffee"),
                (960, "hearing a song"),
            ]
            assert minds[LIN].state.schedule(LIN).at(965).activity == "hearing a song"
            assert minds[LIN].state.questions(LIN) == ()

    look(tmp_path, check)


def test_of_two_meetings_of_the_same_people_the_first_ends_when_the_second_begins(
    tmp_path: Path,
) -> None:
    """They have a coffee until it is time to see the meteors."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        coffee = promise("having the coffee that Chen owes", (LIN, CHEN), 20)
        meteors = promise("watching meteors", (LIN, CHEN), 20, "park/grounds")
        meteors = replace(meteors, start=meteors.start + timedelta(minutes=30))
        days = {who: mind.state.schedule(who) for who, mind in minds.items()}
        for agreed in ((coffee, meteors), (meteors, coffee)):
            for who, mind in minds.items():
                mind.state.put(keys.PROMISES.of(who), None)
                mind.state.put(keys.SCHEDULE.of(who), days[who])
            enter(minds, *agreed)
            for mind in minds.values():
                assert promised(mind) == [coffee.what, meteors.what]
                assert appointments(mind)[-2:] == [(1200, coffee.what), (1230, meteors.what)]
                assert not mind.state.questions(mind.who), "they can do both"
            ends = [each.end for _, each in minds[LIN].state.occasions if each.what == coffee.what]
            assert ends == [meteors.start]

    look(tmp_path, check)


def test_two_meetings_of_the_same_people_at_one_hour_are_a_question_for_each(
    tmp_path: Path,
) -> None:
    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        coffee = promise("having the coffee that Chen owes", (LIN, CHEN))
        enter(minds, coffee, promise("sweeping leaves", (LIN, CHEN), place="park/grounds"))
        for mind in minds.values():
            assert promised(mind) == [coffee.what], "nothing is lost in silence"
            assert mind.state.questions(mind.who)

    look(tmp_path, check)


def test_an_activity_is_not_displaced_by_its_own_appointment(tmp_path: Path) -> None:
    """The plan and the agreement have different words for it."""

    def check(game: Game) -> None:
        minds = minds_of(game, [LIN, CHEN])
        day = minds[LIN].state.schedule(LIN).date
        own = Entry(900, 960, "和朋友碰头喝乌龙茶，问问陈思远的心事")
        plan = Schedule(day, (Entry(0, 900, "画画"), own, Entry(960, 1440, "看书")))
        minds[LIN].state.put(keys.SCHEDULE.of(LIN), plan)
        tea = "先要喝乌龙茶，听陈思远说事"
        enter(minds, promise(tea, (LIN, CHEN)))
        assert not remembered(minds[LIN], DISPLACED_PREDICATE)
        assert (900, tea) in appointments(minds[LIN])

    look(tmp_path, check, "zh")
