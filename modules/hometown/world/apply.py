"""Apply effects: the one place where the state changes.

There is one function for each kind, in the order of `modules/hometown/world/effects.py`; groups of
related kinds have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, singledispatch

from hometown.memory.schedule import Tasks
from hometown.world import (
    approaches,
    deal_records,
    director_moves,
    effects,
    feeling,
    incidents,
    intervening,
    keys,
    labour,
    labouring,
    ledger,
    matter,
    notices,
    occasion_effects,
    pending,
    process_rows,
    regard,
    social,
    threads,
    wish,
)
from hometown.world.rows import (
    Clock,
    KeptMemories,
    Known,
    KnownPlaces,
    Passed,
    Pondered,
    Reasons,
    SettledMemories,
    Talking,
    ThingState,
)
from hometown.world.state import State


def apply(effect: effects.Effect, state: State) -> None:
    """Apply one effect. Raises TypeError for a value of another type."""
    _function_for(type(effect))(effect, state)


@singledispatch
def _carry_out(effect: effects.Effect, state: State) -> None:
    raise TypeError(f"{effect!r} is not an effect")


_function_for: Callable[[type], Callable[[effects.Effect, State], None]] = cache(
    _carry_out.dispatch
)
"""Returns the function that applies a type of effect, found once: finding it takes as long as most
effects take.
"""


# of one mind -------------------------------------------------------------------------------


@_carry_out.register
def _(effect: effects.Remembered, state: State) -> None:
    concept = effect.concept
    state.put(
        keys.MIND.of(effect.who),
        state.mind(effect.who).add_memory(concept.id, concept.poignancy if effect.counts else 0),
    )
    state.remember(effect.who, effect.concept)


@_carry_out.register
def _(effect: effects.Accessed, state: State) -> None:
    state.access(effect.who, effect.ids, effect.when)


@_carry_out.register
def _(effect: effects.Retired, state: State) -> None:
    state.retire(effect.who, effect.ids)


@_carry_out.register
def _(effect: effects.Settled, state: State) -> None:
    items = (
        *state.settled_memories(effect.who).items(),
        *((each, effect.when) for each in effect.ids),
    )
    state.put(keys.SETTLED.of(effect.who), SettledMemories(items))
    _retire_settled(state, effect.who)


def _retire_settled(state: State, who: str) -> None:
    """Retire the settled memories of a resident that no open question is about."""
    asked = {number for each in state.questions(who) for number in each.memories}
    stream, settled = state.memory(who), state.settled_memories(who)
    if over := [number for number in settled if number in stream and number not in asked]:
        state.retire(who, over)


@_carry_out.register
def _(effect: effects.Kept, state: State) -> None:
    state.put(
        keys.KEPT.of(effect.who),
        KeptMemories(tuple(sorted(state.pinned_memories(effect.who) | set(effect.ids)))),
    )


@_carry_out.register
def _(effect: effects.Recalled, state: State) -> None:
    state.recall(effect.who, effect.ids, effect.when)


@_carry_out.register
def _(effect: effects.Reflected, state: State) -> None:
    mind = state.mind(effect.who)
    since = 0 if effect.weighed is None else mind.poignancy - effect.weighed
    state.put(
        keys.MIND.of(effect.who),
        replace(mind, poignancy=since, reflections=mind.reflections + 1, reflected=effect.when),
    )


@_carry_out.register
def _(effect: effects.DayPlanned, state: State) -> None:
    mind = replace(
        state.mind(effect.who),
        planned=effect.schedule.date,
        bed=effect.bed,
        currently=effect.currently,
    )
    state.put(keys.MIND.of(effect.who), mind)
    state.put(keys.SCHEDULE.of(effect.who), effect.schedule)
    state.put(keys.TASKS.of(effect.who), Tasks())


@_carry_out.register
def _(effect: effects.ConcernsRenewed, state: State) -> None:
    mind = replace(state.mind(effect.who), currently=effect.currently)
    state.put(keys.MIND.of(effect.who), mind)


@_carry_out.register
def _(effect: effects.GoalsSet, state: State) -> None:
    state.put(keys.GOALS.of(effect.who), effect.goals if effect.goals.items else None)


@_carry_out.register
def _(effect: effects.Rescheduled, state: State) -> None:
    state.put(keys.SCHEDULE.of(effect.who), effect.schedule)


@_carry_out.register
def _(effect: effects.TasksSet, state: State) -> None:
    state.put(keys.TASKS.of(effect.who), effect.tasks)


@_carry_out.register
def _(effect: effects.TaskBegun, state: State) -> None:
    state.put(keys.TASKS.of(effect.who), state.tasks(effect.who).begin(effect.minute))


@_carry_out.register
def _(effect: effects.TasksClosed, state: State) -> None:
    state.put(keys.TASKS.of(effect.who), state.tasks(effect.who).close(effect.minute))


@_carry_out.register
def _(effect: effects.RoutineKept, state: State) -> None:
    state.put(
        keys.ROUTINE.of(effect.who, effect.activity),
        state.routines(effect.who, effect.activity).with_tasks(effect.tasks),
    )


@_carry_out.register
def _(effect: effects.Mapped, state: State) -> None:
    places = state.places(effect.who)
    if effect.arena not in places.arenas:
        state.put(keys.PLACES.of(effect.who), KnownPlaces((*places.arenas, effect.arena)))
    known = dict(state.known_things(effect.who, effect.arena).things) | dict(effect.things)
    state.put(keys.KNOWN.of(effect.who, effect.arena), Known(tuple(sorted(known.items()))))


@_carry_out.register
def _(effect: effects.Missed, state: State) -> None:
    known = state.known_things(effect.who, effect.arena).things
    state.put(
        keys.KNOWN.of(effect.who, effect.arena),
        Known(tuple(thing for thing in known if thing[0] not in effect.things)),
    )


@_carry_out.register
def _(effect: effects.Reconsidered, state: State) -> None:
    if effect.memory:
        state.put(keys.PONDERED.of(effect.who), Pondered(effect.memory))
    else:
        state.put(keys.VOICES.of(effect.who), None)
        state.put(keys.REASONS.of(effect.who), None)


@_carry_out.register
def _(effect: effects.ReasonArose, state: State) -> None:
    reasons = dict.fromkeys((*state.reasons(effect.who), effect.memory))
    state.put(keys.REASONS.of(effect.who), Reasons(tuple(reasons)))


@_carry_out.register
def _(effect: approaches.ApproachesSet, state: State) -> None:
    made = effect.approaches
    state.put(keys.APPROACHES.of(effect.who), made if made != approaches.Approaches() else None)


@_carry_out.register
def _(effect: approaches.NoteLeft, state: State) -> None:
    notes = (*state.notes(effect.address), effect.note)
    state.put(keys.NOTES.of(effect.address), approaches.Notes(notes))


@_carry_out.register
def _(effect: approaches.NotesRead, state: State) -> None:
    left = tuple(note for note in state.notes(effect.address) if note.reader != effect.reader)
    state.put(keys.NOTES.of(effect.address), approaches.Notes(left) if left else None)


@_carry_out.register
def _(effect: wish.WishSet, state: State) -> None:
    others = (each for each in state.wishes(effect.who) if each.memory != effect.wish.memory)
    items = sorted((*others, effect.wish), key=lambda each: each.memory)
    state.put(keys.WISHES.of(effect.who), wish.Wishes(tuple(items)))


@_carry_out.register
def _(effect: process_rows.OpinionMoved, state: State) -> None:
    state.put(keys.OPINION.of(effect.who), effect.opinion)


@_carry_out.register
def _(effect: process_rows.InfectionSet, state: State) -> None:
    state.put(keys.INFECTION.of(effect.who), effect.infection)


@_carry_out.register
def _(effect: director_moves.DirectorAsked, state: State) -> None:
    before = state.row(keys.DIRECTOR.key)
    moves = (*(before.items if before else ()), *((effect.move,) if effect.move else ()))
    state.put(keys.DIRECTOR.key, director_moves.DirectorMoves(effect.when, moves))


@_carry_out.register
def _(effect: effects.Related, state: State) -> None:
    state.put(keys.RELATION.of(effect.who, effect.other), effect.relation)


@_carry_out.register
def _(effect: effects.Promised, state: State) -> None:
    state.put(keys.PROMISES.of(effect.who), effect.promises)


# of the body and of things -----------------------------------------------------------------


@_carry_out.register
def _(effect: effects.Began, state: State) -> None:
    body = state.body(effect.who)
    state.put(keys.ACTION.of(effect.who), effect.action)
    state.put(keys.BODY.of(effect.who), replace(body, path=effect.path, refused=""))


@_carry_out.register
def _(effect: effects.Left, state: State) -> None:
    thing = state.thing(effect.address)
    users = tuple(user for user in thing.users if user != effect.who)
    row = ThingState(users, thing.state) if users else None
    state.put(keys.THING.of(effect.address), row)
    state.put(keys.BODY.of(effect.who), replace(state.body(effect.who), using=""))


@_carry_out.register
def _(effect: effects.Moved, state: State) -> None:
    body = state.body(effect.who)
    rest = body.path[len(effect.tiles) :]
    state.put(keys.BODY.of(effect.who), replace(body, tile=effect.tiles[-1], path=rest))
    state.changes.trajectories.setdefault(effect.who, []).extend(
        (effect.tick + at, *tile) for at, tile in enumerate(effect.tiles)
    )


@_carry_out.register
def _(effect: effects.Arrived, state: State) -> None:
    action = replace(state.action(effect.who), started=effect.when)
    state.put(keys.ACTION.of(effect.who), action)
    if effect.thing:
        users = state.thing(effect.address).users
        # A resident that continues at the same thing claims it once.
        users = users if effect.who in users else (*users, effect.who)
        state.put(keys.THING.of(effect.address), ThingState(users, action.thing_state))
        state.put(keys.BODY.of(effect.who), replace(state.body(effect.who), using=effect.address))


@_carry_out.register
def _(effect: effects.Refused, state: State) -> None:
    state.put(
        keys.BODY.of(effect.who), replace(state.body(effect.who), path=(), refused=effect.reason)
    )


@_carry_out.register
def _(effect: effects.PassedBy, state: State) -> None:
    row = Passed(effect.people, effect.things) if effect.people or effect.things else None
    state.put(keys.PASSED.of(effect.who), row)


@_carry_out.register
def _(effect: effects.TalkBegan, state: State) -> None:
    conversation = effect.talk
    for who in conversation.people:
        facing = conversation.partner if who == conversation.opener else conversation.opener
        until = effect.until if len(conversation.people) == 2 else conversation.until(who)
        state.put(keys.TALKING.of(who), Talking(conversation.id, facing, until))
    if not effect.summed:
        state.put(keys.UNSUMMED.of(conversation.id), pending.Unsummed(conversation))
    state.changes.talks.append(conversation)


@_carry_out.register
def _(effect: effects.TalkEnded, state: State) -> None:
    state.put(keys.TALKING.of(effect.who), None)


# between people ----------------------------------------------------------------------------


@_carry_out.register
def _(effect: social.OccasionEffect, state: State) -> None:
    occasion_effects.apply_occasion(effect, state)


@_carry_out.register
def _(effect: social.BondMoved, state: State) -> None:
    state.put(
        keys.BOND.of(effect.who, effect.other),
        state.bond(effect.who, effect.other).shift(effect.thirds, effect.why),
    )


@_carry_out.register
def _(effect: feeling.Felt, state: State) -> None:
    state.put(keys.FEEL.of(effect.who), effect.feel)


@_carry_out.register
def _(effect: regard.Regarded, state: State) -> None:
    state.put(keys.REGARD.of(effect.who, effect.other), effect.regard)


@_carry_out.register
def _(effect: regard.Impressed, state: State) -> None:
    state.put(keys.IMPRESSION.of(effect.who, effect.other), effect.impression)


@_carry_out.register
def _(effect: deal_records.DealingEffect, state: State) -> None:
    state.put(
        keys.DEALS.key,
        deal_records.Deals((*state.deals, effect.deal))
        if isinstance(effect, deal_records.DealStruck)
        else None,
    )


# thought over later ------------------------------------------------------------------------


@_carry_out.register
def _(effect: pending.QuestionArose, state: State) -> None:
    state.put(
        keys.QUESTIONS.of(effect.who),
        pending.Questions((*state.questions(effect.who), effect.question)),
    )


@_carry_out.register
def _(effect: pending.QuestionsAnswered, state: State) -> None:
    left = state.questions(effect.who)[effect.count :]
    state.put(keys.QUESTIONS.of(effect.who), pending.Questions(left) if left else None)
    _retire_settled(state, effect.who)


@_carry_out.register
def _(effect: pending.SummedUp, state: State) -> None:
    state.put(keys.UNSUMMED.of(effect.talk), None)


# from outside ------------------------------------------------------------------------------


@_carry_out.register
def _(effect: incidents.IncidentEffect, state: State) -> None:
    intervening.apply_incident(effect, state)


# of work, bodies and goods -----------------------------------------------------------------


@_carry_out.register
def _(effect: matter.MatterEffect, state: State) -> None:
    ledger.apply_matter(effect, state)


@_carry_out.register
def _(effect: labour.LabourEffect, state: State) -> None:
    labouring.apply_labour(effect, state)


@_carry_out.register
def _(effect: notices.BoardSet, state: State) -> None:
    state.put(
        keys.BOARD.of(effect.address), notices.Board(effect.notices) if effect.notices else None
    )


@_carry_out.register
def _(effect: threads.ThreadEffect, state: State) -> None:
    state.put(keys.THREADS.key, state.threads.after(effect))


@_carry_out.register
def _(effect: effects.TimePassed, state: State) -> None:
    state.put(keys.CLOCK.key, Clock(effect.now, effect.step))
