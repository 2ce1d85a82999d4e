"""Subjects that a speaker raises: news, a question, an observation, an arrangement."""

from __future__ import annotations

from collections.abc import Callable

from hometown.scripted import (
    clauses,
    follow_ups,
    goods,
    gossip,
    meeting,
    parting,
    quarrels,
    telling,
    wish_talk,
)
from hometown.scripted.follow_ups import SHORTEST_COURSE
from hometown.scripted.naming import casual
from hometown.scripted.scene import Scene
from hometown.world.befalling import happening_kind
from hometown.world.resident_names import is_named

Lead = Callable[[Scene], bool]

SUBJECTS = (
    "ask",
    "ask_heard",
    "ask_update",
    "ask_worry",
    "make_up",
    "air",
    "recall",
    *telling.TELLING[:-1],
    *wish_talk.UTTERED,
    *meeting.PROPOSALS,
)
"""Acts that raise a subject."""

WEIGHTY = (
    "ask_update",
    "ask_worry",
    "make_up",
    "tell_you",
    *telling.TELLING,
    *quarrels.QUARREL,
    *wish_talk.UTTERED,
    *meeting.PROPOSALS,
)
"""Acts so important that small talk after them would be out of place."""

GREETS_AGAIN, GREETS_FAMILY = 0.35, 0.5
"""Probabilities of greeting the other a second time in a day, and of greeting one of the family."""

WELFARE_QUESTION_SHARE = 0.1
"""Probability of asking how the other is at first."""

OWN_EVENT_WEIGHT = 400.0
"""Weight of telling of a gathering of one's own, beside 100 for other news: its host tells nearly
all whom they meet.
"""

KEEPS_TO_OCCASION = 0.95
"""Probability that those at a gathering, or shaken by an event, talk of that."""

GROUP_KEEPS_TO_OCCASION = 0.5
"""Probability that a group at a gathering asks a question about it even beyond its share."""

PASSES_NEWS_ON = 0.3
"""Probability of passing on public news at the end of another subject."""


def open_conversation(scene: Scene) -> None:
    """Say the first line: a greeting, if one is due, and a first subject: a wish, a question about
    the other's day, or another one. What stands between the two is raised without a greeting.
    """
    _greet(scene)
    if wish_talk.utter(scene):
        return
    if _is_to_ask_after_other(scene) and scene.say("ask_day", must=False):
        return
    if not _open_subject(scene) and not follow_ups.ask_about_setting(scene, must=True):
        scene.pieces or scene.say("greet")
    if scene.acts[-1] in ("air", "make_up"):
        scene.keep_last()


def _is_to_ask_after_other(scene: Scene) -> bool:
    """Return True if the speaker first asks about the other's day, by chance: acquaintances who
    have not met that day and have no occasion to talk about.
    """
    at_ease = "at-gathering" not in scene.tags and not any(
        tag.startswith("after-") for tag in scene.tags
    )
    acquainted = "family" not in scene.tags and "stranger" not in scene.tags
    return acquainted and at_ease and not _met_today(scene) and scene.chance(WELFARE_QUESTION_SHARE)


def _open_subject(scene: Scene) -> bool:
    """Raise the first subject: grave news, the occasion or the gathering of the day before, if
    there is one, else one at random by weight. Return True if one is raised.
    """
    if _raise_what_matters(scene):
        return True
    return _try_leads(
        scene,
        {
            **_grievances(scene, 40.0),
            telling.tell_own_event: OWN_EVENT_WEIGHT,
            telling.tell_news: 100.0 / _count_listeners(scene),
            _ask_update: 2.0,
            _remark: 4.0,
            follow_ups.ask_about_setting: 4.0,
            **goods.leads(scene),
        },
    )


def lead_on(scene: Scene) -> bool:
    """Raise a new subject, after any answers; return True if there is one: a wish or an invitation
    first, then what matters at present, or one at random by weight. In a talk of two, one subject
    is enough: a question that follows the last one, an arrangement or public news may come after it,
    and after something of weight only an arrangement.
    """
    if not scene.v.last_round and _try_leads(scene, {wish_talk.utter: 1.0}):
        return True
    if not scene.v.last_round and _try_leads(scene, {invite: 1.0}):
        return True
    if is_weighty(scene) and not scene.v.several:
        return arrange(scene)
    if _raise_what_matters(scene):
        return True
    if count_subjects(scene) and not scene.v.several:
        return _try_leads(scene, {_ask_on: 9.0} | _arrangements(scene)) or mention_news(scene)
    leads: dict[Lead, float] = {
        **_grievances(scene, 30.0),
        telling.tell_own_event: OWN_EVENT_WEIGHT,
        telling.tell_news: 100.0 / _count_listeners(scene),
        _remark: 3.0,
        _ask_update: 2.0,
        _ask_on: 9.0,
        **goods.leads(scene),
    }
    return _try_leads(scene, leads | _arrangements(scene))


