"""News: which of its memories a speaker passes on, and what it can tell about them.

A memory is told only if it was retrieved, matters, and isn't known to the other as far as the speaker's
own memories show. It is passed on as a single clause; of its path only the last teller's name is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from random import Random

from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.talking import UtteranceVars
from hometown.scripted.grammar import as_me, to_your_face
from hometown.scripted.phrases import Bank
from hometown.scripted.when import clock_of, day_of, day_words, find_when, in_figures, is_stale, without_weekday
from hometown.world.befalling import happening_kind

WORTH_TELLING = 5
"""Poignancy from which a memory is news."""

WORTH_SAYING = 4
"""Poignancy from which a thought about somebody is worth saying to them."""

LONGEST = {"en": 150, "zh": 70}
PRIVATE = ("opinion", "notice", "nerves", "concern", "thanks")
"""Kinds of statements made in confidence, which only close friends pass on."""

SHORTEST = {"en": 12, "zh": 5}
"""Minimum length of a clause that makes a sentence, and maximum length of one that fits into a line, in characters."""

MARK = {"en": 32, "zh": 12}
"""Characters by which a clause is recognised."""

_PRONOUNS = r"\b(?:she|he|they|his|her|their|hers|theirs|him|them|(?:him|her|them)sel(?:f|ves))\b"
_HEARD = {"en": re.compile(r" \(heard from ([^()]+)\)$"), "zh": re.compile(r"（听([^（）]+)说的）$")}


@dataclass(frozen=True, slots=True)
class News:
    """`clause` is in the third person and without a full stop; `wording` is how this speaker puts it.

    `topic` is a word or two to refer to it by, `source` who told it: "" where there is none. `seen`: the speaker was there.
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
    """What the speaker could tell the other of itself or of third persons, the most poignant first."""
    return [news for news in _all_news(v, bank) if not _mentioned_before(news, v, bank) and _fit_for(news, v, bank)]


def news_of(topic: str, v: UtteranceVars, bank: Bank) -> News | None:
    """News on a topic that the speaker was asked about, whether told before or not."""
    return next((news for news in _all_news(v, bank) if topic and news.topic.lower() == topic.lower()), None)


def _all_news(v: UtteranceVars, bank: Bank) -> list[News]:
    memories = [memory for memory in v.memories if _tellable(memory, v, bank)]
    items = [news for memory in memories if (news := as_news(memory, v, bank))]
    return sorted(items, key=lambda news: (-news.memory.poignancy, -news.memory.id))


def as_news(memory: Concept, v: UtteranceVars, bank: Bank) -> News | None:
    """A memory as a piece of news; None if it can't be said in one clause."""
    me, lang = v.situation.me, bank.lang
    text, source = split_source(memory.text, lang)
    clause = one_clause(text, lang)
    if not SHORTEST[lang] <= len(clause) <= LONGEST[lang]:
        return None
    own = not memory.talk and me.name in clause
    wording = as_me(clause, me.name, me.pronouns, lang) if me.name in clause else clause
    topic = topic_of(clause, bank)
    return News(memory, clause, wording, source, topic, mood_of(clause, bank), own, seen=_is_of_a_place(memory))


def _tellable(memory: Concept, v: UtteranceVars, bank: Bank) -> bool:
    if memory.type == "chat" or memory.poignancy < WORTH_TELLING or (memory.evidence and not memory.talk):
        return False
    if memory.type == "plan" and (memory.talk or memory.address or mentions(memory.text, bank.words["day_plans"])):
        return False
    heard_from_them = memory.talk and any(one.other.id in memory.about for one in v.there)
    observed = memory.type == "event" and memory.address and not memory.talk and not _is_of_a_place(memory)
    of_me = memory.talk and v.situation.me.name in memory.text
    if heard_from_them or observed or of_me or any(one.other.name in memory.text for one in v.there):
        return False
    return not is_over(memory, v.situation.now, bank.lang)


def _is_of_a_place(memory: Concept) -> bool:
    """Whether a memory is what somebody saw or heard happen at a place or to a thing, as against what people were seen doing."""
    return memory.type == "event" and "/" in memory.subject and not memory.talk


def _mentioned_before(news: News, v: UtteranceVars, bank: Bank) -> bool:
    """Whether a talk or an agreement with the other that was retrieved mentions the news; personal matters are told once or twice."""
    mark = news.topic or mark_of(news.clause, bank)
    talks = [memory for memory in v.memories if memory.type in ("chat", "plan") and mark in (memory.text if news.topic else plain_words(memory.text, bank))]
    unburdened = not news.topic and len(talks) >= (1 if news.own and news.mood == "bad" else 2)
    return unburdened or all(any(one.other.id in memory.about for memory in talks) for one in v.there)


