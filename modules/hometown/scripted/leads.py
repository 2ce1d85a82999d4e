"""Subjects that a speaker raises: news, a question, an observation, an arrangement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from hometown.scripted import clauses, goods, gossip, meeting, parting, quarrels, wish_talk
from hometown.scripted.gossip import News
from hometown.scripted.naming import casual
from hometown.scripted.phrases import Bank, Exchange, asks
from hometown.scripted.rumour import as_remembered
from hometown.scripted.scene import LONGEST, Scene
from hometown.scripted.when import find_when
from hometown.world.befalling import happening_kind

Lead = Callable[[Scene], bool]
TELLING = ("tell", "tell_own", "tell_source", "tell_seen", "ask_heard")

GRAVE = 7
"""Poignancy from which an event in town is told before anything else."""

SUBJECTS = (
    "ask",
    "ask_doing",
    "ask_heard",
    "ask_update",
    "ask_worry",
    "make_up",
    *TELLING[:-1],
    *wish_talk.UTTERED,
    *meeting.PROPOSALS,
)
"""Acts that raise a subject."""

WEIGHTY = (
    "ask_update",
    "ask_worry",
    "make_up",
    "tell_you",
    *TELLING,
    *quarrels.QUARREL,
    *wish_talk.UTTERED,
    *meeting.PROPOSALS,
)
"""Acts after which small talk would pass over what was said."""

GREETS_BACK, GREETS_AGAIN, GREETS_FAMILY = 0.5, 0.35, 0.5
"""Probabilities of returning a greeting, and of greeting the other a second time in a day, or one
of the family.
"""

WELFARE_QUESTION_SHARE = 0.5
"""Probability of asking how the other is at first."""

KEEPS_TO_OCCASION = 0.95
"""Probability that those at a gathering, or shaken by an event, talk of that."""

GROUP_KEEPS_TO_OCCASION = 0.5
"""Probability that a group at a gathering asks a question about it even beyond its share."""

KEEPS_TO_SETTING = 0.5
"""Probability of asking about the setting rather than the world in general."""

NAMES_SOURCE = 0.6
"""Probability of naming the source of other hearsay."""

AT_HOME = ("family", "partners")
"""Tags of questions for the family."""

OF_ANY_PLACE = frozenset({"apart"})
"""Tags of questions about the world in general, beside those of the hour."""

SHORTEST_COURSE = 3
"""Lines that have to be left for an exchange."""

ROOM = {"en": 70, "zh": 25}
"""Additional characters needed to tell a piece of news in two sentences."""


def open_conversation(scene: Scene) -> None:
    """Say the first line: a greeting, if one is due, and a first subject: a wish, a question about
    the other's day, or another one.
    """
    _greet(scene)
    if wish_talk.utter(scene):
        return
    if not _is_to_ask_after_other(scene) or not scene.say("ask_day", must=False):
        _open_subject(scene)
    if not scene.pieces:
        scene.say("greet")


def _is_to_ask_after_other(scene: Scene) -> bool:
    """Return True if the speaker first asks about the other's day, by chance: acquaintances who
    have not met that day and have no occasion to talk about.
    """
    at_ease = "at-gathering" not in scene.tags and not any(
        tag.startswith("after-") for tag in scene.tags
    )
    acquainted = "family" not in scene.tags and "stranger" not in scene.tags
    return acquainted and at_ease and not _met_today(scene) and scene.chance(WELFARE_QUESTION_SHARE)


def _open_subject(scene: Scene) -> None:
    """Raise the first subject: grave news or the occasion, if there is one, else one at random by
    weight.
    """
    if _try_leads(scene, {_tell_grave_news: 1.0}) or _ask_about_occasion(scene):
        return
    _try_leads(
        scene,
        {
            quarrels.make_up: 12.0,
            _tell_own_event: 6.0,
            _tell_news: 18.0 / _count_listeners(scene),
            _ask_update: 2.0,
            _remark: 4.0,
            _ask_doing: 0.8,
            _ask_exchange: 4.0,
            **goods.leads(scene),
        },
    )


def lead_on(scene: Scene) -> bool:
    """Raise a new subject, after any answers; return True if there is one: a wish or an invitation
    first, then grave news, the occasion, or one at random by weight. Once something of weight has
    been said, only an arrangement may follow.
    """
    if not scene.v.last_round and _try_leads(scene, {wish_talk.utter: 1.0}):
        return True
    if not scene.v.last_round and _try_leads(scene, {invite: 1.0}):
        return True
    if is_weighty(scene):
        return arrange(scene)
    if _try_leads(scene, {_tell_grave_news: 1.0}) or _ask_about_occasion(scene):
        return True
    leads: dict[Lead, float] = {
        quarrels.make_up: 8.0,
        _tell_own_event: 6.0,
        _tell_news: 18.0 / _count_listeners(scene),
        _remark: 3.0,
        _ask_update: 2.0,
        _ask_exchange: 3.0,
        **goods.leads(scene),
    }
    return _try_leads(scene, leads | _arrangements(scene))


def arrange(scene: Scene) -> bool:
    """Propose to go or to meet somewhere, if the talk gives occasion for it."""
    return _try_leads(scene, _arrangements(scene))


def _arrangements(scene: Scene) -> dict[Lead, float]:
    """Return the leads that arrange something: the way to a gathering just mentioned, or a meeting
    between those who are close; none early in a talk, in its last round or in a group.
    """
    if len(scene.v.lines) < 2 or scene.v.last_round or scene.v.several:
        return {}
    meets = scene.other.closeness >= 5 and "family" not in scene.tags and meeting.may_propose(scene)
    leads: dict[Lead, float] = {_propose_joining: 6.0}
    if meets:
        leads[_propose_meeting] = quarrels.by_tone(scene, 20.0)
    return leads


def is_weighty(scene: Scene) -> bool:
    """Return True if something was said in the conversation that deserves to be its last subject."""
    return scene.has_occurred(*WEIGHTY)


def count_subjects(scene: Scene) -> int:
    """Return the number of subjects raised in the conversation so far."""
    return sum(spoken.act.partition(":")[0] in SUBJECTS for spoken in scene.moves)


def greet_back(scene: Scene) -> None:
    """Return the greeting of the other's first line: an introduction always, any other by chance."""
    if scene.has_occurred("introduce"):
        scene.say("introduce_back")
    elif scene.has_occurred("greet") and scene.chance(GREETS_BACK):
        scene.say("greet_back")


