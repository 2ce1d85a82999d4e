"""Chances to approach other residents: what can be done now about a reason to do so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from hometown.agent.acting.partners import may_start_conversation
from hometown.agent.acting.reasons import (
    BUSY,
    FAILED_PREDICATE,
    HERE,
    Reason,
    find_reasons,
    find_wish_of,
    is_planned_now,
    is_unanswered,
)
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind
from hometown.agent.perception.happening_events import is_amid_alarm
from hometown.agent.perception.perceive import visited_in_vain
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.entry_origins import REACTION_ORIGIN, VOICE_ORIGIN
from hometown.agent.planning.known_rooms import LikelyPlace, find_named, find_person
from hometown.agent.planning.plan_acts import split_acts, without_aims
from hometown.agent.planning.plan_settling import is_for_words
from hometown.agent.planning.rest_of_day import is_duty, list_unsummed, minutes_to_appointment
from hometown.clock import at_minute, hhmm
from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.schedule import (
    REMAINDER_MINUTES_MIN,
    Entry,
    planned_room,
)
from hometown.prompt.approach_prompt import Choice
from hometown.text import catalogue
from hometown.world.outside import visible_act
from hometown.world.persona import Persona
from hometown.world.resident_names import drop_absent_company, name_kin, names_of
from hometown.world.whereabouts import EARSHOT_TILES, box_distance
from hometown.world.work import workplace
from hometown.world.world import arena_of, sector_of

LOOKING_MINUTES = 5
"""Minutes for which a resident looks for another at a place."""


MAX_PEOPLE_IN_MIND = 4
"""Maximum number of residents about whom one is asked at once."""


MAX_INVITATIONS = 3
"""Maximum number of entries of the plan to which another can be asked along."""


NOTE_LEFT = "note left"
"""Situation after a note was left for the other, which has seen to the reason."""


UNTIL_ALONE = "waiting_until_alone"
"""The phrase for waiting until another who is here is alone."""


@frozen
class Chance:
    """A reason that calls for a decision now, with its open situations and the `choices` of what
    can be done.

    The situation is HERE or BUSY, or else there is one for each place where the other may be sought
    or awaited. `rooms` are those in which the other may be looked for, the likeliest first, and
    `mailbox` is the house where a note can be left; "" for none. `invitations` are the entries of the
    plan to which the other can be asked along, and `gift` names what is to be handed over, if
    `reason` does not.
    """

    reason: Reason
    situations: tuple[str, ...]
    choices: tuple[Choice, ...]
    rooms: tuple[str, ...] = ()
    place: LikelyPlace | None = None
    mailbox: str = ""
    invitations: tuple[str, ...] = ()
    gift: str = ""

    @property
    def is_here(self) -> bool:
        """Return True if the other is in the same room."""
        return self.situations[0] in (HERE, BUSY)


def find_chances(mind: Mind) -> list[Chance]:
    """Return the reasons that call for a decision now, one for each resident concerned, up to
    `MAX_PEOPLE_IN_MIND`; none in a bathroom, on the way to an appointment, amid an alarm or while
    responding to an event. Reasons that a conversation has answered since are left out, and those
    that one may have answered which is not summed up yet.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    if (
        "bathroom" in mind.world.arenas[mind.arena].tags
        or not may_start_conversation(mind, is_meant=True)
        or is_amid_alarm(mind)
        or entry.origin.startswith(REACTION_ORIGIN)
    ):
        return []
    found: dict[str, Chance] = {}
    for reason in find_reasons(mind):
        other = reason.other
        has_talked = mind.state.relation(mind.who, other).has_talked_since(reason.since)
        if has_talked or _waits_for_summary(mind, reason):
            continue
        if other in found:
            found[other] = _with_gift(mind, found[other], reason)
        elif len(found) < MAX_PEOPLE_IN_MIND:
            chance = _find_chance(mind, reason)
            if chance is not None:
                found[other] = chance
    return list(found.values())