def _raise_what_matters(scene: Scene) -> bool:
    """Tell grave news, ask about the occasion, or recall the gathering of the day before; return
    True if one of these is said.
    """
    if telling.tell_grave_news(scene) or _ask_about_occasion(scene):
        return True
    return _may_recall(scene) and _recall_gathering(scene)


def tell_something(scene: Scene) -> bool:
    """Tell the gravest news, or an event of the speaker's own, or other news; return True if so."""
    tellings = (telling.tell_grave_news, telling.tell_own_event, telling.tell_news)
    return any(tell(scene) for tell in tellings)


def mention_news(scene: Scene) -> bool:
    """Pass on public news, by chance, at the end of another subject, while lines are left in which
    it can be taken up, and nothing of weight has been said; return True if any is told.
    """
    room = scene.v.closing + len(scene.v.there) - len(scene.v.lines)
    if scene.v.last_round or room < SHORTEST_COURSE or is_weighty(scene):
        return False
    return scene.chance(PASSES_NEWS_ON) and telling.tell_public_news(scene)


def arrange(scene: Scene) -> bool:
    """Propose to go or to meet somewhere, if the talk gives occasion for it; return True if so."""
    return _try_leads(scene, _arrangements(scene))


def _arrangements(scene: Scene) -> dict[Lead, float]:
    """Return the leads that arrange something: the way to a gathering just mentioned, or a meeting
    with a close one who has told something or been asked about it; none early in a talk, in its
    last round, in a group, right after a mere reaction, or if nothing has been talked about.
    """
    if len(scene.v.lines) < 2 or scene.v.last_round or scene.v.several:
        return {}
    if any(act.startswith("react") for act in scene.acts):
        return {}
    if not count_subjects(scene) or scene.has_occurred("tell_own", by=scene.me.id):
        return {}
    meets = scene.other.closeness >= 5 and "family" not in scene.tags and meeting.may_propose(scene)
    leads: dict[Lead, float] = {_propose_joining: 6.0}
    if meets:
        leads[_propose_meeting] = quarrels.by_tone(scene, 10.0)
    return leads


def is_weighty(scene: Scene) -> bool:
    """Return True if one of the acts `WEIGHTY` has occurred in the conversation, after which a talk
    of two raises no new subject but a meeting or going somewhere together.
    """
    return scene.has_occurred(*WEIGHTY)


def count_subjects(scene: Scene) -> int:
    """Return the number of subjects raised in the conversation so far."""
    return sum(spoken.act.partition(":")[0] in SUBJECTS for spoken in scene.moves)


def greet_back(scene: Scene) -> None:
    """Return the greeting or the introduction with which the other has begun; the words of a visitor
    who is a stranger count as one.
    """
    if scene.has_occurred("introduce") or (not scene.latest and "stranger" in scene.tags):
        scene.say("introduce_back")
    elif scene.has_occurred("greet"):
        scene.say("greet_back")


def _greet(scene: Scene) -> None:
    """Introduce the speaker to a stranger, or greet; the family and those met before today are
    greeted less often, and no one is met again by chance who comes by appointment.
    """
    if "stranger" in scene.tags:
        scene.say("introduce")
    elif _met_today(scene):
        not scene.v.met_for and scene.chance(GREETS_AGAIN) and scene.say("again")
    elif "family" not in scene.tags or scene.chance(GREETS_FAMILY):
        scene.say("greet")


def _ask_on(scene: Scene) -> bool:
    """Open an exchange that follows the one before, or the first one of a talk in which nothing has
    been raised. Return True if one is opened.
    """
    if count_subjects(scene):
        return follow_ups.ask_on(scene)
    return follow_ups.ask_about_setting(scene, must=scene.has_occurred("ask_day"))


def _ask_about_occasion(scene: Scene) -> bool:
    """Ask, by chance, a question about the gathering at which the two are, or about a grave event of
    which they have talked in an earlier conversation. Return True if one is asked, and False also
    if there is no such occasion or no question left.
    """
    occasions = [
        tag for tag in sorted(scene.tags) if tag == "at-gathering" or _is_shared_event(tag, scene)
    ]
    if not occasions or count_subjects(scene) or not scene.chance(KEEPS_TO_OCCASION):
        return False
    must = not scene.v.several or scene.chance(GROUP_KEEPS_TO_OCCASION)
    peers = tuple(each.id for tag in occasions for each in scene.bank.by_need.get(tag, ()))
    return follow_ups.ask_question(
        scene, lambda needs: not needs.isdisjoint(occasions), must, peers
    )


def _is_shared_event(tag: str, scene: Scene) -> bool:
    """Return True if a tag stands for a happening about which the two have talked in an earlier
    conversation.
    """
    return tag.startswith("after-") and any(
        kind and tag == f"after-{kind.key}"
        for memory in scene.chats
        for kind in [happening_kind(memory.text, scene.bank.lang)]
    )


