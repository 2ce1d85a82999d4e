"""Split clauses of news from their sources, reword them, and find their topic, kind and mood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import lru_cache
from random import Random

from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.wording import fitting
from hometown.scripted.phrases import Bank
from hometown.scripted.when import (
    clock_of,
    day_of,
    day_words,
    find_when,
    is_relative,
    is_stale,
    with_clock,
    without_weekday,
)

LONGEST = {"en": 150, "zh": 70}
SHORTEST = {"en": 12, "zh": 5}
"""Maximum length of a clause that fits into a line, and minimum length of one that makes a
sentence, in characters.
"""

MARK = {"en": 32, "zh": 12}
"""Number of leading characters that identify a clause."""

_FURTHER = r";|, and (?:I|he|she|they)\b"
"""Pattern of the end of a main clause, as it is written or spoken."""

_PRONOUNS = r"\b(?:she|he|they|his|her|their|hers|theirs|him|them|(?:him|her|them)sel(?:f|ves))\b"
_HEARD = {
    "en": re.compile(r" \(heard from ([^()]+)\)$"),
    "zh": re.compile(r"（听([^（）]+)说的）$"),
}


def split_source(text: str, lang: Lang) -> tuple[str, str]:
    """Return a memory's text without the note of its source, and the source's name or "".

    >>> split_source("Lin Yue is moving house (heard from Wang Fang)", "en")
    ('Lin Yue is moving house', 'Wang Fang')
    """
    match = _HEARD[lang].search(text)
    return (text[: match.start()], match[1]) if match else (text, "")


def with_source(clause: str, name: str, lang: Lang) -> str:
    """Append the source's name to a clause; the inverse of `split_source`."""
    return f"{clause}（听{name}说的）" if lang == "zh" else f"{clause} (heard from {name})"


def fitting_source(clause: str, name: str, lang: Lang, longest: int) -> str:
    """Return `with_source` in at most `longest` characters: a clause that is too long is shortened,
    and the source stays whole.
    """
    sourced = with_source(clause, name, lang)
    return (
        sourced
        if len(sourced) <= longest
        else with_source(fitting(clause, longest - len(with_source("", name, lang))), name, lang)
    )


@lru_cache(maxsize=1 << 12)
def one_clause(text: str, lang: Lang) -> str:
    """Return a text as one clause: without its full stop, and with as many further sentences behind
    semicolons as fit.

    >>> one_clause("Lin Yue is moving. She needs boxes.", "en")
    'Lin Yue is moving; she needs boxes'
    """
    sentences = [
        part.strip()
        for part in re.split(
            r"[。！？!?…]+(?![。！？!?…”’])|(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)\.(?=\s|$)", text
        )
        if part.strip()
    ]
    clause = sentences[0] if sentences else ""
    for sentence in sentences[1:]:
        follows = (
            "；" + sentence
            if lang == "zh"
            else "; "
            + re.sub(r"^(She|He|It|They|There|The|A)\b", lambda match: match[1].lower(), sentence)
        )
        if len(clause + follows) > LONGEST[lang]:
            break
        clause += follows
    return clause


def without_when(clause: str, when: str, lang: Lang) -> str:
    """Return a clause without its time expression; "" if it isn't well-formed without it.

    >>> without_when("Lin Yue is giving a party on Saturday at 15:00", "Saturday at 15:00", "en")
    'Lin Yue is giving a party'
    """
    if lang == "en":
        rest = re.sub(rf",? ?(?:\bon )?{re.escape(when)}", "", clause, count=1)
    else:
        said = re.escape(when)
        rest = re.sub(rf"，时间是{said}|(?<![，在于是定打算]){said}(?!，)", "", clause, count=1)
    return rest if when and rest != clause and not rest.startswith(("，", ",", "；")) else ""


def shorten(clause: str, bank: Bank, hearsay: bool) -> str:
    """Return a clause without the details that nobody passes on in one breath, by the bank's
    patterns; those of `hearsay` leave out more.
    """
    patterns = bank.words["details"]["hearsay" if hearsay else "own"]
    for pattern, rest in patterns:
        clause = re.sub(pattern, rest, clause)
    return clause


def reword(clause: str, rng: Random, bank: Bank) -> str:
    """Return a clause as it is spoken: its clock time in words, and by chance a day by its number,
    an aside omitted, "seven thirty" for "half past seven", a synonym.
    """
    when = find_when(clause, bank.lang)
    if (shorter := without_weekday(when)) != when and rng.random() < 0.5:
        clause, when = clause.replace(when, shorter), shorter
    if clock := clock_of(when, bank.lang):
        clause = clause.replace(when, with_clock(when, clock, bank.lang))
    if rng.random() < 0.5:
        clause = re.sub(bank.words["asides"], "", clause)
    if rng.random() < 0.5:
        clause = re.sub(r"\bhalf past (\w+)", r"\1 thirty", clause)
    for word, other in bank.words["synonyms"]:
        if word in clause and rng.random() < 0.5:
            clause = clause.replace(word, other, 1)
    return clause


def mark_of(clause: str, bank: Bank) -> str:
    """Return the beginning of a clause without variable words, which identifies it in any wording."""
    return plain_words(clause, bank)[: MARK[bank.lang]]


def plain_words(text: str, bank: Bank) -> str:
    """Return a text without the words that `reword` may change, pronouns (a listener may not know
    them), spaces and marks.
    """
    return re.sub(f"{bank.synonyms}|{_PRONOUNS}|[^\\w]", "", text)


