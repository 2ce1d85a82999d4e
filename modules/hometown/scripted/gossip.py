"""Select the memories that a speaker passes on as news.

A memory is told only if it was retrieved, matters, and isn't known to the other as far as the
speaker's own memories show. It is passed on as a single clause; of its path only the last teller's
name is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hometown.agent.mind.meant import seeks_anyone
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.agent.planning.undone import UNDONE_PREDICATE
from hometown.frozen import frozen
from hometown.memory.concept import GATHERED_PREDICATE, Concept
from hometown.prompt.dialogue import UtteranceVars
from hometown.scripted.clauses import (
    LONGEST,
    SHORTEST,
    has_word,
    is_gathering,
    is_over,
    kind_of_statement,
    mark_of,
    matter_of,
    mentions,
    mood_of,
    one_clause,
    plain_words,
    split_source,
    topic_of,
)
from hometown.scripted.grammar import as_me, to_your_face
from hometown.scripted.naming import formal, names_relative, short_names
from hometown.scripted.phrases import Bank
from hometown.scripted.reference import OTHER, PRONOUNS
from hometown.scripted.when import is_stale
from hometown.scripted.words import possessive
from hometown.world.befalling import happening_kind
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.resident_names import is_named

WORTH_TELLING = 5
"""Poignancy from which a memory is news."""

OF_THE_PLAN = (DISPLACED_PREDICATE, UNDONE_PREDICATE)
"""Predicates of memories about one's own plan, which are told to nobody."""

WORTH_SAYING = 4
"""Poignancy from which a thought about the other is said to their face."""


@frozen
class News:
    """A piece of news: `clause` is in the third person and without a full stop; `wording` is this
    speaker's own. `topic` is a word or two to refer to it by, `source` its teller; "" for none.
    `own` marks news of the speaker's own life, and `seen` that they were there.
    """

    memory: Concept
    clause: str
    wording: str
    source: str
    topic: str
    mood: str
    own: bool
    seen: bool = False


def news_for(v: UtteranceVars, bank: Bank) -> list[News]:
    """Return the news that the speaker could tell about themselves or third persons, the most
    poignant first.
    """
    return [
        news
        for news in _list_news(v, bank)
        if not _is_mentioned_before(news, v, bank)
        and not _is_kept_from(news, v, bank)
        and _is_fit_for(news, v, bank)
    ]


def news_of(topic: str, v: UtteranceVars, bank: Bank) -> News | None:
    """Return the news on a topic that the speaker was asked about, told before or not; None if
    there is none.
    """
    return next(
        (news for news in _list_news(v, bank) if topic and news.topic.lower() == topic.lower()),
        None,
    )


def _list_news(v: UtteranceVars, bank: Bank) -> list[News]:
    """Return the memories that can be told to those present as news, the most poignant first."""
    memories = [memory for memory in v.memories if _is_tellable(memory, v, bank)]
    items = [news for memory in memories if (news := as_news(memory, v, bank))]
    return sorted(items, key=lambda news: (-news.memory.poignancy, -news.memory.id))


def as_news(memory: Concept, v: UtteranceVars, bank: Bank) -> News | None:
    """Return a memory as a piece of news; None if it can't be said in one clause."""
    me, lang = v.situation.me, bank.lang
    text, source = split_source(memory.text, lang)
    clause = one_clause(text, lang)
    if not SHORTEST[lang] <= len(clause) <= LONGEST[lang]:
        return None
    own = not memory.talk and me.name in clause
    clause = _name_owner(clause, v, bank) if own else clause
    wording = as_me(clause, me.name, me.pronouns, lang) if me.name in clause else clause
    topic = topic_of(clause, bank)
    return News(
        memory,
        clause,
        wording,
        source,
        topic,
        mood_of(clause, bank),
        own,
        seen=_is_of_a_place(memory),
    )


def _name_owner(clause: str, v: UtteranceVars, bank: Bank) -> str:
    """Return a clause about the speaker in which things that a listener may not know are theirs."""
    owner = possessive(v.situation.me, bank.lang).removesuffix("的")
    for bare, owned in bank.words["owned"].items():
        clause = clause.replace(bare, owned.format(their=owner))
    return clause


def _is_tellable(memory: Concept, v: UtteranceVars, bank: Bank) -> bool:
    """Return True if a memory may be told to those present: it matters, is not over, and is no
    conversation, no plan agreed on or for a day, no insight, no observed act and no hearsay about
    the speaker; those present neither told it nor appear in it.
    """
    if (
        memory.type == "chat"
        or memory.poignancy < WORTH_TELLING
        or (memory.evidence and not memory.talk)
    ):
        return False
    if memory.type == "plan" and (
        memory.talk or memory.address or mentions(memory.text, bank.words["day_plans"])
    ):
        return False
    heard_from_them = memory.talk and any(one.other.id in memory.about for one in v.there)
    observed = (
        memory.type == "event" and memory.address and not memory.talk and not _is_of_a_place(memory)
    )
    of_me = memory.talk and v.situation.me.name in memory.text
    if (
        heard_from_them
        or observed
        or of_me
        or memory.predicate in (GATHERED_PREDICATE, *OF_THE_PLAN)
        or any(
            one.other.name in memory.text or names_relative(memory.text, one.other.relation, bank)
            for one in v.there
        )
    ):
        return False
    return not is_over(memory, v.situation.now, bank.lang)


