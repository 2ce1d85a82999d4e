"""The plug-in of the society: its handlers for a town whose world has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment
from hometown.agent.mind.intent import Intent
from hometown.agent.working.society_plugin import SocietyPlugin
from hometown.society.drama import Drama
from hometown.society.enactment import affected_residents, replace_rules
from hometown.society.initial_state import equip_resident, initial_effects
from hometown.society.knowledge import initial_knowledge
from hometown.society.minds.dealings import match_deals, recall_dealings
from hometown.society.minds.errand_choice import (
    choose_errand,
    continue_work,
    ends_work_by,
    is_exhausted,
    is_kept_awake,
    is_working_together,
    leave_current_work,
    meet_low_need,
    meet_urgent_need,
    remember_outcomes,
)
from hometown.society.minds.errand_steps import plan_steps
from hometown.society.minds.helping import (
    help_helpless,
    leave_for_good,
    lie_helpless,
    rest_while_ill,
)
from hometown.society.minds.weather import describe_sheltering, look_outside
from hometown.society.society_view import SocietyView
from hometown.society.work_step import WorkStep, view_society
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.effects import Effect, Logged, owner
from hometown.world.state import State
from hometown.world.world import World


def set_up(world: World, state: State, start: datetime) -> Iterator[tuple[str, Effect]]:
    """Yield the effects that set up a society, each as (resident, effect), with "" for those of no
    resident.
    """
    book = _book_of(world)
    yield from (("", effect) for effect in initial_effects(book, start))
    for who in world.personas:
        for effect in initial_knowledge(SocietyView(book, state, world.start), who):
            yield who, effect


def change_rules(world: World, state: State, after: World, entries: Entries) -> Iterator[Effect]:
    """Yield the effects of a law on the society of a town that is `after` under the law."""
    society = SocietyView(_book_of(world), state, world.start)
    return replace_rules(society, _book_of(after), entries)


def equip(world: World, state: State, who: str, entries: Entries) -> Iterator[Effect]:
    """Yield the goods, skills and knowledge of a resident who moves in by a law's entries."""
    return equip_resident(SocietyView(_book_of(world), state, world.start), who, entries)


def meet_urgent(mind: Mind) -> Intent | None:
    """Return the first that applies of the intents to leave town, lie still, meet an urgent need and
    help; None if nothing is urgent.
    """
    return (
        leave_for_good(mind) or lie_helpless(mind) or meet_urgent_need(mind) or help_helpless(mind)
    )


def work(
    world: World,
    state: State,
    seed: int,
    order: Sequence[str],
    moment: Moment,
    log: Sequence[Logged],
) -> Iterator[Logged]:
    """Yield the effects of a step's work: jobs and processes end, bodies sleep and wake, errands are
    run, shops close, and story threads advance by the events in the step's log.
    """
    society = view_society(world, state, seed)
    for effect in WorkStep(world, society, order, state.changes.talks, moment.stride):
        yield Logged(effect, owner(effect), "rule:work")
    if society.book.threads:
        for effect in Drama(world, society, [logged.effect for logged in log]):
            yield Logged(effect, "", "rule:drama")


def _book_of(world: World) -> Book:
    assert world.book is not None, f"{world.id} has no society"
    return world.book


PLUGIN = SocietyPlugin(
    set_up=set_up,
    replace_rules=change_rules,
    find_affected=lambda world, entries: affected_residents(_book_of(world), entries),
    equip=equip,
    is_kept_awake=is_kept_awake,
    is_exhausted=is_exhausted,
    look_outside=look_outside,
    remember_outcomes=remember_outcomes,
    meet_urgent=meet_urgent,
    is_working_together=is_working_together,
    ends_work_by=ends_work_by,
    continue_work=continue_work,
    meet_low_need=meet_low_need,
    rest_while_ill=rest_while_ill,
    choose_errand=choose_errand,
    shelter=describe_sheltering,
    plan_steps=plan_steps,
    recall_dealings=recall_dealings,
    match_deals=match_deals,
    leave_work=leave_current_work,
    work=work,
)
