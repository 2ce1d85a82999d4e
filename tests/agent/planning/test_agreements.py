"""Agreements keep the place and hour that were said, and nothing agreed disappears in silence."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from hometown.agent.acting.react import react
from hometown.agent.conversation.converse import may_meet
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import MET_CAUSE
from hometown.agent.planning.at_occasions import find_agreed_meeting
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.agent.planning.participation import AGREE_PREDICATE, record_occasion
from hometown.agent.planning.plan_clashes import (
    CALLED_OFF_PREDICATE,
    LEAVE_PREDICATE,
    Decision,
    call_off,
    settle_clashes,
)
from hometown.game import Game
from hometown.language import LANGS
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry
from hometown.prompt.clashes import CLASH, ClashReply, ClashVars
from hometown.prompt.keeping import restore_variables
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Body, Relation
from hometown.world.social import OccasionEnded, OccasionKnown, OccasionSet
from tests.support.agreements import (
    CHEN,
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
from tests.support.town import minds_of


def list_agreed(mind: Mind) -> list[tuple[str, Occasion]]:
    """Return the occasions with their ids, without those of storylines."""
    return [(number, each) for number, each in mind.state.occasions if not each.story]


def test_each_side_has_its_own_words_and_the_plan_item_goes(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN])
    put_plan(
        minds[LIN],
        Entry(0, 800, "drawing"),
        Entry(800, 860, "listening to Chen Siyuan play the guitar"),
        Entry(860, 1440, "reading"),
    )
    both = promise("playing and listening", (LIN, CHEN))
    parts = ("listening to Chen Siyuan play guitar", "playing the guitar for Lin Yue")
    (agreed,) = enter(minds, replace(both, parts=parts))
    assert appointments(minds[LIN])[-1:] == [(900, f"{both.what} ({parts[0]})")]
    assert appointments(minds[CHEN])[-1:] == [(900, f"{both.what} ({parts[1]})")]
    entries = [entry.activity for entry in minds[LIN].state.schedule(LIN).entries]
    free = minds[LIN].words.say("free_time")
    assert entries == ["drawing", free, "reading", f"{both.what} ({parts[0]})", "reading"]
    assert all(part in minds[CHEN].words.agreement(CHEN, agreed) for part in parts)


def test_nobody_does_an_agreement_in_the_words_of_the_other(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN])
    both = promise("Lin Yue returns his thermos to Chen Siyuan", (LIN, CHEN))
    enter(minds, replace(both, parts=("returning the thermos", "getting it from Lin Yue")))
    (*_, hers), (*_, his) = appointments(minds[LIN]), appointments(minds[CHEN])
    assert hers == (900, "meeting Chen Siyuan: returning the thermos")
    assert his == (900, "getting it from Lin Yue")


@pytest.mark.parametrize("lang", LANGS)
def test_an_agreement_says_once_with_whom_one_meets(game: Game) -> None:
    mind = minds_of(game, [LIN, CHEN])[LIN]
    party = promise("eating at Lin Yue's supper", (LIN, CHEN))
    meeting = mind.words.say("meeting_for", others=mind.words.name(CHEN), what=party.what)
    (agreed,) = enter(minds_of(game, [LIN, CHEN]), party.with_part(LIN, meeting))
    text = mind.words.agreement(LIN, agreed)
    assert party.what in text
    assert meeting not in text
    assert text.count(mind.words.name(CHEN)) == 1


def test_a_short_meeting_within_a_longer_one_stands_in_both_plans_and_is_opened(
    game: Game,
) -> None:
    """A book is handed over in the shop while its keeper is there with another."""
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


def test_what_a_meeting_leaves_no_time_for_is_remembered_and_reconsidered(game: Game) -> None:
    minds = minds_of(game, [LIN, WANG])
    roses = Entry(1020, 1095, "counting sixty roses")
    put_plan(minds[WANG], Entry(0, 1020, "reading"), roses, Entry(1095, 1440, "cooking"))
    enter(minds, promise("choosing the lettering", (LIN, WANG), 17, "flower_shop/shop"))
    (text,) = remembered(minds[WANG], DISPLACED_PREDICATE)
    assert roses.activity in text
    assert len(minds[WANG].state.reasons(WANG)) == 1
    assert remembered(minds[LIN], DISPLACED_PREDICATE) == []


def test_what_a_meeting_puts_off_is_remembered_once_though_others_join(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN, WANG])
    put_plan(minds[LIN], Entry(0, 900, "reading"), Entry(900, 1440, "scanning sketches"))
    roses = promise("binding roses", (LIN, WANG), place="flower_shop/shop")
    enter(minds, roses)
    enter(minds, replace(roses, people=(LIN, CHEN), talk="other"))
    (text,) = remembered(minds[LIN], DISPLACED_PREDICATE)
    assert "scanning sketches" in text
    assert set(list_promises(minds[LIN])[0].people) == set(minds)


def test_the_same_people_move_a_meeting_to_other_hours(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN])
    chess = promise("playing chess", (LIN, CHEN))
    enter(minds, chess)
    enter(minds, replace(chess, start=chess.start + timedelta(minutes=30)))
    for mind in minds.values():
        (item,) = list_promises(mind)
        assert item.start == chess.start + timedelta(minutes=30)
        assert [each.start for _, each in list_agreed(minds[LIN])] == [item.start]
        assert appointments(mind) == [(15 * 60 + 30, chess.what)]


def test_what_the_same_people_do_next_at_one_place_is_another_meeting(game: Game) -> None:
    """They bind roses, and have ten minutes less for it because of the song that follows."""
    minds = minds_of(game, [LIN, CHEN, WANG])
    roses = promise("binding roses", (WANG, LIN, CHEN))
    song = promise("playing and hearing a song", (LIN, CHEN))
    song = replace(song, start=roses.end - timedelta(minutes=10), minutes=20)
    enter(minds, roses, song)
    for who in (LIN, CHEN):
        assert appointments(minds[who]) == [(900, roses.what), (950, song.what)]
        assert not minds[who].state.questions(who), "they can do both"
    assert appointments(minds[WANG]) == [(900, roses.what)]
    assert [each.what for who in (WANG, LIN) for _, each in list_agreed(minds[who])] == [
        roses.what,
        song.what,
    ]


def test_an_event_is_at_the_place_said_last_and_the_others_are_told(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN, ZHAO])
    enter(minds, promise("hearing Lin Yue sing on the stage", (LIN, ZHAO)))
    enter(minds, promise("hearing Lin Yue sing", (LIN, CHEN), place="park/grounds"))
    for who in (LIN, CHEN):
        (held,) = list_promises(minds[who])
        assert (held.address, held.people) == ("park/grounds", (LIN, CHEN))
    assert list_promises(minds[ZHAO])[0].address == "cafe/main"
    asked = [each.kind for who, mind in minds.items() for each in mind.state.questions(mind.who)]
    assert "clash" not in asked
    (to_tell,) = remembered(minds[LIN], INTENTION_PREDICATE)
    assert "Zhao Gang" in to_tell
    assert minds[LIN].world.place_name("park/grounds") in to_tell
    enter(minds, promise("hearing her sing outdoors", (LIN, CHEN, ZHAO), place="park/grounds"))
    for mind in minds.values():
        (held,) = list_promises(mind)
        assert held.address == "park/grounds"
        assert len(appointments(mind)) == 1


@pytest.mark.parametrize("lang", ["zh"])
def test_a_circle_that_moves_is_one_event_in_chinese_and_a_supper_is_another(
    game: Game,
) -> None:
    """Two who meet one friend elsewhere at the hour of the circle move it; a supper is a promise."""
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


def test_a_host_to_whom_a_guest_promises_to_come_keeps_the_gathering(game: Game) -> None:
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


def test_the_hour_that_was_said_stands_where_an_occasion_is_joined(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN, WANG])
    supper = promise("having soup", (LIN, WANG), 18, "wang_home/living")
    late = replace(supper, start=supper.start + timedelta(minutes=15), minutes=30)
    enter(minds, late)
    (agreed,) = enter(minds, replace(supper, people=(LIN, CHEN), talk="other"))
    assert (agreed.start, agreed.minutes) == (supper.start, supper.minutes)
    assert len(list_agreed(minds[LIN])) == 1
    assert appointments(minds[CHEN]) == [(18 * 60, "having soup")]


def test_a_meeting_that_both_came_to_is_never_called_off(game: Game) -> None:
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


def test_who_leaves_a_meeting_for_another_takes_leave_in_their_words(game: Game) -> None:
    for who in (CHEN, WANG):
        game.state.put(keys.BODY.of(who), Body(game.world.spot_tiles["flower_shop/shop"]))
    minds = minds_of(game, [CHEN, WANG, ZHAO])
    decision = clashing(minds)
    (old,) = decision.asked.kept
    guests = tuple(Guest(who, START, part="comes", came=START) for who in old.people)
    met = Occasion(old.what, old.address, old.start, old.minutes, guests)
    minds[CHEN].do(OccasionSet("met", met), "rule:test")
    decision = replace(decision, reply=ClashReply(keep=2, say="Till tomorrow!"))
    assert asyncio.run(settle_clashes([decision], minds.__getitem__)) == []
    for who in (CHEN, WANG):
        assert remembered(minds[who], LEAVE_PREDICATE) == [
            "Chen Siyuan took leave of Wang Fang for something else: taking a walk. “Till tomorrow!”"
        ]
    assert remembered(minds[ZHAO], LEAVE_PREDICATE) == []


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
    game: Game, keep: int
) -> None:
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


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("keep", [1, 2])
def test_all_with_whom_the_same_was_agreed_for_one_hour_come_to_one_place(
    game: Game, keep: int
) -> None:
    """A florist asks two neighbours to bind roses with her, one to her shop and one to the park."""
    minds = minds_of(game, [CHEN, WANG, ZHAO])
    old = promise("binding roses for tomorrow", (WANG, ZHAO), place="flower_shop/shop")
    new = replace(promise(old.what, (WANG, CHEN), place="park/grounds"), talk="16-talk")
    enter(minds, old)
    enter(minds, new)
    asked = ClashVars(minds[WANG].situation, (old,), new)
    decision = Decision(WANG, ClashReply(keep=keep, say="Come there, too!"), "rule:test", asked)
    assert asyncio.run(settle_clashes([decision], minds.__getitem__)) == []
    for who, mind in minds.items():
        (item,) = list_promises(mind)
        assert item.address == (old, new)[keep - 1].address
        assert set(item.people) == set(minds)
        assert [what for _, what in appointments(mind)] == [old.what]
        assert remembered(mind, CALLED_OFF_PREDICATE) == [], who
        assert "Come there, too!" in remembered(mind, AGREE_PREDICATE)[-1]


def test_one_date_of_a_weekly_agreement_is_called_off_and_not_the_next(game: Game) -> None:
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


def test_a_meeting_on_the_same_day_of_a_later_month_is_another_one(game: Game) -> None:
    minds = minds_of(game, [CHEN, WANG])
    chess = promise("playing chess every Thursday", (WANG, CHEN))
    enter(minds, chess)
    (number,) = (each for each, held in minds[WANG].state.occasions if held.what == chess.what)
    came = Guest(WANG, chess.start, part="comes", came=chess.start)
    minds[WANG].do(OccasionKnown(number, came), "rule:test")
    minds[WANG].do(OccasionEnded(number), "rule:test")
    later = replace(chess, start=chess.start + timedelta(weeks=4))
    record_occasion(minds[WANG], later, "", "rule:test")
    (held,) = (held for _, held in minds[WANG].state.occasions if held.what == chess.what)
    assert held.start == later.start
    assert not any(guest.came for guest in held.guests)


def test_two_agreements_of_one_talk_for_one_hour_are_two_meetings(game: Game) -> None:
    minds = minds_of(game, [CHEN, WANG, ZHAO, LIN])
    tea = promise("drinking tea", (WANG, CHEN))
    reading = promise("reading together", (ZHAO, LIN), place="library/hall")
    enter(minds, tea, reading)
    numbers = {
        number
        for who, what in ((WANG, tea.what), (ZHAO, reading.what))
        for number, held in minds[who].state.occasions
        if held.what == what
    }
    assert len(numbers) == 2


def test_who_both_call_off_in_one_step_both_know(game: Game) -> None:
    minds = minds_of(game, [CHEN, WANG, ZHAO])
    decision = clashing(minds)
    old = promise("mending the bell", (WANG, ZHAO), place="flower_shop/shop")
    other = replace(
        decision, who=ZHAO, asked=replace(decision.asked, kept=(old,), new=decision.asked.new)
    )
    asyncio.run(settle_clashes([decision, other], minds.__getitem__))
    assert decision.asked.new.what not in promised(minds[ZHAO])
    assert len(remembered(minds[ZHAO], CALLED_OFF_PREDICATE)) == 1


def test_two_who_have_met_by_agreement_open_with_their_conversation(game: Game) -> None:
    """No matter that they have talked a moment ago."""
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
    assert (intent.partner, intent.topic, intent.cause) == (CHEN, "", MET_CAUSE)
    assert may_meet(mind, partner)
    assert may_meet(partner, mind)
    assert find_agreed_meeting(mind, [CHEN]) == both
    mind.state.put(keys.RELATION.of(LIN, CHEN), Relation(2, begins))
    assert asyncio.run(react(mind, ())).cause != MET_CAUSE, "they open it once"


def test_a_coffee_agreed_on_is_the_coffee_that_was_planned(game: Game) -> None:
    """What is planned with the same person on the same theme is not told as a loss."""
    minds = minds_of(game, [LIN, CHEN])
    mind = minds[LIN]
    put_plan(
        mind,
        Entry(0, 900, "drawing"),
        Entry(900, 960, "buying Chen Siyuan the coffee that she owes him"),
        Entry(960, 1440, "sleeping", "sleep"),
    )
    coffee = promise("having coffee and talking in private", (LIN, CHEN))
    enter(minds, coffee)
    assert coffee.what in [entry.activity for entry in mind.state.schedule(LIN).entries]
    assert remembered(mind, DISPLACED_PREDICATE) == []


def test_an_agreement_replaces_what_it_is_and_nothing_else(game: Game) -> None:
    """What is cooked before the supper stays; the supper itself is not missed."""
    minds = minds_of(game, [LIN, CHEN])
    mind = minds[LIN]
    plan = (
        Entry(0, 840, "drawing"),
        Entry(840, 900, "cooking supper for two"),
        Entry(900, 930, "having supper alone"),
        Entry(930, 1000, "asking Chen Siyuan about the lamp"),
        Entry(1000, 1440, "sleeping", "sleep"),
    )
    put_plan(mind, *plan)
    supper = replace(promise("having supper and looking for the letter", (LIN, CHEN)), minutes=60)
    enter(minds, supper)
    planned = [entry.activity for entry in mind.state.schedule(LIN).entries]
    before, lamp = plan[:2], plan[3].activity
    assert planned == [*(entry.activity for entry in before), supper.what, lamp, "sleeping"]
    (postponed,) = remembered(mind, DISPLACED_PREDICATE)
    assert f"from 15:30 to 16:00: {lamp}" in postponed


def test_meetings_that_share_a_few_minutes_are_both_kept_and_the_earlier_is_left_early(
    game: Game,
) -> None:
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


def test_of_two_meetings_of_the_same_people_the_first_ends_when_the_second_begins(
    game: Game,
) -> None:
    """They have a coffee until it is time to see the meteors."""
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


def test_two_meetings_of_the_same_people_at_one_hour_are_a_question_for_each(
    game: Game,
) -> None:
    minds = minds_of(game, [LIN, CHEN])
    coffee = promise("having the coffee that Chen owes", (LIN, CHEN))
    enter(minds, coffee, promise("sweeping leaves", (LIN, CHEN), place="park/grounds"))
    for mind in minds.values():
        assert promised(mind) == [coffee.what], "nothing is lost in silence"
        assert mind.state.questions(mind.who)


@pytest.mark.parametrize("lang", ["zh"])
def test_an_activity_is_not_displaced_by_its_own_appointment(game: Game) -> None:
    """The plan and the agreement have different words for it."""
    minds = minds_of(game, [LIN, CHEN])
    own = Entry(900, 960, "和朋友碰头喝乌龙茶，问问陈思远的心事")
    put_plan(minds[LIN], Entry(0, 900, "画画"), own, Entry(960, 1440, "看书"))
    tea = "先要喝乌龙茶，听陈思远说事"
    enter(minds, promise(tea, (LIN, CHEN)))
    assert not remembered(minds[LIN], DISPLACED_PREDICATE)
    assert (900, f"{tea}；问问陈思远的心事") in appointments(minds[LIN])


@pytest.mark.parametrize("lang", ["zh"])
def test_an_agreement_takes_the_place_of_acts_of_its_kind_and_keeps_what_is_to_be_said(
    game: Game,
) -> None:
    minds = minds_of(game, [LIN, CHEN])
    dance = Entry(890, 960, "看人跳舞，跟王芳提提暖水瓶", address="square/plaza")
    put_plan(minds[LIN], Entry(0, 890, "画画"), dance, Entry(960, 1440, "看书"))
    outing = "逛广场看跳舞，散了一块儿回家"
    enter(minds, promise(outing, (LIN, CHEN), place="square/plaza"))
    assert not remembered(minds[LIN], DISPLACED_PREDICATE)
    assert (900, f"{outing}；跟王芳提提暖水瓶") in appointments(minds[LIN])
    assert dance.activity not in [
        entry.activity for entry in minds[LIN].state.schedule(LIN).entries
    ]


def test_what_was_planned_beside_an_act_agreed_on_is_done_along_with_it(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN])
    both = Entry(
        890, 950, "setting out tables and hanging up the supper lanterns", address="cafe/main"
    )
    put_plan(minds[LIN], Entry(0, 890, "drawing"), both, Entry(950, 1440, "reading"))
    tables = promise("setting out the tables for the seed supper", (LIN, CHEN))
    enter(minds, tables)
    assert appointments(minds[LIN]) == [(900, f"{tables.what}; hanging up the supper lanterns")]


def test_a_notice_of_a_supper_is_not_pinned_up_by_the_supper(game: Game) -> None:
    minds = minds_of(game, [LIN, CHEN])
    notice = Entry(900, 960, "pinning up the supper notice", address="square/plaza")
    put_plan(minds[LIN], Entry(0, 900, "drawing"), notice, Entry(960, 1440, "reading"))
    enter(minds, promise("eating supper at the long tables", (LIN, CHEN)))
    (lost,) = remembered(minds[LIN], DISPLACED_PREDICATE)
    assert notice.activity in lost
