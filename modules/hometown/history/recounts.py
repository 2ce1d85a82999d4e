"""Summaries of conversations for readers: with names where they are first needed, and without the
date and the hour, which stand above them.
"""

from __future__ import annotations

import re

from hometown.history.familiar import GivenNames, Mentions
from hometown.history.spoken_time import SpokenTime
from hometown.language import Lang
from hometown.scripted.places import speak_places
from hometown.scripted.reference import OTHER
from hometown.text import coverage, split_sentences
from hometown.world.conversation import Conversation

REPEATED_SHARE = 0.6
"""Share of a sentence's trigrams in what stands above it from which on it is not printed."""

SHORTEST_SENTENCE = {"en": 45, "zh": 22}
"""Minimum length of a sentence that says more than that some talked, in characters."""

_STAMP = {
    "en": re.compile(r"(?<=[a-z]),? (?:at|around|about) \d\d?:\d\d(?= [A-Z])|^At \d\d?:\d\d,? "),
    "zh": re.compile(
        r"^(?:\d{4}年)?\d+月\d+日(?:周.|星期.)?(?:上午|中午|下午|傍晚|晚上)?(?:\d\d?[:：]\d\d)?，?"
        r"(?:在[^，]{2,14}，)?"
    ),
}
"""The date, the hour and, in Chinese, the place with which a summary begins."""

_PRONOUN = {"en": re.compile(r"\s*(?:He|She)\b"), "zh": re.compile("[他她](?!们)")}
"""The beginning of a sentence with a pronoun that refers to the sentence before."""

_STAMPED = 60
"""Number of characters at the beginning of a summary within which its stamp stands."""


def tell_summary(talk: Conversation, names: GivenNames, lang: Lang) -> str:
    """Return the summary of a conversation that stands under the names of those who took part."""
    text = Mentions(names, talk.people).shorten(_name_other(talk, names))
    return speak_places(text, lang)


def recount_alone(talk: Conversation, names: GivenNames, lang: Lang) -> str:
    """Return the summary of a conversation that stands by itself, without its stamp."""
    text = Mentions(names).shorten(_strip(_name_other(talk, names), lang))
    return speak_places(SpokenTime(lang).speak_hours(text), lang)


def recount_briefly(talk: Conversation, names: GivenNames, lang: Lang, above: str) -> str:
    """Return the summary of a conversation for print, without what stands `above` it: its stamp,
    and the sentences that say no more or nearly nothing.
    """
    text = _strip(_name_other(talk, names), lang)
    kept = [
        sentence
        for sentence in split_sentences(text)
        if coverage(above, sentence) < REPEATED_SHARE
        and OTHER not in sentence
        and len(sentence.strip()) >= SHORTEST_SENTENCE[lang]
    ]
    while kept and _PRONOUN[lang].match(kept[0]):
        kept.pop(0)
    return speak_places(SpokenTime(lang).speak_hours("".join(kept).strip()), lang)


def _strip(text: str, lang: Lang) -> str:
    """Return a summary without its stamp."""
    return _STAMP[lang].sub("", text[:_STAMPED], count=1) + text[_STAMPED:]


def _name_other(talk: Conversation, names: GivenNames) -> str:
    """Return the summary of a conversation; a Chinese one of a talk of two with a name for who it
    calls the other.
    """
    text, full = talk.summary, names.full
    if len(talk.people) != 2 or OTHER not in text:
        return text
    named = {who: text.find(full[who]) for who in talk.people if who in full and full[who] in text}
    first = min(named, key=lambda who: named[who], default=talk.people[0])
    return text.replace(OTHER, next(full.get(who, OTHER) for who in talk.people if who != first))
