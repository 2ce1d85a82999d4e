"""What people do for somebody who cannot help itself, and what is thought of it."""

from __future__ import annotations

from datetime import timedelta

from hometown.memory.action import Action
from hometown.society.aid import NEWS_SPREAD_TIME, plan_aid, refuse_care, update_ailments
from hometown.society.bodies import change_needs
from hometown.society.jobs import leave_work
from hometown.society.minds.outcome_appraisal import appraise_outcome
from hometown.society.planner import Planner
from hometown.society.rule_life import RuleLife
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import view_society
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.labour import CameOf, Errand, NeedsSet, Outcome, Verb, WorkBegun
from hometown.world.load import load_world
from hometown.world.matter import Granted
from hometown.world.maze import OUTDOORS
from hometown.world.regard import Regard, Regarded
from hometown.world.rows import Body

VALE = load_world("cloudvale", "en")


def life(**places: str) -> RuleLife:
    """A vale at noon in which these people are at these places."""
    assert VALE.book
    vale = RuleLife(VALE.book, VALE.start, 1, VALE.walk_minutes)
    vale.pass_time(6 * 60)
    for who, place in places.items():
        vale.people[who].place = place
    return vale


def hurt(vale: RuleLife, who: str, by: int) -> None:
    needs = vale.state.needs(who)
    vale.carry_out(
        [
            NeedsSet(
                who,
                change_needs(vale.book, needs, vale.state.clock.now, {"health": -by}, asleep=False),
            )
        ]
    )
    vale.pass_time(0)


def search(vale: RuleLife, who: str) -> Planner:
    return Planner(vale.society, who, vale.travel_minutes)


def book() -> Book:
    assert VALE.book
    return VALE.book


def test_who_is_badly_hurt_is_helpless_until_others_have_come() -> None:
    vale = life(zhao_ming="cave/main", mo_li="cave/main", qiu_niang="cave/main")
    hurt(vale, "zhao_ming", 300)
    ailing = vale.state.ailment("zhao_ming")
    assert ailing is None, "a scratch"
    hurt(vale, "zhao_ming", 400)
    ailing = vale.state.ailment("zhao_ming")
    assert ailing
    assert ailing.helpless
    while vale.state.ailment("zhao_ming"):
        vale.step()
        assert vale.state.clock.now < VALE.start + timedelta(hours=9), "nobody comes"
    assert vale.level("zhao_ming", "health") >= book().needs["health"].satisfied
    carer = next(
        effect
        for effect in vale.log
        if isinstance(effect, WorkBegun) and effect.deed.recipe in book().carers
    )
    assert carer.deed.partner == "zhao_ming"
    seen = [
        effect
        for effect in vale.log
        if isinstance(effect, CameOf) and effect.outcome.errand.verb == Verb.SEE
    ]
    assert {dict(each.outcome.facts)["needed"] for each in seen} == {"zhao_ming"}
    assert all(each.who not in (carer.who, "zhao_ming") for each in seen)