def add_bystanders(mind: Mind, chances: Sequence[Chance]) -> list[Chance]:
    """Return chances that call for a decision, and then those to talk with the others in earshot who
    are free, up to `MAX_PEOPLE_IN_MIND` residents.
    """
    in_mind = {chance.reason.other for chance in chances}
    near = (
        Reason(other, "", "near", "", mind.now, mind.now)
        for other in find_listeners(mind, mind.who)
        if other not in in_mind and mind.state.talking(other) is None
    )
    bystanders = [Chance(reason, (HERE,), ("talk",)) for reason in near]
    return [*chances, *bystanders][: max(MAX_PEOPLE_IN_MIND, len(chances))]


def _waits_for_summary(mind: Mind, reason: Reason) -> bool:
    """Return True if a conversation that is not summed up yet may have answered a reason: one with
    the other, or any if it is neither an agreement nor the present task.
    """
    return reason.kind != "agreement" and any(
        reason.kind != "task" or reason.other in talk.people for talk in list_unsummed(mind)
    )


def _with_gift(mind: Mind, chance: Chance, reason: Reason) -> Chance:
    """Return a chance to talk with the choice to hand over the gift that another reason names, if
    it names one and is open; else the chance as it is.
    """
    if (
        "talk" not in chance.choices
        or "hand" in chance.choices
        or not _names_gift(mind, reason)
        or not is_unanswered(mind, reason, HERE)
    ):
        return chance
    talk, *others = chance.choices
    return replace(chance, choices=(talk, "hand", *others), gift=reason.text)


def _find_chance(mind: Mind, reason: Reason) -> Chance | None:
    """Return the choices that a reason leaves; None if there are none, or they are decided already.
    A resident who is elsewhere is sought only for a timed intention, the present task once the
    resident is at its place, an agreement or a wish that is planned for now, and for one reason at a
    time.
    """
    if mind.is_here(reason.other):
        return _find_chance_here(mind, reason)
    is_sought = (
        reason.is_timed or reason.kind in ("task", "agreement") or is_planned_now(mind, reason)
    )
    if is_sought and not _is_seeking(mind) and not _is_to_go_first(mind, reason):
        return _find_chance_elsewhere(mind, reason)
    return None