def _count_listeners(scene: Scene) -> int:
    """Return the number of listeners, which divides the weight of telling news: a circle hears news
    all at once, and it should not race through the town.
    """
    return max(1, len(scene.v.there))


def _try_leads(scene: Scene, leads: dict[Lead, float]) -> bool:
    """Try leads in a weighted random order until one adds something to the line (Efraimidis &
    Spirakis 2006); return True if one did.

    The keys are compared and never recorded: another machine's `pow` differs by a unit in the last
    place, and would swap two of ten keys once in some 10^13 lines.
    """
    order = sorted(leads, key=lambda lead: -(scene.rng.random() ** (1 / leads[lead])))
    return any(lead(scene) for lead in order)


def _met_today(scene: Scene) -> bool:
    return any(memory.created.date() == scene.v.situation.now.date() for memory in scene.chats)


def _ask_update(scene: Scene) -> bool:
    """Ask about current news of the other's life, once in a conversation: about a worry if they are
    bad. Return True if that is asked.
    """
    news = gossip.about_partner(scene.v, scene.bank)
    if (
        news is None
        or scene.has_occurred("ask_update", "ask_worry")
        or any(news.topic in line.text for line in scene.v.lines)
    ):
        return False
    return scene.say("ask_worry" if news.mood == "bad" else "ask_update", {"topic": news.topic})


def _grievances(scene: Scene, weight: float) -> dict[Lead, float]:
    """Return the leads to a quarrel that is to be made up, and to what divides the two."""
    leads: dict[Lead, float] = {quarrels.make_up: weight}
    return leads | ({quarrels.air: weight} if quarrels.may_air(scene) else {})


def _may_recall(scene: Scene) -> bool:
    """Return True if the speaker was at a gathering the day before of which they have not spoken
    yet, and whose name contains neither of the two.
    """
    what = scene.v.situation.gathered
    return (
        bool(what)
        and not is_named(scene.me.name, what)
        and not is_named(scene.other.name, what)
        and not scene.has_occurred("recall")
        and not scene.has_performed("recall")
    )


def _recall_gathering(scene: Scene) -> bool:
    """Recall the gathering of the day before; return True if it was said."""
    return scene.say("recall", {"gathering": scene.v.situation.gathered})


def _remark(scene: Scene) -> bool:
    """Remark on the other person; each conversation with the same person raises the next remark.
    Return True if there is one.
    """
    candidates = (
        []
        if scene.v.several or scene.has_occurred("tell_you", by=scene.me.id)
        else gossip.to_face(scene.v, scene.bank)
    )
    nothing_more = not any(news.own for news in gossip.news_for(scene.v, scene.bank))
    if (
        len(scene.v.lines) > 4
        or nothing_more
        or scene.has_occurred("ask_update")
        or scene.has_occurred("tell_own", by=scene.me.id)
    ):
        candidates = [
            news
            for news in candidates
            if clauses.kind_of_statement(news.clause, scene.bank) != "open"
        ]
    if not candidates or scene.forgets:
        return False
    news = candidates[max(0, scene.other.conversations - 1) % len(candidates)]
    return scene.say(
        "tell_you",
        {"news": casual(news.wording, scene.shorts)},
        [f"kind-{clauses.kind_of_statement(news.clause, scene.bank)}"],
    )


def _propose_meeting(scene: Scene) -> bool:
    """Propose to meet, to console the other if they have told of something sad; return True if so."""
    told = scene.last("tell_own")
    theirs = told is not None and told.speaker != scene.me.id
    matter = parting.stated_matter(scene, told.move.slots["news"]) if told and theirs else ""
    return meeting.propose(scene, consoled=parting.wish_for(scene, matter) == "comfort")


def invite(scene: Scene) -> bool:
    """Ask the other to the speaker's own gathering, once the speaker has mentioned it; return True
    if so.
    """
    told = _own_gathering(scene)
    return bool(told) and meeting.propose_join(scene, told, "invite")


def means_to_invite(scene: Scene) -> bool:
    """Return True if the speaker has mentioned a gathering of their own, and may still invite the
    other.
    """
    told = _own_gathering(scene)
    return bool(told) and meeting.may_invite(scene, clauses.topic_of(told, scene.bank))


def _own_gathering(scene: Scene) -> str:
    """Return the clause with which the speaker mentioned a gathering of their own, "" if there is
    none.
    """
    told = (
        spoken.move.slots["news"]
        for spoken in scene.moves
        if spoken.act == "tell_own" and spoken.speaker == scene.me.id
    )
    return next((clause for clause in told if clauses.is_gathering(clause, scene.bank)), "")


def _propose_joining(scene: Scene) -> bool:
    """Propose going together to the gathering of others just mentioned; return True if so."""
    told = scene.last("tell", "tell_own", "tell_source", "tell_seen")
    if (
        told is None
        or told.act == "tell_own"
        or not clauses.is_gathering(told.move.slots["news"], scene.bank)
    ):
        return False
    return meeting.propose_join(scene, told.move.slots["news"], "propose_join")