def _fit_for(news: News, v: UtteranceVars, bank: Bank) -> bool:
    """Own worries and opinions of third persons are told to friends, secrets to close friends, the rest, and what happened in town, to anybody."""
    closeness = min(one.other.closeness for one in v.there)
    if mentions(news.clause, bank.words["secrets"]):
        return closeness >= 8
    if news.seen or happening_kind(news.clause, bank.lang):
        return True
    thought_of_third = news.own and news.memory.type == "thought" and bool(news.memory.about)
    in_confidence = not news.own and (news.mood == "bad" or kind_of(news.clause, bank) in PRIVATE)
    if (thought_of_third or in_confidence) and not news.topic:
        return closeness >= 7
    return closeness >= (6 if news.own and news.mood == "bad" else 2 if news.own else 3)


def known(v: UtteranceVars, mark: str) -> Concept | None:
    """The speaker's own memory of something it is asked about, if it has one."""
    return next((memory for memory in v.memories if mark.lower() in memory.text.lower()), None) if mark else None


def about_partner(v: UtteranceVars, bank: Bank) -> News | None:
    """News about the other person to ask about; learnt from somebody or known from the start."""
    for memory in sorted(v.memories, key=lambda item: (-item.poignancy, -item.id)):
        of_them = memory.type in ("event", "thought") and memory.text.startswith(v.other.name)
        known = bool(memory.talk) or not (memory.address or memory.evidence)
        known = known and not is_over(memory, v.situation.now, bank.lang)
        if of_them and known and memory.poignancy >= WORTH_TELLING:
            news = as_news(memory, v, bank)
            if news and news.topic and v.situation.me.name not in news.clause and not mentions(news.clause, bank.words["secrets"]):
                return news
    return None


def to_face(v: UtteranceVars, bank: Bank) -> list[News]:
    """The speaker's own thoughts and memories about the other, to be said to that person directly, the most poignant first."""
    me, lang = v.situation.me, bank.lang
    remarks: list[News] = []
    for memory in sorted(v.memories, key=lambda item: (-item.poignancy, -item.id)):
        own = memory.type != "chat" and not (memory.talk or memory.evidence or memory.address) and me.name in memory.text
        stale = is_stale(memory.text, memory.created.date(), v.situation.now.date(), lang)
        if not own or stale or memory.poignancy < WORTH_SAYING or v.other.name not in memory.text:
            continue
        news = as_news(memory, v, bank)
        if news and not _mentioned_before(replace(news, topic=""), v, bank) and not mentions(news.clause, bank.words["secrets"]):
            remarks.append(replace(news, wording=to_your_face(news.clause, me.name, me.pronouns, v.other.name, lang)))
    return remarks


def sighting(v: UtteranceVars, dull: Iterable[str]) -> tuple[str, str] | None:
    """(name, activity) of somebody else whom the speaker saw today; activities that contain a `dull` word don't count. None if there was nobody."""
    names = (v.situation.me.name, v.other.name)
    for memory in v.memories:
        seen = memory.type == "event" and memory.address and not memory.talk and "/" not in memory.subject
        if not seen or memory.created.date() != v.situation.now.date() or any(name in memory.text for name in names):
            continue
        if any(word in memory.predicate for word in dull):
            continue
        name = re.split(" is |手头|正在|从旁", memory.text)[0]
        if name != memory.text and memory.predicate and len(name) < 30:
            return name, memory.predicate
    return None


# clauses -----------------------------------------------------------------------------------


def split_source(text: str, lang: Lang) -> tuple[str, str]:
    """A memory's text without the note of its source, and the source's name or "".

    >>> split_source("Lin Yue is moving house (heard from Wang Fang)", "en")
    ('Lin Yue is moving house', 'Wang Fang')
    """
    match = _HEARD[lang].search(text)
    return (text[: match.start()], match[1]) if match else (text, "")


def with_source(clause: str, name: str, lang: Lang) -> str:
    """The inverse of `split_source`."""
    return f"{clause}（听{name}说的）" if lang == "zh" else f"{clause} (heard from {name})"


def one_clause(text: str, lang: Lang) -> str:
    """A text as one clause: no full stop at its end, further sentences behind semicolons, as many as fit.

    >>> one_clause("Lin Yue is moving. She needs boxes.", "en")
    'Lin Yue is moving; she needs boxes'
    """
    sentences = [part.strip() for part in re.split(r"[。！？!?…]+|\.(?=\s|$)", text) if part.strip()]
    clause = sentences[0] if sentences else ""
    for sentence in sentences[1:]:
        follows = "；" + sentence if lang == "zh" else "; " + re.sub(r"^(She|He|It|They|There|The|A)\b", lambda match: match[1].lower(), sentence)
        if len(clause + follows) > LONGEST[lang]:
            break
        clause += follows
    return clause