def _is_to_go_first(mind: Mind, reason: Reason) -> bool:
    """Return True if a reason is the present task or comes amid an appointment, and the present entry
    of the plan has a room to which the resident has yet to go, or is going.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    if reason.kind != "task" and entry.kind != "appointment":
        return False
    action, room = mind.state.action(mind.who), arena_of(entry.address) or planned_room(entry)
    has_begun = entry.start <= mind.state.tasks(mind.who).entry < entry.end
    is_going = action.started is None and arena_of(action.address) == room
    return room not in ("", mind.arena) and (not has_begun or is_going)


def _find_chance_here(mind: Mind, reason: Reason) -> Chance | None:
    """Return the choices about a resident in the same room; None for a sleeper or a decided
    situation. To those in a conversation: join it or wait; to others: talk, hand over a gift, ask
    them along, or wait until they are alone.
    """
    other = reason.other
    if mind.state.is_asleep(other):
        return None
    if mind.state.talking(other) is not None:
        can_wait = not _is_seeking(mind) and is_unanswered(mind, reason, awaited_at(mind.arena))
        if not (can_wait and is_unanswered(mind, reason, BUSY)):
            return None
        return Chance(reason, (BUSY,), ("join", "wait"))
    company = find_listeners(mind, other)
    if not is_unanswered(mind, reason, HERE) or (company and _is_waiting_for(mind, other)):
        return None
    choices: list[Choice] = ["talk"]
    choices += ["hand"] if _names_gift(mind, reason) else []
    invitations = list_invitations(mind, other)
    choices += ["ask"] if invitations else []
    if company and not _is_seeking(mind) and is_unanswered(mind, reason, awaited_at(mind.arena)):
        wish = find_wish_of(mind, reason.key)
        choices.insert(0 if wish and wish.is_alone else len(choices), "wait")
    return Chance(reason, (HERE,), tuple(choices), invitations=invitations)


def find_listeners(mind: Mind, other: str) -> tuple[str, ...]:
    """Return the further residents, awake and in earshot, who would hear a conversation with
    another in the same room.
    """
    tiles = mind.scene.tiles
    return tuple(
        who
        for who in mind.awake_company
        if who != other
        and min(box_distance(tiles[who], tiles[one]) for one in (mind.who, other)) <= EARSHOT_TILES
    )


def _names_gift(mind: Mind, reason: Reason) -> bool:
    """Return True if a reason names something to hand over to the other now, not at a later hour of
    the plan. Always False in a society, where goods change hands in conversations.
    """
    if mind.world.book or reason.kind == "plan":
        return False
    text, patterns = name_kin(mind.world, mind.who, reason.text), mind.words.texts
    names = "|".join(map(re.escape, names_of(mind.world, reason.other)))
    return all(
        re.search(pattern, text, re.IGNORECASE)
        for pattern in (patterns["gift_words"], patterns["recipient"].format(names=names))
    )


def list_invitations(mind: Mind, other: str) -> tuple[str, ...]:
    """Return, as phrases, up to `MAX_INVITATIONS` entries of the plan to which another can be asked
    along: first the present activity, unless the other takes part in it, then those that concern
    the other.
    """
    schedule = mind.state.schedule(mind.who)
    current = schedule.at(mind.minute)
    found = []
    is_free = current.activity == mind.words.say("free_time")
    is_with_them = other in find_named(mind.world, (current.activity,))
    is_there = planned_room(current) in ("", mind.arena)
    if not (is_free or is_with_them) and is_there and _is_outing(mind, current, mind.arena, other):
        found.append(
            mind.words.say("invitation_now", activity=_visible_entry(mind, current, mind.arena))
        )
    coming = [
        entry
        for entry in schedule.entries
        if entry.start > mind.minute and _is_outing(mind, entry, planned_room(entry), other)
    ]
    coming.sort(key=lambda entry: other not in find_concerned(mind, entry.activity))
    found += [
        mind.words.say(
            "invitation",
            time=hhmm(entry.start),
            activity=_without_company(mind, without_aims(mind, entry.activity), other)
            if _concerns_alone(mind, entry, other)
            else _visible_entry(mind, entry, planned_room(entry)),
            place=mind.world.place_name(planned_room(entry)),
        )
        for entry in coming
    ]
    return tuple(found[:MAX_INVITATIONS])


def _without_company(mind: Mind, activity: str, other: str) -> str:
    """Return an activity without the other as its company, to which they are asked along."""
    named = name_kin(mind.world, mind.who, activity)
    return drop_absent_company(mind.world, named, lambda who: who != other) or activity


def _visible_entry(mind: Mind, entry: Entry, room: str) -> str:
    """Return an entry as others would see it, which they may be told; "" for an act of the mind or
    of speech, or one that is hidden.
    """
    texts = catalogue(mind.world.lang, "outside")
    action = Action("act", entry.activity, room, entry.end - entry.start, "")
    when = at_minute(mind.now.date(), entry.start)
    seen = visible_act(mind.world, mind.who, action, room, when, lambda who: True)
    return "" if seen in (texts["inner_seen"], texts["speech_seen"], texts["hidden_seen"]) else seen


def _is_outing(mind: Mind, entry: Entry, room: str, other: str) -> bool:
    """Return True if another can come along to an entry: a coming one that concerns them alone, in a
    public place or at the resident's home, unless it is only to find or help them or to say
    something, or leisure or a told wish in public that names no third resident and lasts long
    enough to be worth the way.
    """
    place = mind.world.arenas.get(room)
    if entry.kind != "activity" or place is None:
        return False
    if entry.start > mind.minute and _concerns_alone(mind, entry, other):
        is_open = place.public or sector_of(room) == sector_of(mind.me.home)
        theirs = list_houses(mind.world.personas[other], mind.now.date())
        if sector_of(room) in theirs - {sector_of(mind.me.home)}:
            return False  # it is a visit to them
        acts = split_acts(mind, entry.activity)
        quest = mind.words.texts["quest"].format(names="|".join(names_of(mind.world, other)))
        if re.search(quest, entry.activity, re.IGNORECASE):
            return False
        return is_open and not all(is_for_words(mind, act) for act in acts)
    left = entry.end - max(entry.start, mind.minute)
    if not place.public or left < REMAINDER_MINUTES_MIN or not _visible_entry(mind, entry, room):
        return False
    named = set(_name_all(mind, entry))
    is_leisure = entry.origin.startswith(VOICE_ORIGIN) or not is_duty(mind, entry, room)
    return is_leisure and named <= {mind.who, other}


def _name_all(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return the residents whom an entry names, by their names or as relatives."""
    return find_named(mind.world, (name_kin(mind.world, mind.who, entry.activity),))