def _greet(scene: Scene) -> None:
    """Introduce the speaker to a stranger, or greet; the family and those met before today are
    greeted less often.
    """
    if "stranger" in scene.tags:
        scene.say("introduce")
    elif _met_today(scene):
        scene.chance(GREETS_AGAIN) and scene.say("again")
    elif "family" not in scene.tags or scene.chance(GREETS_FAMILY):
        scene.say("greet")


def _ask_about_occasion(scene: Scene) -> bool:
    """Talk about the gathering at which the two are, or about the grave event they have seen."""
    occasions = [
        tag for tag in sorted(scene.tags) if tag == "at-gathering" or _is_shared_event(tag, scene)
    ]
    if not occasions or not scene.chance(KEEPS_TO_OCCASION):
        return False
    must = not scene.v.several or scene.chance(GROUP_KEEPS_TO_OCCASION)
    return _ask_question(scene, lambda needs: not needs.isdisjoint(occasions), must)


def _is_shared_event(tag: str, scene: Scene) -> bool:
    """Return True if a tag stands for a happening about which the two have talked before."""
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


def unburden(scene: Scene) -> bool:
    """Tell the speaker's own most important news, once announced and if the other is ready to
    listen.
    """
    if not any(spoken.act == "react_open" for spoken in scene.latest):
        return False
    own = [news for news in gossip.news_for(scene.v, scene.bank) if news.own]
    own.sort(key=lambda news: news.mood != "bad")
    return bool(own) and tell(scene, own[0])


def tell(scene: Scene, news: News, must: bool = True) -> bool:
    """Tell a piece of news in one of several word orders, for variety; `must` as for `Scene.say`.

    Hearsay of a happening always names its source, so that it isn't taken for a witness's account.
    """
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
    sentence = clauses.lower_initial(sentence, scene.bank)
    quotes = (
        news.source
        and not news.clause.startswith(news.source)
        and (bool(happening_kind(news.clause, lang)) or scene.chance(NAMES_SOURCE))
    )
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
        act,
        {"news": sentence, "source": casual(news.source, scene.shorts)},
        _lead_tags(scene, news),
        must,
    ):
        return False
    if shape == "apart":
        scene.say("tell_when", {"when": when})
    return True


