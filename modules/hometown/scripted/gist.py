"""The gist of a memory: without the frame of a thought, the course of a conversation, or its
source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.prompt import Situation
from hometown.scripted.clauses import split_source
from hometown.scripted.naming import formal, short_names
from hometown.scripted.noticing import weight
from hometown.scripted.phrases import bank as phrase_bank
from hometown.scripted.reference import PRONOUNS, name_in_return, name_teller
from hometown.scripted.words import bare, clip, known_names, read_bank, sentences

DEPTH = 3
"""Nested frames that are removed at most."""

WEIGHTY = 6
"""Minimum weight at which a subject of conversation is remembered. Agreements are remembered as
plans instead.
"""

CHATTER = ("sum_about", "sum_small", "sum_known", "sum_agreed")
"""Acts of a summary that yield no thought: small talk, old news, and agreements, which are
remembered as plans.
"""

TELLER_PRONOUNS = ("she", "he")
"""Pronouns that stand for the teller at the beginning of news in a summary, in English. Verbs after
"they" would have another form than after a name.
"""


def gist(memory: Concept, situation: Situation, lang: Lang, limit: int) -> str:
    """Return at most `limit` characters of a memory for use within another sentence, without a full
    stop: the point of a conversation, or its last sentence if it has none; the core of a thought
    without its frame; or the text of any other memory. Thoughts about thoughts would otherwise grow
    with every reflection.
    """
    if memory.type == "chat":
        text = (
            takeaway(memory, situation, lang).text
            or (sentences(memory.text, lang) or [memory.text])[-1]
        )
    else:
        text = remove_frame(memory.text, lang) if memory.type == "thought" else memory.text
    text, _ = split_source(bare(text), lang)
    text = re.sub(
        "：(?![“\\d])" if lang == "zh" else ": (?!“)", "；" if lang == "zh" else "; ", text
    )
    core = bare(clip(text, limit, lang)) or clip(memory.text, limit, lang)
    first, _, rest = core.partition(" ")
    return f"{first.lower()} {rest}" if rest and first in _function_words(lang) else core


@frozen
class Takeaway:
    """The point of a conversation that is worth remembering, "" if there is none; `news` if it came
    from the other.
    """

    text: str
    news: bool


def takeaway(chat: Concept, situation: Situation, lang: Lang) -> Takeaway:
    """Return the most important point that the other told or both discussed, without the resident's
    own statements and the circumstances of the meeting.
    """
    heard = [
        point for point in _list_points(chat, situation, lang) if point.teller != situation.me.name
    ]
    best = max(heard, key=lambda point: point.worth, default=None)
    return Takeaway(best.text, bool(best.teller)) if best else Takeaway("", False)


def is_light(chat: Concept, situation: Situation, lang: Lang) -> bool:
    """Return True if nothing of weight was said in a conversation, by whomever."""
    return not any(_list_points(chat, situation, lang))


@frozen
class _Point:
    """A point of a conversation: what was said, by whom ("" for both), and how much it weighs."""

    text: str
    teller: str
    worth: int


def _list_points(chat: Concept, situation: Situation, lang: Lang) -> Iterator[_Point]:
    """Yield the points of a conversation that are worth remembering."""
    known, me = known_names(situation), situation.me.name
    telling = _telling_pattern(
        (me, *(known[person] for person in chat.about if person in known)), lang
    )
    shorts = short_names(situation.names, phrase_bank(lang))
    met, *parts = sentences(formal(chat.text, shorts), lang) or [""]
    match sorted((name for name in (me, *known.values()) if name in met), key=met.index):
        case [first, second]:
            parts = [name_teller(part, first, second, situation.me) for part in parts]
        case _:
            parts = name_in_return(parts, situation.me)
    for part in parts:
        if any(move.act in CHATTER for move in phrase_bank(lang).recognise(part)):
            continue
        match = telling.match(part)
        worth = weight(part, lang) + WEIGHTY * bool(match)
        if worth >= WEIGHTY:
            yield _Point(
                _name_teller(match) if match else part, match["teller"] if match else "", worth
            )


def _name_teller(telling: re.Match[str]) -> str:
    """Return the news that a sentence tells, with the teller's name for their pronoun."""
    news = telling["news"]
    if news.startswith(PRONOUNS):
        return telling["teller"] + news[1:]
    first, space, rest = news.partition(" ")
    return telling["teller"] + space + rest if first in TELLER_PRONOUNS else news


@lru_cache(maxsize=1024)
def _telling_pattern(people: tuple[str, ...], lang: Lang) -> re.Pattern[str]:
    """Return the pattern of sentences in which one of these people tells news."""
    anybody = "|".join(map(re.escape, people))
    return re.compile(
        read_bank(lang, "reflecting")["telling"].replace("{anybody}", f"(?:{anybody})")
    )


@lru_cache(maxsize=4096)
def remove_frame(text: str, lang: Lang) -> str:
    """Return the gist of a thought that was made from these frames.

    >>> remove_frame("Lin Yue takes this to heart: the club meets on Saturday at 15:00.", "en")
    'the club meets on Saturday at 15:00'
    """
    for _ in range(DEPTH):
        matches = (pattern.fullmatch(text) for fixed, pattern in _frames(lang) if fixed in text)
        match = next((match for match in matches if match), None)
        if match is None:
            break
        text = match["gist"]
    return text


@lru_cache(maxsize=4096)
def is_hollow(text: str, lang: Lang) -> bool:
    """Return True if a thought is of a frame that holds no gist, so that no further thought can
    refer to it.

    >>> is_hollow("Tom Reed listens well, and Lin Yue knows it.", "en"), is_hollow("Lin Yue misses her daughter.", "en")
    (True, False)
    """
    return any(pattern.fullmatch(text) for fixed, pattern in _frames(lang, False) if fixed in text)


@lru_cache(maxsize=4)
def _frames(lang: Lang, full: bool = True) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the longest fixed part and the pattern of each frame of thoughts that holds a gist, or
    of each that holds none (`full=False`).
    """
    groups = read_bank(lang, "reflecting")
    frames = [
        frame
        for group in ("insights", "chats")
        for phrases in groups[group].values()
        for frame in phrases
    ]
    return tuple(_frame(frame) for frame in frames if ("{gist}" in frame) == full)


def _frame(frame: str) -> tuple[str, re.Pattern[str]]:
    """Return the longest fixed part of a frame, and the pattern that matches thoughts made from it."""
    parts = re.split(r"\{(\w+)\}", frame)
    fixed = max(parts[::2], key=len)
    fields = ["(?P<gist>.+?)" if name == "gist" else ".+?" for name in parts[1::2]]
    texts = [re.escape(part) for part in parts[::2]]
    return fixed.rstrip(".。"), re.compile(
        "".join(text + field for text, field in zip(texts, [*fields, ""], strict=True))
    )


@lru_cache(maxsize=2)
def _function_words(lang: Lang) -> frozenset[str]:
    return frozenset(read_bank(lang, "reflecting")["lower"])
