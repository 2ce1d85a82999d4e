"""News that a speaker tells: their own, the gravest, or what they have heard."""

from __future__ import annotations

from hometown.scripted import clauses, gossip, parting
from hometown.scripted.gossip import News
from hometown.scripted.naming import casual
from hometown.scripted.rumour import as_remembered
from hometown.scripted.scene import LONGEST, Scene
from hometown.scripted.when import find_when
from hometown.world.befalling import happening_kind
from hometown.world.visitors import MET_PREDICATE

TELLING = ("tell", "tell_own", "tell_source", "tell_seen", "ask_heard")

GRAVE = 7
"""Poignancy from which an event in town is told before anything else."""

NAMES_SOURCE = 0.6
"""Probability of naming the source of other hearsay."""

ROOM = {"en": 70, "zh": 25}
"""Additional characters needed to tell a piece of news in two sentences."""


def unburden(scene: Scene) -> bool:
    """Tell the first of the speaker's own news, bad news before others, if the other has just asked
    them to go on (act `react_open`); return True if it is told.
    """
    if not any(spoken.act == "react_open" for spoken in scene.latest):
        return False
    own = [news for news in gossip.news_for(scene.v, scene.bank) if news.own]
    if scene.is_overheard:
        own = [news for news in own if not _is_secret(news, scene)]
    own.sort(key=lambda news: news.mood != "bad")
    return bool(own) and tell(scene, own[0])


def tell(scene: Scene, news: News, must: bool = True) -> bool:
    """Tell a piece of news in one of several word orders, for variety; `must` as for `Scene.say`.
    Return True if it is told.

    Hearsay of a happening always names its source, so that it isn't taken for a witness's account.
    """
    lang = scene.bank.lang
    roomy = len(scene.text) + len(news.wording) + ROOM[lang] <= LONGEST[lang]
    whole = _word(scene, news)
    when = find_when(whole, lang)
    rest = (
        clauses.without_when(whole, when, lang)
        if roomy and clauses.is_gathering(whole, scene.bank)
        else ""
    )
    shape = scene.rng.choice(("whole", "whole", "front", "apart")) if rest else "whole"
    sentence = {"whole": whole, "front": _front_time(rest, when, lang), "apart": rest}[shape]
    sentence = clauses.lower_initial(sentence, scene.bank)
    if not scene.say(
        _choose_act(scene, news),
        {"news": sentence, "source": casual(news.source, scene.shorts)},
        _lead_tags(scene, news),
        must,
    ):
        return False
    if shape == "apart":
        scene.say("tell_when", {"when": when})
    return True


def _word(scene: Scene, news: News) -> str:
    """Return the clause of a piece of news in the speaker's words: without details, hearsay as it is
    remembered, with short names and "today" for the day.
    """
    clause = clauses.shorten(news.wording, scene.bank, hearsay=not news.own)
    clause = as_remembered(clause, scene) if news.source and not news.own else clause
    clause = clauses.reword(casual(clause, scene.shorts), scene.rng, scene.bank)
    clause = clauses.join_spoken(clause) if news.own else clause
    return clauses.as_of(scene.v.situation.now.date(), clause, scene.bank)


def _choose_act(scene: Scene, news: News) -> str:
    """Return the act in which a piece of news is told: as one's own, as seen, or as hearsay, with its
    source or without.
    """
    quotes = (
        news.source
        and not news.clause.startswith(news.source)
        and (bool(happening_kind(news.clause, scene.bank.lang)) or scene.chance(NAMES_SOURCE))
    )
    if news.own:
        return "tell_own"
    if news.seen:
        return "tell_seen"
    return "tell_source" if quotes else "tell"


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


def tell_news(scene: Scene) -> bool:
    """Tell news on the conversation's topic, or else of a gathering or the most poignant;
    occasionally any of the first three. Short news may first be announced by a question. Of news
    that concerns only the speaker, each conversation with the same person raises the next item.
    Return True if any is told or announced.
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
    if scene.is_overheard:
        inner = [news for news in inner if not _is_secret(news, scene)]
    turn = (
        inner[max(0, scene.other.conversations - 1) % len(inner)]
        if inner and not scene.forgets
        else None
    )
    candidates = [news for news in candidates if not _is_inner(news) or news is turn]
    if not candidates:
        return False
    candidates.sort(key=lambda news: not clauses.is_gathering(news.clause, scene.bank))
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
    """Return True for news that concerns the speaker alone, unlike whom they have met."""
    return news.own and not news.topic and news.memory.predicate != MET_PREDICATE


def _is_secret(news: News, scene: Scene) -> bool:
    """Return True for a secret of the speaker's own."""
    return news.own and parting.stated_matter(scene, news.wording) == "secret"


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


def tell_grave_news(scene: Scene) -> bool:
    """Tell of a grave event in town before any other subject; return True if there is one that no
    line has told.
    """
    happened = [
        news
        for news in _find_untold(scene)
        if news.memory.poignancy >= GRAVE and happening_kind(news.clause, scene.bank.lang)
    ]
    happened = [
        news
        for news in happened
        if all(news.clause[-20:] not in line.text for line in scene.v.lines)
    ]
    return bool(happened) and tell(scene, happened[0])


def tell_own_event(scene: Scene) -> bool:
    """Tell of a gathering that the speaker gives, if no line has named it; return True if so."""
    hosted = [
        news
        for news in _find_unnamed(scene)
        if news.own and clauses.is_gathering(news.clause, scene.bank)
    ]
    return bool(hosted) and tell(scene, hosted[0])


def tell_public_news(scene: Scene) -> bool:
    """Pass on news that no line has named and that does not concern the speaker alone: gatherings
    first, then other topics, then sights and hearsay. Return True if any is told.
    """
    public = [news for news in _find_unnamed(scene) if news.mood != "bad" or not news.own]
    public.sort(key=lambda news: not clauses.is_gathering(news.clause, scene.bank))
    public += [] if scene.v.several else _find_town_news(scene)
    return bool(public) and tell(scene, public[0])


def _find_untold(scene: Scene) -> list[News]:
    """Return the news, the most poignant first; none if the speaker has told something in this talk."""
    told = scene.has_occurred(*TELLING, by=scene.me.id)
    return [] if told else gossip.news_for(scene.v, scene.bank)


def _find_town_news(scene: Scene) -> list[News]:
    """Return news without a topic that does not concern the speaker alone, the most poignant first;
    none if the speaker has told something in this talk.
    """
    return [
        news
        for news in _find_untold(scene)
        if not (news.topic or _is_inner(news) or _is_worn(news, scene))
    ]


def _find_unnamed(scene: Scene) -> list[News]:
    """Return the news with a topic that no line has named, the most poignant first; none if the
    speaker has told something in this talk.
    """
    return [
        news
        for news in _find_untold(scene)
        if news.topic and all(news.topic not in line.text for line in scene.v.lines)
    ]