def _lead_tags(scene: Scene, news: News) -> list[str]:
    """Return the tags of phrases that lead up to a piece of news: by its mood, and of the speaker's
    own by its matter, so that a trifle isn't confessed nor a worry announced.
    """
    if not news.own:
        return [f"mood-{news.mood}"]
    matter = parting.stated_matter(scene, news.wording)
    weighs = news.mood == "bad" and parting.wish_for(scene, matter) == "comfort"
    return ["mood-bad"] if weighs else [parting.lead_tag(scene, matter)]


def _front_time(rest: str, when: str, lang: str) -> str:
    """Return a clause with its time in front."""
    return f"{when}，{rest}" if lang == "zh" else f"{when}, {rest}"


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


def _tell_news(scene: Scene) -> bool:
    """Tell news on the conversation's topic, or else the most poignant; occasionally any of the
    first three. Short news may first be announced by a question. Of news that concerns only the
    speaker, each conversation with the same person raises the next item.
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
    inner = [news for news in candidates if _is_inner(news)]
    inner = [] if scene.v.several else [news for news in inner if not _is_worn(news, scene)]
    turn = (
        inner[max(0, scene.other.conversations - 1) % len(inner)]
        if inner and not scene.forgets
        else None
    )
    candidates = [news for news in candidates if not _is_inner(news) or news is turn]
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
        and scene.say("ask_heard", {"topic": news.topic}, must=False)
    ):
        return True
    return tell(scene, news, must=not news.own)


def _is_inner(news: News) -> bool:
    """Return True for news that concerns the speaker alone."""
    return news.own and not news.topic


def _is_worn(news: News, scene: Scene) -> bool:
    """Return True if the speaker has told this news of their own to anybody of late."""
    mark = clauses.mark_of(casual(news.wording, scene.shorts), scene.bank)
    told = (
        move.slots["news"]
        for _, line in scene.v.situation.earlier
        for move in scene.bank.recognise(line)
        if move.act == "tell_own"
    )
    return any(mark in clauses.plain_words(clause, scene.bank) for clause in told)


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


def _tell_own_event(scene: Scene) -> bool:
    """Tell of a gathering that the speaker gives, if no line has named it."""
    if scene.has_occurred(*TELLING, by=scene.me.id):
        return False
    hosted = [
        news
        for news in gossip.news_for(scene.v, scene.bank)
        if news.own and clauses.is_gathering(news.clause, scene.bank)
    ]
    hosted = [news for news in hosted if all(news.topic not in line.text for line in scene.v.lines)]
    return bool(hosted) and tell(scene, hosted[0])


def _ask_update(scene: Scene) -> bool:
    """Ask about current news of the other's life, once in a conversation: about a worry if they are
    bad.
    """
    news = gossip.about_partner(scene.v, scene.bank)
    if (
        news is None
        or scene.has_occurred("ask_update", "ask_worry")
        or any(news.topic in line.text for line in scene.v.lines)
    ):
        return False
    return scene.say("ask_worry" if news.mood == "bad" else "ask_update", {"topic": news.topic})


def _remark(scene: Scene) -> bool:
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


def _ask_exchange(scene: Scene) -> bool:
    """Ask a question that suits the two, the hour and the place: of the family about life at home,
    of others about the place, their work or themselves, or about the world in general.
    """
    if "family" in scene.tags:
        return _ask_question(scene, lambda needs: not needs.isdisjoint(AT_HOME))
    general = scene.hours | OF_ANY_PLACE
    of_setting = scene.chance(KEEPS_TO_SETTING) and _ask_question(
        scene, lambda needs: not needs <= general and not _is_occasion(needs)
    )
    return of_setting or _ask_question(scene, lambda needs: needs <= general)


def _is_occasion(needs: Collection[str]) -> bool:
    """Return True if a question is for those at a gathering or shaken by an event."""
    return any(tag == "at-gathering" or tag.startswith("after-") for tag in needs)


def _ask_question(
    scene: Scene, suits: Callable[[frozenset[str]], bool], must: bool = False
) -> bool:
    """Ask a question from the bank whose needs suit; not one that the two have talked about lately,
    nor any if its course would be too long. `must` is as for `Scene.ask_one`.
    """
    room = scene.v.closing + len(scene.v.there) - len(scene.v.lines)
    if room < SHORTEST_COURSE:
        return False
    talked = " ".join(memory.text for memory in scene.chats)
    fresh = [
        exchange
        for exchange in _fresh(scene, scene.bank.exchanges.values())
        if exchange.gist
        and exchange.needs <= scene.tags
        and suits(exchange.needs)
        and exchange.gist not in talked
        and (not scene.v.several or is_for_all(exchange, scene.bank))
    ]
    act = scene.ask_one(fresh, must)
    return bool(act) and _raise(scene, act)


def is_for_all(exchange: Exchange, bank: Bank) -> bool:
    """Return True if an exchange suits a group: each course has an answer and a second line, which
    may be a bystander's, and neither asks anything back.
    """
    replies = [
        bank.frames.get(f"turn:{exchange.id}-{course}-{line}", ())
        for course in range(exchange.courses)
        for line in (0, 1)
    ]
    return all(replies) and not any(asks(frame.text) for frames in replies for frame in frames)


def _has_room(scene: Scene, exchange: Exchange) -> bool:
    """Return True if the last question of an exchange comes before the speakers' last lines."""
    return len(scene.v.lines) + exchange.last_question < scene.v.closing


