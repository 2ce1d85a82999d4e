"""Subjects that a speaker raises: news, a question, an observation, an arrangement."""

from __future__ import annotations

from collections.abc import Callable

from hometown.scripted import clauses, goods, gossip, meeting, quarrels
from hometown.scripted.gossip import News
from hometown.scripted.naming import casual
from hometown.scripted.rumour import as_remembered
from hometown.scripted.scene import LONGEST, Scene
from hometown.scripted.when import find_when
from hometown.world.befalling import happening_kind

Lead = Callable[[Scene], bool]
TELLING = ("tell", "tell_own", "tell_source", "tell_seen", "ask_heard")

GRAVE = 7
"""Poignancy from which an event in town is told before anything else."""

ROOM = {"en": 70, "zh": 25}
"""Additional characters needed to tell a piece of news in two sentences."""


def open_conversation(scene: Scene) -> None:
    """Say the first line: a greeting and a first subject."""
    if not scene.other.relation and not scene.chats:
        scene.say("introduce")
    elif _met_today(scene) and scene.chance(0.8):
        scene.say("again")
    else:
        scene.say("greet")
    _try_leads(
        scene,
        {
            _tell_grave_news: 20.0,
            quarrels.make_up: 12.0,
            _own_event: 4.0,
            _news: 3.0 / _listeners(scene),
            _update: 3.0,
            _to_face: 4.0,
            _ask_doing: 2.0,
            _recall: 1.5,
            _exchange: 3.0,
            _ask_day: 1.5,
            **goods.leads(scene),
        },
    )


def lead_on(scene: Scene) -> None:
    """Raise a new subject, after any answers."""
    count = len(scene.v.lines)
    leads: dict[Lead, float] = {
        _tell_grave_news: 20.0,
        quarrels.make_up: 8.0,
        _own_event: 4.0,
        _news: 4.0 / _listeners(scene),
        _to_face: 4.0,
        _update: 2.0,
        _exchange: 3.0,
        _ask_next: 1.0,
        _sighting: 1.5,
        **goods.leads(scene),
    }
    if count <= 2:
        leads |= {_ask_doing: 1.0, _ask_day: 0.7, _recall: 1.0}
    if count >= 2 and not scene.v.last_round:
        leads |= {invite: 40.0, _join: 6.0} | (
            {_meet: quarrels.by_tone(scene, 4.0)}
            if scene.other.closeness >= 5 and meeting.may_propose(scene)
            else {}
        )
    _try_leads(scene, leads)


def _listeners(scene: Scene) -> int:
    """Return the number of listeners, which divides the weight of telling news: a circle hears news
    all at once, and it should not race through the town.
    """
    return max(1, len(scene.v.there))


def unburden(scene: Scene) -> bool:
    """Tell the speaker's own most important news, once announced and if the other is ready to
    listen.
    """
    if not any(spoken.act == "react_open" for spoken in scene.latest):
        return False
    own = [news for news in gossip.news_for(scene.v, scene.bank) if news.own]
    own.sort(key=lambda news: news.mood != "bad")
    return bool(own) and tell(scene, own[0])


def tell(scene: Scene, news: News) -> bool:
    """Tell a piece of news in one of several word orders, for variety."""
    lang = scene.bank.lang
    roomy = len(scene.text) + len(news.wording) + ROOM[lang] <= LONGEST[lang]
    hearsay = bool(news.source) and not news.own
    clause = casual(as_remembered(news.wording, scene) if hearsay else news.wording, scene.shorts)
    whole = clauses.as_of(
        scene.v.situation.now.date(), clauses.reword(clause, scene.rng, scene.bank), scene.bank
    )
    when = find_when(whole, lang)
    rest = (
        clauses.without_when(whole, when, lang)
        if roomy and clauses.is_gathering(whole, scene.bank)
        else ""
    )
    shape = scene.rng.choice(("whole", "front", "apart")) if rest else "whole"
    sentence = {"whole": whole, "front": _front_time(rest, when, lang), "apart": rest}[shape]
    quotes = news.source and not news.clause.startswith(news.source) and scene.chance(0.6)
    act = (
        "tell_own"
        if news.own
        else "tell_seen"
        if news.seen
        else "tell_source"
        if quotes
        else "tell"
    )
    if not scene.say(
        act, {"news": sentence, "source": casual(news.source, scene.shorts)}, [f"mood-{news.mood}"]
    ):
        return False
    if shape == "apart":
        scene.say("tell_when", {"when": when})
    return True


def _front_time(rest: str, when: str, lang: str) -> str:
    return f"{when}，{rest}" if lang == "zh" else f"{when}, {rest}"


def _try_leads(scene: Scene, leads: dict[Lead, float]) -> None:
    """Try leads in a weighted random order until one adds something to the line (Efraimidis &
    Spirakis 2006).

    The keys are compared and never recorded: another machine's `pow` differs by a unit in the last
    place, and would swap two of ten keys once in some 10^13 lines.
    """
    order = sorted(leads, key=lambda lead: -(scene.rng.random() ** (1 / leads[lead])))
    next((lead for lead in order if lead(scene)), None)


def _met_today(scene: Scene) -> bool:
    return any(memory.created.date() == scene.v.situation.now.date() for memory in scene.chats)