def without_when(clause: str, when: str, lang: Lang) -> str:
    """A clause without its time expression; "" if it isn't well-formed without it.

    >>> without_when("Lin Yue is giving a party on Saturday at 15:00", "Saturday at 15:00", "en")
    'Lin Yue is giving a party'
    """
    if lang == "en":
        rest = re.sub(rf",? ?(?:\bon )?{re.escape(when)}", "", clause, count=1)
    else:
        rest = re.sub(rf"，时间是{when}|(?<![，在于是定打算]){when}(?!，)", "", clause, count=1)
    return rest if when and rest != clause and not rest.startswith(("，", ",", "；")) else ""


def reworded(clause: str, rng: Random, bank: Bank) -> str:
    """A paraphrase of a clause: a day by its number, a clock time in figures, an aside omitted, a synonym."""
    when = find_when(clause, bank.lang)
    if (shorter := without_weekday(when)) != when and rng.random() < 0.5:
        clause, when = clause.replace(when, shorter), shorter
    clock = clock_of(when, bank.lang)
    if clock and clock not in clause and rng.random() < 0.5:
        clause = clause.replace(when, in_figures(when, clock, bank.lang))
    if rng.random() < 0.5:
        clause = re.sub(bank.words["asides"], "", clause)
    for word, other in bank.words["synonyms"]:
        if word in clause and rng.random() < 0.5:
            clause = clause.replace(word, other, 1)
    return clause


def mark_of(clause: str, bank: Bank) -> str:
    """The beginning of a clause, by which it is recognised in any wording."""
    return plain_words(clause, bank)[: MARK[bank.lang]]


def plain_words(text: str, bank: Bank) -> str:
    """A text without the words that `reworded` may change, pronouns (a listener may not know them), spaces and marks."""
    either = sorted({word for pair in bank.words["synonyms"] for word in pair}, key=len, reverse=True)
    return re.sub(f"{'|'.join(map(re.escape, either))}|{_PRONOUNS}|[^\\w]", "", text)


def is_over(memory: Concept, now: datetime, lang: Lang) -> bool:
    """Whether the event that a memory announces has passed, or its relative day has become misleading."""
    created = memory.created.date()
    if is_stale(memory.text, created, now.date(), lang):
        return True
    when = find_when(memory.text, lang)
    day, clock = day_of(when, created, lang), clock_of(memory.text if memory.predicate == "agree" else when, lang)
    return bool(day and clock) and f"{day} {clock}" < f"{now:%Y-%m-%d %H:%M}"


def as_of(day: date, clause: str, bank: Bank) -> str:
    """A clause with "today" for the day in it, if it is that day; a clause without a clock time stays as it is, since it may mean every week."""
    when = find_when(clause, bank.lang)
    named = day_words(when, bank.lang)
    if not named or not clock_of(when, bank.lang) or day_of(named, day, bank.lang) != day:
        return clause
    at = when.index(named) + len(named)
    return clause.replace(when, bank.words["today"] + when[at:], 1)


def topic_of(clause: str, bank: Bank) -> str:
    """The topic of a clause from the bank's list of topics; "" if it has none of them."""
    return max((topic for topic in bank.words["topics"] if _names(clause, topic)), key=len, default="")


def _names(clause: str, topic: str) -> bool:
    """Whether a topic is a word of the clause, in the plural too; Chinese ones may be part of a longer word."""
    return topic in clause and (not topic.isascii() or bool(re.search(rf"\b{re.escape(topic)}e?s?\b", clause)))


def kind_of(clause: str, bank: Bank) -> str:
    """The kind of statement: a question, thanks, a worry, an observation, a debt, or a plain statement ("plain"). The main clause decides."""
    kinds: dict[str, list[str]] = bank.words["kinds"]
    main = re.split("[，；]" if bank.lang == "zh" else ";", clause)[0]
    return next((kind for part in (main, clause) for kind, marks in kinds.items() if mentions(part, marks)), "plain")


def mood_of(clause: str, bank: Bank) -> str:
    """ "good", "bad" or "plain", by the words in a clause; what is bad outweighs what is good."""
    return "bad" if mentions(clause, bank.words["bad"]) else "good" if mentions(clause, bank.words["good"]) else "plain"


def is_gathering(clause: str, bank: Bank) -> bool:
    """Whether a clause announces a gathering that one can attend: with a day and a clock time."""
    when = find_when(clause, bank.lang)
    return mentions(clause, bank.words["gatherings"]) and bool(clock_of(when, bank.lang))


def mentions(text: str, marks: Iterable[str]) -> bool:
    """Whether one of the marks begins a word of the text (in Chinese: occurs in it)."""
    lowered = text.lower()
    return any(mark in lowered and (not mark.isascii() or re.search(rf"\b{re.escape(mark)}", lowered)) for mark in marks)