def _raise(scene: Scene, act: str) -> bool:
    """Ask about a new subject; in the middle of a conversation it is announced, in a group by the
    name of the one asked.
    """
    if scene.v.several:
        scene.say("turn_to")
    elif any(spoken.act.startswith("ask:") for spoken in scene.moves):
        scene.say("bridge")
    return scene.say(act)


def follow_up(scene: Scene, *after: str) -> bool:
    """Ask a question of the speaker's share that takes up the latest news; `after` are tags such as
    "own-money", the fittest first. None is asked that the speaker has asked of late.
    """
    if scene.v.last_round:
        return False
    for tag in after:
        fitting = scene.bank.by_need.get(tag, ())
        act = scene.ask_one(_fresh(scene, fitting), peers=tuple(each.id for each in fitting))
        if act and scene.say(act):
            return True
    return False


def _fresh(scene: Scene, exchanges: Iterable[Exchange]) -> list[Exchange]:
    """Return the exchanges that have not begun in this talk, and have room in it."""
    return [
        each
        for each in exchanges
        if not scene.has_occurred(each.ask) and _has_room(scene, each)
    ]


def follow_up_on(scene: Scene, clause: str, whose: str, must: bool = True) -> bool:
    """Ask a question about the very subject of a statement, for which the bank has words; `whose`
    is "own" for a statement about the other's life, and "you" for one about the speaker. Unless it
    `must` be asked, as of what is told to everybody, it has to be in the speaker's share.
    """
    if scene.v.last_round or scene.v.several:
        return False
    fitting = [
        each
        for each in scene.bank.by_need.get(f"{whose}-about", ())
        if clauses.mentions(clause, each.about)
    ]
    act = scene.ask_one(_fresh(scene, fitting), must, peers=tuple(each.id for each in fitting))
    return bool(act) and scene.say(act)


def _ask_doing(scene: Scene) -> bool:
    """Ask whether the speaker disturbs the other, who is not of the family."""
    return "family" not in scene.tags and scene.say("ask_doing", must=False)


def _propose_meeting(scene: Scene) -> bool:
    """Propose to meet; to console the other, if they have told of something sad."""
    told = scene.last("tell_own")
    matter = parting.stated_matter(scene, told.move.slots["news"]) if told else ""
    return meeting.propose(scene, consoled=parting.wish_for(scene, matter) == "comfort")


def invite(scene: Scene) -> bool:
    """Ask the other to the speaker's own gathering, once the speaker has mentioned it."""
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
    """Propose going together to the event just mentioned."""
    telling = scene.last("tell", "tell_own", "tell_source", "tell_seen")
    if (
        telling is None
        or telling.act == "tell_own"
        or not clauses.is_gathering(telling.move.slots["news"], scene.bank)
    ):
        return False
    return meeting.propose_join(scene, telling.move.slots["news"], "propose_join")
