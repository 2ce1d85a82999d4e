"""Arrangements: a proposal with a place and a time, and the other's reply."""

from __future__ import annotations

from collections.abc import Mapping

from hometown.clock import hhmm, parse_hhmm
from hometown.memory.concept import Concept
from hometown.scripted import clauses
from hometown.scripted.events import MINUTES
from hometown.scripted.phrases import Bank
from hometown.scripted.places import places_like, short_place
from hometown.scripted.pursuits import bound_hours
from hometown.scripted.quarrels import by_tone
from hometown.scripted.scene import Scene, SpokenMove
from hometown.scripted.when import clock_of, day_of, day_words, find_when

PROPOSALS = ("propose", "propose_join", "invite", "ask_lesson", "ask_bout")
OF_EVENTS = ("propose_join", "invite")
"""Proposals for a gathering of which the talk has told the time already."""

EARLIEST, LATEST = 7 * 60 + 30, 21 * 60
"""Minutes of the day between which people meet."""

LEAD = 40
"""Minutes between a proposal and the earliest meeting."""

WAY = 20
"""Minutes kept free between two appointments for travel."""


def may_propose(scene: Scene) -> bool:
    """Return True if a meeting may be proposed: none was proposed in this conversation, and the
    speaker has agreed on none today and plans none.
    """
    return not (scene.has_occurred(*PROPOSALS) or _is_engaged(scene))


def _is_engaged(scene: Scene) -> bool:
    """Return True if the speaker made an arrangement today, according to its retrieved memories, or
    has a meeting in its plan.
    """
    arranged = {meet["do"] for meet in scene.bank.words["meets"]}
    today = scene.v.situation.now.date()
    agreed = any(
        memory.created.date() == today and memory.predicate == "agree"
        for memory in scene.v.memories
    )
    return agreed or any(activity in arranged for _, activity in scene.v.plan)


def may_invite(scene: Scene, topic: str) -> bool:
    """Return True if an event may be proposed: nothing was proposed in this conversation, and this
    event was not agreed on before.
    """
    return not scene.has_occurred(*PROPOSALS) and all(
        topic not in memory.text for memory in _agreements(scene)
    )


def _agreements(scene: Scene) -> list[Concept]:
    """Return the speaker's memories of agreements with the other."""
    return [
        memory
        for memory in scene.v.memories
        if memory.type == "plan" and memory.talk and scene.other.id in memory.about
    ]


def propose(scene: Scene, consoled: bool) -> bool:
    """Propose to meet today, at a time when the speaker is free and another public place that suits,
    with words of comfort if `consoled`; return True if it was said.
    """
    lang = scene.bank.lang
    where = scene.v.situation.where
    here = {address.partition("/")[0] for address, place in scene.v.places if place == where}
    options = [
        (meet, place)
        for address, place in scene.v.places
        for meet in scene.bank.words["meets"]
        if meet["place"] in (kinds := places_like(place, scene.bank))[:1]
        and "home" not in kinds
        and address.partition("/")[0] not in here
    ]
    if not options:
        return False
    meet, place = scene.rng.choice(options)
    named = _find_named_times(scene)
    fitting = [
        time
        for time in times(scene, int(meet["minutes"]))
        if time <= _latest(meet) and hhmm(time) not in named
    ]
    if not fitting:
        return False
    slots = {
        "what": scene.rng.choice(meet["say"]),
        "place": short_place(place, lang),
        "time": hhmm(scene.rng.choice(fitting[:8])),
    }
    tags = ["after-comfort"] if consoled else []
    return scene.say("propose", {**slots, "day": scene.bank.words["today"]}, tags)


def propose_join(scene: Scene, clause: str, act: str) -> bool:
    """Propose to go together to the event in a piece of news or, as its host, invite the other;
    return False if the news has no topic, day and clock time, or nothing may be proposed.
    """
    when = find_when(clause, scene.bank.lang)
    topic, clock = clauses.topic_of(clause, scene.bank), clock_of(when, scene.bank.lang)
    day = clauses.lower_initial(day_words(when, scene.bank.lang), scene.bank)
    if not (topic and clock and day) or not may_invite(scene, topic):
        return False
    place = next((name for _, name in scene.v.places if name.split(",")[0] in clause), "")
    return scene.say(
        act,
        {
            "topic": topic,
            "time": clock,
            "day": day,
            "place": short_place(place, scene.bank.lang) if place else "",
        },
    )


def answer_proposal(scene: Scene, proposal: SpokenMove) -> bool:
    """Accept, propose another time, or decline with a reason; return True if the other has to
    answer that. Chance, closeness and tone decide about willingness, and the speaker's free time
    about the rest; one who has talked about going already comes along.
    """
    slots = proposal.move.slots
    today = day_of(slots.get("day", ""), scene.v.situation.now.date(), scene.bank.lang) in (
        None,
        scene.v.situation.now.date(),
    )
    minute, need = parse_hhmm(slots["time"]), terms(slots, scene.bank)[1]
    taken = proposal.act == "propose" and _is_engaged(scene)
    likes = scene.other.closeness >= 5 or proposal.act in OF_EVENTS
    willing = scene.chance(by_tone(scene, 0.6 if taken else 0.9 if likes else 0.55))
    goes = _has_talked_of_going(scene, proposal)
    if goes or (willing and (not today or _is_free(scene, minute, need))):
        named = {} if proposal.act in OF_EVENTS else slots
        scene.say("accept", {"day": "", "place": "", **named})
        return False
    if willing and today and proposal.act == "propose" and _offer_other_time(scene, slots, minute):
        return True
    scene.say("decline", tags=_reasons_to_decline(scene, proposal, today, taken and not willing))
    return False