def _news(scene: Scene) -> bool:
    """Tell news on the conversation's topic, or else the most poignant; occasionally any of the
    first three.

    Of news that concerns only the speaker, each conversation with the same person raises the next
    item.
    """
    if scene.has_occurred(*TELLING, by=scene.me.id):
        return False
    candidates = gossip.news_for(scene.v, scene.bank)
    if not scene.v.lines:
        candidates = [news for news in candidates if not (news.own and news.mood == "bad")]
    candidates = [
        news
        for news in candidates
        if not news.topic or all(news.topic not in line.text for line in scene.v.lines)
    ]
    inner = [news for news in candidates if news.own and not news.topic]
    turn = (
        inner[max(0, scene.other.conversations - 1) % len(inner)]
        if inner and not scene.forgets
        else None
    )
    candidates = [news for news in candidates if news not in inner or news is turn]
    if not candidates:
        return False
    wanted = [news for news in candidates if news.clause[:20] in scene.v.topic]
    news = (
        scene.rng.choice(wanted or candidates[:1])
        if scene.chance(0.7)
        else scene.rng.choice(candidates[:3])
    )
    in_time = len(scene.v.lines) <= 4
    if (
        in_time
        and news.topic
        and not news.own
        and scene.chance(0.6)
        and scene.say("ask_heard", {"topic": news.topic})
    ):
        return True
    return tell(scene, news)


def _tell_grave_news(scene: Scene) -> bool:
    """Tell of a grave event in town before any other subject."""
    if scene.has_occurred(*TELLING, by=scene.me.id):
        return False
    happened = [
        news
        for news in gossip.news_for(scene.v, scene.bank)
        if news.memory.poignancy >= GRAVE and happening_kind(news.clause, scene.bank.lang)
    ]
    happened = [
        news
        for news in happened
        if all(news.clause[-20:] not in line.text for line in scene.v.lines)
    ]
    return bool(happened) and tell(scene, happened[0])


def _own_event(scene: Scene) -> bool:
    """Tell of the speaker's own event."""
    if scene.has_occurred(*TELLING, by=scene.me.id):
        return False
    hosted = [
        news
        for news in gossip.news_for(scene.v, scene.bank)
        if news.own and clauses.is_gathering(news.clause, scene.bank)
    ]
    hosted = [news for news in hosted if all(news.topic not in line.text for line in scene.v.lines)]
    return bool(hosted) and tell(scene, hosted[0])


def _update(scene: Scene) -> bool:
    """Ask about current news of the other's life."""
    news = gossip.about_partner(scene.v, scene.bank)
    if (
        news is None
        or scene.has_occurred("ask_update", "ask_worry")
        or any(news.topic in line.text for line in scene.v.lines)
    ):
        return False
    return scene.say("ask_worry" if news.mood == "bad" else "ask_update", {"topic": news.topic})


def _to_face(scene: Scene) -> bool:
    """Remark on the other person; each conversation with the same person raises the next remark."""
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


def _exchange(scene: Scene) -> bool:
    """Ask a question from the bank that suits the two, the hour and the place, about a subject not
    raised lately.
    """
    if sum(spoken.act.startswith("ask:") for spoken in scene.moves) >= 3:
        return False
    talked = " ".join(memory.text for memory in scene.v.memories if memory.type == "chat")
    asked = {spoken.act.removeprefix("ask:").partition("-")[0] for spoken in scene.moves}
    fitting = [
        exchange
        for exchange in scene.bank.exchanges.values()
        if exchange.gist and exchange.needs <= scene.tags
    ]
    fresh = [
        exchange
        for exchange in fitting
        if exchange.id.partition("-")[0] not in asked and exchange.gist not in talked
    ]
    chosen = (
        scene.rng.choices(fresh, weights=[1 + len(exchange.needs) for exchange in fresh])[0]
        if fresh
        else None
    )
    return chosen is not None and scene.say(f"ask:{chosen.id}")


def follow_up(scene: Scene, *after: str) -> bool:
    """Ask a question that follows from the latest news; `after` are tags such as "after-plan"."""
    fitting = [
        exchange
        for exchange in scene.bank.exchanges.values()
        if exchange.needs & set(after) and not scene.has_occurred(f"ask:{exchange.id}")
    ]
    return bool(fitting) and scene.say(f"ask:{scene.rng.choice(fitting).id}")


def _ask(act: str) -> Lead:
    def lead(scene: Scene) -> bool:
        return not scene.has_occurred(act) and scene.say(act)

    return lead


_ask_doing, _ask_day, _ask_next, _sighting, _recall = (
    _ask(act) for act in ("ask_doing", "ask_day", "ask_next", "sighting", "recall")
)


def _meet(scene: Scene) -> bool:
    return meeting.propose(scene)


def invite(scene: Scene) -> bool:
    """Ask the other to the speaker's own gathering, once the speaker has mentioned it."""
    told = _own_gathering(scene)
    return bool(told) and meeting.propose_join(scene, told, "invite")


def means_to_invite(scene: Scene) -> bool:
    """Return whether the speaker has mentioned a gathering of their own without inviting anyone
    yet.
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


def _join(scene: Scene) -> bool:
    """Propose going together to the event just mentioned."""
    telling = scene.last("tell", "tell_own", "tell_source", "tell_seen")
    if (
        telling is None
        or telling.act == "tell_own"
        or not clauses.is_gathering(telling.move.slots["news"], scene.bank)
    ):
        return False
    return meeting.propose_join(scene, telling.move.slots["news"], "propose_join")