def test_who_is_at_home_knows_and_after_hours_everybody_does() -> None:
    vale = life(
        mo_li="cave/main", zhao_ming="pine/court", lu_changfeng="crane/yard", qiu_niang="inn/main"
    )
    hurt(vale, "zhao_ming", 800)
    assert plan_aid(search(vale, "lu_changfeng"), "crane/yard", helpless=True), "they live together"
    assert plan_aid(search(vale, "qiu_niang"), "inn/main", helpless=True) is None
    vale.carry_out([Regarded("tie_niu", "zhao_ming", Regard(-80, 0, vale.state.clock.now))])
    vale.people["zhao_ming"].place = "cave/main"
    vale.pass_time(int(NEWS_SPREAD_TIME.total_seconds()) // 60)
    plan = plan_aid(search(vale, "qiu_niang"), "inn/main", helpless=True)
    assert plan
    assert (plan.errands[-1].verb, plan.errands[-1].at, plan.place) == (
        "tend",
        "zhao_ming",
        "cave/main",
    )
    assert plan_aid(search(vale, "tie_niu"), "pine/kitchen", helpless=True) is None, (
        "who detests somebody leaves it lying"
    )


def test_care_takes_place_where_the_other_is_by_one_at_a_time_and_with_what_it_takes() -> None:
    vale = life(
        mo_li="cave/main", zhao_ming="cave/main", fang_shan="cave/main", tie_niu="pine/kitchen"
    )
    refusals = [refuse_care(vale.society, "mo_li", "channel_qi", "zhao_ming")]
    hurt(vale, "zhao_ming", 800)
    refusals += [
        refuse_care(vale.society, who, "channel_qi", "zhao_ming") for who in ("tie_niu", "mo_li")
    ]
    assert vale.attempt("mo_li", Errand(Verb.TEND, "zhao_ming", "channel_qi")) is None
    refusals.append(refuse_care(vale.society, "fang_shan", "channel_qi", "zhao_ming"))
    assert [each and each.code for each in refusals] == ["NO_TARGET", "NO_TARGET", None, "BUSY"]
    assert vale.state.stock("work:mo_li").count("qi") == 6


def test_the_streets_are_no_room_in_which_one_is_helpless_helped_or_seen() -> None:
    vale, streets = life(), VALE.open_tiles[OUTDOORS]
    walking = Action("act", "walking", OUTDOORS, 60, "", started=vale.state.clock.now)
    for who in vale.people:
        vale.state.put(keys.BODY.of(who), Body(streets[0 if who == "zhao_ming" else -1]))
        vale.state.put(keys.ACTION.of(who), walking)
    society = view_society(VALE, vale.state)
    assert {society.place_of(who) for who in vale.people} == {""}
    hurt(vale, "zhao_ming", 800)
    vale.carry_out(update_ailments(society, {}))
    ailing = vale.state.ailment("zhao_ming")
    assert ailing
    assert not ailing.helpless
    refusal = refuse_care(society, "mo_li", "channel_qi", "zhao_ming")
    assert refusal
    assert refusal.code == "NO_TARGET"
    assert society.awake_in(society.place_of("mo_li")) == []


def test_who_turns_from_their_carer_leaves_the_carer_the_herbs() -> None:
    vale = life(mo_li="cave/main", zhao_ming="cave/main")
    vale.carry_out([Granted("mo_li", (("herb", 1),))])
    hurt(vale, "zhao_ming", 800)
    assert vale.attempt("mo_li", Errand(Verb.TEND, "zhao_ming", "tend")) is None
    herbs = vale.state.stock("mo_li").count("herb")
    patient = vale.state.job("zhao_ming")
    assert patient
    vale.carry_out(leave_work(vale.society, "zhao_ming", patient))
    assert vale.state.job("mo_li") is None
    assert vale.state.stock("work:mo_li").goods == ()
    assert vale.state.stock("mo_li").count("herb") == herbs + 1


def test_being_saved_and_seeing_it_is_felt_thought_of_and_told() -> None:
    vale, facts = life(), (("needed", "zhao_ming"), ("helpless", 1))
    saw = Outcome(Errand(Verb.SEE, "mo_li", "channel_qi"), "", facts)
    saved = Outcome(Errand(Verb.DO, "", "receive_qi"), "", (("partner", "mo_li"), ("helpless", 1)))
    helped = Outcome(
        Errand(Verb.DO, "", "channel_qi"), "", (("partner", "zhao_ming"), ("helpless", 1))
    )
    stirred = [
        [
            (each.stir, each.towards)
            for each in appraise_outcome(VALE, vale.state, "a_fu", outcome, 3)
        ]
        for outcome in (saw, saved, helped)
    ]
    assert stirred == [[("saw_rescue", "mo_li")], [("rescued", "mo_li")], []]
    told = [WorkPhrases(VALE).outcome(outcome)[0] for outcome in (saw, saved, helped)]
    assert told == [
        "saw Mo Li come to the rescue of Zhao Ming, who could not get up any more",
        "lay helpless until Mo Li came to the rescue",
        "found Zhao Ming lying helpless, and channelled qi into Zhao Ming",
    ]
    mild = Outcome(Errand(Verb.SEE, "mo_li", "tend"), "", facts[:1])
    assert WorkPhrases(load_world("cloudvale", "zh")).outcome(mild)[0].startswith("看见")