def is_over(memory: Concept, now: datetime, lang: Lang) -> bool:
    """Return True if the event that a memory announces has passed, or its relative day has become
    misleading.
    """
    created = memory.created.date()
    if is_stale(memory.text, created, now.date(), lang):
        return True
    when = find_when(memory.text, lang)
    day, clock = (
        day_of(when, created, lang),
        clock_of(memory.text if memory.predicate == "agree" else when, lang),
    )
    return bool(day and clock) and f"{day} {clock}" < f"{now:%Y-%m-%d %H:%M}"


def as_of(day: date, clause: str, bank: Bank) -> str:
    """Return a clause with "today" for the day in it, if it is that day, or "tomorrow" if it is the
    next; a clause without a clock time stays as it is, since it may mean every week.
    """
    when = find_when(clause, bank.lang)
    named = day_words(when, bank.lang)
    meant = day_of(when, day, bank.lang) if named and clock_of(when, bank.lang) else None
    ahead = (meant - day).days if meant else -1
    if ahead not in (0, 1) or is_relative(when, bank.lang):
        return clause
    hour = re.sub("^（.*?）", "", when.partition(named)[2])
    said = bank.words[("today", "tomorrow")[ahead]] + hour
    return clause.replace(when, re.sub("^today (?=morning|afternoon|evening)", "this ", said), 1)


def as_dated(day: date, clause: str, bank: Bank) -> str:
    """Return a clause with the weekday for "tomorrow" with a clock time, which would mislead on the
    next day; the inverse of `as_of`.
    """
    when, tomorrow = find_when(clause, bank.lang), bank.words["tomorrow"]
    if not when.startswith(tomorrow) or not clock_of(when, bank.lang):
        return clause
    weekday = bank.words["weekdays"][(day + timedelta(1)).weekday()]
    on_day = bank.words["on_weekday"].format(weekday=weekday)
    return clause.replace(when, on_day + when.removeprefix(tomorrow), 1)


def join_spoken(clause: str) -> str:
    """Return a clause of one's own whose further sentences are joined as they are spoken.

    >>> join_spoken("I plan to run a half marathon; I would like company")
    "I plan to run a half marathon, and I'd like company"
    """
    return re.sub(r"; I (?=\w)", ", and I ", clause.replace("; I would like", ", and I'd like"))


def lower_initial(text: str, bank: Bank) -> str:
    """Return a clause for the middle of a sentence: with a small initial, unless it begins with a
    name.
    """
    first = text.partition(" ")[0]
    return first.lower() + text[len(first) :] if first in bank.words["lowered"] else text


def topic_of(clause: str, bank: Bank) -> str:
    """Return the topic of a clause from the bank's list of topics; "" if it has none of them."""
    return max(
        (topic for topic in bank.words["topics"] if has_word(clause, topic)), key=len, default=""
    )


def has_word(clause: str, word: str) -> bool:
    """Return True if a clause has a word, in the plural too; Chinese ones may be part of a longer
    word.
    """
    return word in clause and (
        not word.isascii() or bool(re.search(rf"\b{re.escape(word)}e?s?\b", clause))
    )


def kind_of_statement(clause: str, bank: Bank) -> str:
    """Return the kind of statement, by the bank's words: "open" wherever its words stand, else such
    as "thanks" or "debt", for which the main clause decides before the whole; "plain" for none.
    """
    kinds: dict[str, list[str]] = bank.words["kinds"]
    if mentions(clause, kinds["open"]):
        return "open"
    main = re.split("[，；]" if bank.lang == "zh" else _FURTHER, clause)[0]
    return next(
        (kind for part in (main, clause) for kind, marks in kinds.items() if mentions(part, marks)),
        "plain",
    )


def matter_of(clause: str, bank: Bank) -> str:
    """Return the matter of a statement that a speaker makes about their own life ("money",
    "missing"); "" if the bank has none for it. The main clause decides before the whole.
    """
    matters: dict[str, list[str]] = bank.words["matters"]
    main = re.split("；" if bank.lang == "zh" else _FURTHER, clause)[0]
    return next(
        (
            matter
            for part in (main, clause)
            for matter, marks in matters.items()
            if mentions(part, marks)
        ),
        "",
    )


def mood_of(clause: str, bank: Bank) -> str:
    """Return "good", "bad" or "plain" by the words in a clause; a bad word outweighs a good one."""
    return (
        "bad"
        if mentions(clause, bank.words["bad"])
        else "good"
        if mentions(clause, bank.words["good"])
        else "plain"
    )


def is_gathering(clause: str, bank: Bank) -> bool:
    """Return True if a clause announces a gathering open to others, with a day and a clock time."""
    when = find_when(clause, bank.lang)
    return mentions(clause, bank.words["gatherings"]) and bool(clock_of(when, bank.lang))


def mentions(text: str, marks: Iterable[str]) -> bool:
    """Return True if a word of the text begins with one of the marks (in Chinese: the text contains
    one).
    """
    lowered = text.lower()
    return any(
        mark in lowered and (not mark.isascii() or _word_start(mark).search(lowered))
        for mark in marks
    )


@lru_cache(maxsize=1 << 11)
def _word_start(mark: str) -> re.Pattern[str]:
    """Return a pattern that matches a mark at the start of a word."""
    return re.compile(rf"\b{re.escape(mark)}")
