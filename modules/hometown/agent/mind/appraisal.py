"""Appraisal: derives emotional stimuli from effects by rule (after Ortony, Clore and Collins 1988).

A resident reacts only to an event that they perceive or that happens to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from hometown.agent.mind.mood import Stimulus, apply_stimulus
from hometown.memory.concept import ENDED_PREDICATE, GATHERED_PREDICATE, Concept
from hometown.world import keys
from hometown.world.befalling import course_of, happening_kind
from hometown.world.bond import Why
from hometown.world.effects import Effect, Mapped, Remembered
from hometown.world.feeling import Felt, Stir
from hometown.world.happening_process import DAMAGE_KEY, find_described
from hometown.world.incidents import ConditionSet, Course
from hometown.world.labour import Learned, NeedsSet
from hometown.world.social import BondMoved, OccasionEnded
from hometown.world.state import State
from hometown.world.work import workplace
from hometown.world.world import World, sector_of

BOND_STIMULI: dict[Why, Stir] = {
    "talk": "good_talk",
    "made_up": "made_up",
    "let_down": "refused",
    "quarrel": "quarrelled",
    "apart": "apart",
    "helped": "helped",
}
"""The stimulus for each cause of a change of a bond. Waiting in vain is felt through its memory."""

MEMORY_STIMULI: dict[str, Stir] = {
    "missed": "waited",
    "stayed away": "stood_up",
    GATHERED_PREDICATE: "together",
    "agree": "agreed",
}
"""The stimulus for a memory, by its predicate."""

MIN_FRIGHTENING_WEIGHT = 6
"""The weight of a happening from which it frightens."""

FESTIVE_KIND, HARMLESS_KIND = "festive", "stranger"
"""The kinds of happenings that please, and that have no effect at any weight."""

FELT_SKILL_STEP = 100
"""The points of skill at each multiple of which a resident feels that they have learnt something.
"""


def appraise(world: World, state: State, effect: Effect) -> Iterator[Stimulus]:
    """Yield the stimuli that follow from an effect: an action of another resident, the memory of an
    event, the sight of a thing of one's own in order again, progress in a skill, or a need that has
    reached 0.

    Args:
        state: The state before the effect is applied.
    """
    yield from appraise_others(state, effect)
    match effect:
        case Remembered(who, memory) if (
            memory.type == "event" and memory.predicate not in MEMORY_STIMULI
        ):
            yield from _appraise_memory(world, state, who, memory)
        case Mapped(who, arena, things):
            marred = {
                thing: shown for thing, shown in state.known_things(who, arena).things if shown
            }
            if marred and any(
                not shown and _is_unusable(world, who, thing, marred.get(thing, ""))
                for thing, shown in things
            ):
                yield Stimulus(who, "seen_mended")
        case Learned(who, skill, level) if (
            level // FELT_SKILL_STEP > state.skill(who, skill) // FELT_SKILL_STEP
        ):
            yield Stimulus(who, "learnt")
        case NeedsSet(who, needs) if world.book and state.row(keys.NEEDS.of(who)):
            book, before = world.book, dict(state.needs(who).levels)
            if any(
                level == 0 and before.get(need) and book.needs[need].at_zero
                for need, level in needs.levels
            ):
                yield Stimulus(who, "starving")


def appraise_others(state: State, effect: Effect) -> Iterator[Stimulus]:
    """Yield the stimuli that another resident's action causes: a change of a bond, the memory of a
    kept or broken promise, or an appointment that both kept. Only these change regard between
    residents.
    """
    match effect:
        case BondMoved(who, other, _, why) if why in BOND_STIMULI:
            # A talk is remembered next.
            yield Stimulus(
                who, BOND_STIMULI[why], other, 0 if why == "apart" else state.mind(who).memories + 1
            )
        case Remembered(who, memory) if named := MEMORY_STIMULI.get(memory.predicate):
            yield Stimulus(
                who, named, next((other for other in memory.about if other != who), ""), memory.id
            )
        case OccasionEnded(number):
            yield from _appraise_appointment(state, number)


def appraise_own_action(world: World, state: State, who: str, effect: Effect) -> Iterator[Stimulus]:
    """Yield the stimuli for the resident who causes an effect, beyond those of `appraise`: having
    mended a thing, unless its condition was dull, or having helped to end a happening.
    """
    match effect:
        case ConditionSet(address, "") if not world.condition_kind(
            address, state.condition(address)
        ).dull:
            yield Stimulus(who, "mended")
        case Remembered(_, memory) if memory.predicate == ENDED_PREDICATE:
            ended = state.find_ended(memory.subject)
            if ended and who in ended.by:
                yield Stimulus(who, "mended", "", memory.id)


def feel_stimulus(world: World, state: State, stirred: Stimulus) -> Felt | None:
    """Return the effect of a stimulus on a resident's feelings; None where it causes no feeling."""
    now, who = state.clock.now, stirred.who
    feel = apply_stimulus(world.hearts, world.temperaments[who], state.feel(who), stirred, now)
    return Felt(who, feel) if feel else None


def _appraise_memory(world: World, state: State, who: str, memory: Concept) -> Iterator[Stimulus]:
    """Yield the stimuli of a new event memory: an unusable thing at their home or workplace, and a
    festive or frightening happening, felt half as strongly if told; harmless ones, damage and
    slight ones cause none.
    """
    if _is_unusable(world, who, memory.subject, memory.predicate):
        yield Stimulus(who, "spoilt", "", memory.id)
    course = _find_course(world, state, memory)
    if course is None or course.key in (HARMLESS_KIND, DAMAGE_KEY):
        return
    tenths = course.weight // 2 if memory.talk else course.weight
    if course.key == FESTIVE_KIND:
        yield Stimulus(who, "festive", "", memory.id, tenths)
    elif course.weight >= MIN_FRIGHTENING_WEIGHT:
        yield Stimulus(who, "alarm", "", memory.id, tenths)


def _find_course(world: World, state: State, memory: Concept) -> Course | None:
    """Return the course of the happening that a memory is about: that which goes on at its place,
    or, for news, the usual one of its kind; None for any other memory.
    """
    kind = happening_kind(memory.text, world.lang)
    usual = kind.course if kind else None
    if memory.talk:
        return usual
    if about := find_described(state, memory):
        return course_of(about, world.lang)
    is_at_one = any(each.address == memory.subject for each in state.happenings)
    return usual if is_at_one else None


def _is_unusable(world: World, who: str, address: str, shown: str) -> bool:
    """Return True if the condition of a thing, last seen as `shown`, makes it unusable for a
    resident at whose home or workplace it stands; a dull condition does not.
    """
    me = world.personas[who]
    if (
        address not in world.things
        or not shown
        or sector_of(address)
        not in {sector_of(place) for place in (me.home, workplace(me.habits, me.home)) if place}
    ):
        return False
    kind = world.condition_kind(address, shown)
    return kind.forbids and not kind.dull


def _appraise_appointment(state: State, number: str) -> Iterator[Stimulus]:
    """Yield the stimuli for residents who kept an appointment: both came and talked to each other."""
    occasion = state.occasion(number)
    if occasion is None or occasion.gathers:
        return
    came = [who for who in occasion.expected if who in occasion.came]
    for who, other in permutations(came, 2):
        if state.relation(who, other).has_talked_since(occasion.talked_at_since(who, other)):
            yield Stimulus(who, "kept", other)