def _offer_other_time(scene: Scene, slots: Mapping[str, str], minute: int) -> bool:
    """Offer the hour nearest to `minute` that is free, suits what was proposed in these slots, and
    was not named before; return True if there is one. None is offered in the last round.
    """
    until = next(
        (
            _latest(meet)
            for meet in scene.bank.words["meets"]
            if slots.get("what", "").lower() in meet["say"]
        ),
        LATEST,
    )
    named = _find_named_times(scene)
    others = [
        time
        for time in times(scene, terms(slots, scene.bank)[1])
        if time <= until and hhmm(time) not in named
    ]
    if not others or scene.v.last_round:
        return False
    nearest = min(others, key=lambda time: (abs(time - minute), time))
    return scene.say("counter", {"time": hhmm(nearest), "day": slots.get("day", "")})


def _find_named_times(scene: Scene) -> set[str]:
    """Return the clock times named in this talk, or by the speaker to the other of late."""
    earlier = [
        move
        for who, line in scene.v.situation.earlier
        if who == scene.other.id
        for move in scene.bank.recognise(line)
    ]
    moves = [*earlier, *(spoken.move for spoken in scene.moves)]
    return {move.slots["time"] for move in moves if "time" in move.slots}


def _has_talked_of_going(scene: Scene, proposal: SpokenMove) -> bool:
    """Return True if a proposal to go to a gathering together follows an exchange about it, or an
    invitation an exchange in which the speaker has said that they would come.
    """
    said = [spoken for spoken in scene.moves if spoken.act.startswith("turn:")]
    if proposal.act == "propose_join":
        return bool(said)
    return proposal.act == "invite" and any(
        spoken.speaker == scene.me.id
        and clauses.mentions(spoken.move.text, scene.bank.words["coming"])
        for spoken in said
    )


def _reasons_to_decline(
    scene: Scene, proposal: SpokenMove, today: bool, engaged: bool
) -> list[str]:
    """Return the tags of reasons that suit a proposal: a gathering cannot be put off, one who is
    engaged says so, and today one may be tired.
    """
    if proposal.act in OF_EVENTS:
        return ["gathering"]
    if engaged:
        return ["engaged"]
    return ["today", *(["today-later"] if "later" in scene.tags else [])] if today else []


def answer_counter(scene: Scene, counter: SpokenMove) -> bool:
    """Accept the other time if it is free, offer one more the first time, or drop the proposal;
    return True if the other has to answer that.
    """
    proposed = scene.last(*PROPOSALS)
    slots = proposed.move.slots if proposed else {}
    need = terms(slots, scene.bank)[1] if slots else MINUTES
    time = counter.move.slots["time"]
    fits = _is_free(scene, parse_hhmm(time), need)
    has_offered = scene.has_occurred("counter", by=scene.me.id)
    is_open = proposed is not None and not fits and not has_offered
    if is_open and _offer_other_time(scene, slots, parse_hhmm(time)):
        return True
    slots = {"time": time, "day": slots.get("day", "")}
    scene.say("accept" if fits else "pity", slots, ["countered"])
    return False


def kind_of_place(slots: Mapping[str, str], bank: Bank) -> str:
    """Return the kind of place that a proposal is for, "" if it is for an event."""
    return next(
        (
            str(meet["place"])
            for meet in bank.words["meets"]
            if slots.get("what", "").lower() in meet["say"]
        ),
        "",
    )


def terms(slots: Mapping[str, str], bank: Bank) -> tuple[str, int]:
    """Return the activity that a proposal is for, and its minutes. The slots hold the `topic` of an
    event, or the activity as `what`.
    """
    for meet in bank.words["meets"]:
        if slots.get("what", "").lower() in meet["say"]:
            return str(meet["do"]), int(meet["minutes"])
    what = (
        str(bank.words["join_do"]).format(topic=slots["topic"])
        if "topic" in slots
        else slots["what"]
    )
    return what, MINUTES


def _latest(meet: Mapping[str, str]) -> int:
    """Return the last minute of the day at which this kind of meeting may begin."""
    return parse_hhmm(meet.get("latest", hhmm(LATEST)))


def times(scene: Scene, need: int) -> list[int]:
    """Return the half hours of today, in minutes of the day, soonest first, at which the speaker is
    free for `need` minutes: from `LEAD` minutes ahead, between `EARLIEST` and `LATEST`.
    """
    first = -(-max(scene.minute + LEAD, EARLIEST) // 30) * 30
    return [time for time in range(first, LATEST + 1, 30) if _is_free(scene, time, need)]


def _is_free(scene: Scene, minute: int, need: int) -> bool:
    """Return True if a free stretch of the plan holds that time and the way, and no work, meal or
    planned event overlaps it.
    """
    bound = bound_hours(scene.me, scene.v.situation.now.date(), scene.bank.lang)
    bound += [
        (at, at + MINUTES)
        for at, what in scene.v.plan
        if clauses.mentions(what, scene.bank.words["gatherings"])
    ]
    taken = any(start < minute + need and minute < end for start, end in bound)
    return not taken and any(
        (start <= scene.minute or start + WAY <= minute) and minute + need + WAY <= end
        for start, end in scene.v.free
    )