def _is_of_a_place(memory: Concept) -> bool:
    """Return True if a memory is an observation of a place or thing rather than of a person."""
    return memory.type == "event" and "/" in memory.subject and not memory.talk


def _is_mentioned_before(news: News, v: UtteranceVars, bank: Bank) -> bool:
    """Return True if, for each of those present, a talk or an agreement with them that was
    retrieved mentions the news; personal matters are told once or twice.
    """
    people = (v.situation.me.name, *(one.other.name for one in v.there), OTHER, *PRONOUNS)
    mark = news.topic or mark_of(_without(news.clause, people), bank)
    shorts = short_names(v.situation.names, bank)
    texts = (
        (memory, formal(memory.text, shorts))
        for memory in v.memories
        if memory.type in ("chat", "plan")
    )
    talks = [
        memory
        for memory, text in texts
        if mark in (text if news.topic else plain_words(_without(text, people), bank))
    ]
    unburdened = not news.topic and len(talks) >= (1 if news.own and news.mood == "bad" else 2)
    return unburdened or all(
        any(one.other.id in memory.about for memory in talks) for one in v.there
    )


def _is_kept_from(news: News, v: UtteranceVars, bank: Bank) -> bool:
    """Return True if the news has a word of a topic that the speaker keeps from one of those
    present, according to a memory that names them.
    """
    kept = [
        topic_of(memory.text, bank)
        for memory in v.memories
        if not memory.talk
        and mentions(memory.text, bank.words["kept_from"])
        and any(
            one.other.name in memory.text or names_relative(memory.text, one.other.relation, bank)
            for one in v.there
        )
    ]
    return any(has_word(news.clause, word) for topic in kept for word in topic.split())


def _without(text: str, names: Iterable[str]) -> str:
    """Return a text without names, for which another wording may have pronouns."""
    for name in names:
        text = text.replace(name, "")
    return text


def _is_fit_for(news: News, v: UtteranceVars, bank: Bank) -> bool:
    """Return True if all listeners are close enough for a piece of news: secrets need a close
    friend, opinions of third persons a friend, gatherings and candidatures nobody in particular,
    other news only some closeness. What was heard of residents in a conversation goes no further,
    unless it has a topic and is more than a wish.
    """
    closeness = min(one.other.closeness for one in v.there)
    if mentions(news.clause, bank.words["secrets"]):
        return closeness >= 8
    if news.seen or happening_kind(news.clause, bank.lang) or _is_for_all(news.memory, bank):
        return True
    public = is_gathering(news.clause, bank) or matter_of(news.wording, bank) == "candidate"
    if news.topic and news.mood != "bad" and public:
        return True
    is_matter = news.topic and kind_of_statement(news.clause, bank) != "request"
    if news.memory.talk and not is_matter and _is_of_residents(news.clause, v):
        return False
    if news.own and news.memory.type == "thought" and news.memory.about and not news.topic:
        return closeness >= 7
    return closeness >= (6 if news.own and news.mood == "bad" else 2 if news.own else 3)


def _is_for_all(memory: Concept, bank: Bank) -> bool:
    """Return True for an inner voice's words that are for anyone or everyone."""
    return memory.predicate == VOICE_PREDICATE and seeks_anyone(memory.text, bank.lang)


def _is_of_residents(clause: str, v: UtteranceVars) -> bool:
    """Return True if a clause names a resident, by the whole name or the given one."""
    return any(is_named(name, clause) for _, name in v.situation.names)


def find_memory(v: UtteranceVars, mark: str) -> Concept | None:
    """Return the speaker's own memory about a subject of a question, or None."""
    return (
        next((memory for memory in v.memories if mark.lower() in memory.text.lower()), None)
        if mark
        else None
    )


def about_partner(v: UtteranceVars, bank: Bank) -> News | None:
    """Return news about the other to ask them about, heard from a third person or known from the
    start; None if there is none.
    """
    for memory in sorted(v.memories, key=lambda item: (-item.poignancy, -item.id)):
        of_them = memory.type in ("event", "thought") and memory.text.startswith(v.other.name)
        known = bool(memory.talk) or not (memory.address or memory.evidence)
        known = known and not is_over(memory, v.situation.now, bank.lang)
        if of_them and known and memory.poignancy >= WORTH_TELLING:
            news = as_news(memory, v, bank)
            if (
                news
                and news.topic
                and v.situation.me.name not in news.clause
                and not mentions(news.clause, bank.words["secrets"])
            ):
                return news
    return None


def to_face(v: UtteranceVars, bank: Bank) -> list[News]:
    """Return the speaker's own thoughts and memories about the other, to be said to that person
    directly, the most poignant first.
    """
    me, lang = v.situation.me, bank.lang
    remarks: list[News] = []
    for memory in sorted(v.memories, key=lambda item: (-item.poignancy, -item.id)):
        own = (
            memory.type != "chat"
            and memory.predicate not in OF_THE_PLAN
            and not (memory.talk or memory.evidence or memory.address)
            and me.name in memory.text
        )
        stale = is_stale(memory.text, memory.created.date(), v.situation.now.date(), lang)
        if not own or stale or memory.poignancy < WORTH_SAYING or v.other.name not in memory.text:
            continue
        news = as_news(memory, v, bank)
        if (
            news
            and not _is_mentioned_before(replace(news, topic=""), v, bank)
            and not mentions(news.clause, bank.words["secrets"])
        ):
            remarks.append(
                replace(
                    news,
                    wording=to_your_face(news.clause, me.name, me.pronouns, v.other.name, lang),
                )
            )
    return remarks