def _concerns_alone(mind: Mind, entry: Entry, other: str) -> bool:
    """Return True if an entry names and concerns one other resident, and no third one."""
    named = set(_name_all(mind, entry)) - {mind.who}
    return named == {other} == set(find_concerned(mind, entry.activity))


def _find_chance_elsewhere(mind: Mind, reason: Reason) -> Chance | None:
    """Return the choices about a resident who is not here: go to look for them, wait for them here,
    or leave a note; None if none is open, or a note was left.
    """
    person = find_person(mind, reason.other)
    if person is None or not is_unanswered(mind, reason, NOTE_LEFT):
        return None
    rooms = tuple(
        room
        for room in dict.fromkeys((*_rooms_of_occasions(mind, reason.other), *person.rooms))
        if room != mind.arena
        and is_unanswered(mind, reason, sought_at(room))
        and walking_minutes(mind, room) + LOOKING_MINUTES < minutes_to_appointment(mind)
    )
    awaited = (mind.arena,) if reason.kind == "agreement" or mind.arena in person.rooms else ()
    waits = tuple(
        awaited_at(room) for room in awaited if is_unanswered(mind, reason, awaited_at(room))
    )
    mailbox = _find_mailbox(mind, reason.other)
    notes = (
        (name_note_situation(mailbox),)
        if mailbox and is_unanswered(mind, reason, name_note_situation(mailbox))
        else ()
    )
    situations = (*map(sought_at, rooms), *waits, *notes)
    choices: list[Choice] = []
    choices += ["go"] if rooms else []
    choices += ["wait"] if waits else []
    choices += ["note"] if notes else []
    if not situations:
        return None
    return Chance(reason, situations, tuple(choices), rooms, person, mailbox if notes else "")


def _rooms_of_occasions(mind: Mind, other: str) -> Iterator[str]:
    """Yield the places of present occasions that the resident knows another to attend."""
    for occasion, _ in mind.scene.occasions[mind.who]:
        if occasion.is_on(mind.now) and other in occasion.expected:
            yield occasion.address


def _find_mailbox(mind: Mind, other: str) -> str:
    """Return the house where a note for another can be left: their home or workplace, where the
    resident has just looked for them in vain; "" for none.
    """
    houses = list_houses(mind.world.personas[other], mind.now.date())
    house = visited_in_vain(mind) or sector_of(mind.arena)
    has_looked = house != sector_of(mind.arena) or any(
        sector_of(memory.address) == house for memory in find_failures(mind, (other,))
    )
    return house if house in houses and has_looked else ""


def list_houses(persona: Persona, day: date) -> set[str]:
    """Return the houses in which a resident lives, and works on a day."""
    work = workplace(persona.habits_on(day), persona.home)
    return {sector_of(room) for room in (work, persona.home) if room}


def sought_at(room: str) -> str:
    """Return the situation in which the other may be sought in a room."""
    return f"at {room}"


def awaited_at(room: str) -> str:
    """Return the situation in which the other may be awaited in a room."""
    return f"awaited at {room}"


def find_failures(mind: Mind, others: Sequence[str]) -> Iterator[Concept]:
    """Yield the memories of today's failed approaches to others."""
    for memory in mind.state.memory(mind.who).since(at_minute(mind.now.date(), 0), ("event",)):
        if memory.predicate == FAILED_PREDICATE and memory.object in others:
            yield memory


def name_note_situation(house: str) -> str:
    """Return the situation in which a note can be left in a house."""
    return f"noted at {house}"


def _is_waiting_for(mind: Mind, other: str) -> bool:
    """Return True while the resident waits until another who is here is alone."""
    action = mind.state.action(mind.who)
    waiting = say_until_alone(mind, other)
    return _is_seeking(mind) and action.activity == waiting and not action.over(mind.now)


def say_until_alone(mind: Mind, other: str) -> str:
    """Return the activity of waiting until another who is here is alone."""
    return mind.words.say(UNTIL_ALONE, names=mind.words.name(other))


def _is_seeking(mind: Mind) -> bool:
    """Return True if the resident is looking for another or waiting for them."""
    current = mind.state.approaches(mind.who).current
    return current is not None and current.seeks
