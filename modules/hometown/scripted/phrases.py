"""Phrase banks of the scripted model: frames with slots, used both to speak and to recognise lines.

A bank merges all files `data/scripted/<lang>/talking*.json`. Its frames are listed under acts
("greet", "tell", "propose"); an act with a tag ("greet.morning", "tell.scholar") is offered only in
a scene with that tag. An *exchange* is a short dialogue of its own: a question (`ask:<id>`), and
for each possible answer the *course* that the two take from it, line by line in turn
(`turn:<id>-<course>-<line>`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from hometown.clock import parse_hhmm
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.paths import DATA
from hometown.scripted.when import CLOCK, EVENING, clock_of, say_clock
from hometown.text import capital

FOLDER = DATA / "scripted"

NEWLY = frozenset({"new-here", "new-myself"})
"""Tags of exchanges with newcomers, and by them."""
SLOT = re.compile(r"\{(\w+)\}")
QUESTION_MARKS = "?？"
ENDERS = ".!?。！？…"
"""Sentence ends, which no slot contains, so that a frame never matches across two sentences."""

TEXT = rf"[^{ENDERS}”\"\s][^{ENDERS}]*?"
CLOCKS = frozenset({"time", "Time"})
"""Slots that hold a clock time and nothing else: HH:MM, which is spoken in words."""

NUMBERS = frozenset({"coins"})
"""Slots that hold a number in digits and nothing else."""


@frozen
class Frame:
    """One phrase. `fixed` is its longest part between slots, `weight` the letters of all such
    parts.
    """

    act: str
    tag: str
    text: str
    slots: frozenset[str]
    fixed: str
    weight: int
    lang: Lang

    def fill(self, slots: Mapping[str, str]) -> str:
        """Return the phrase as spoken; a slot written with a capital takes its value with one."""
        if self.slots & CLOCKS:
            slots = {**slots, **say_when(slots["time"], slots.get("day", ""), self)}
        return SLOT.sub(lambda match: _value(match[1], slots), self.text)


@frozen
class Move:
    """A frame recognised in a line, with the values of its slots."""

    act: str
    text: str
    slots: Mapping[str, str]
    tag: str = ""


@frozen
class Exchange:
    """A short dialogue. `needs` are the tags the scene must have, and `courses` the number of ways
    it can go; `gist` names it afterwards ("things found in old books"), "" if it only follows up
    news. `about` are words of the statements that it takes up; none if it fits all of its kind.
    `last_question` is the number of lines from the opening question to the last one that asks. An
    exchange that `follows` another is only opened in a talk that has had that one.
    """

    id: str
    gist: str
    needs: frozenset[str]
    courses: int
    about: tuple[str, ...] = ()
    last_question: int = 0
    follows: str = ""

    @property
    def ask(self) -> str:
        """Return the act that opens the exchange."""
        return f"ask:{self.id}"

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the acts that answer the opening question."""
        return tuple(f"turn:{self.id}-{course}-0" for course in range(self.courses))


@dataclass(frozen=True)
class Bank:
    """Frames by act, exchanges by id, and the language's word tables."""

    lang: Lang
    frames: Mapping[str, tuple[Frame, ...]]
    exchanges: Mapping[str, Exchange]
    words: Mapping[str, Any] = field(repr=False)

    @cached_property
    def synonyms(self) -> str:
        """Return the pattern of all words that have a synonym, the longest first."""
        either = {word for pair in self.words["synonyms"] for word in pair}
        return "|".join(map(re.escape, sorted(either, key=len, reverse=True)))

    @cached_property
    def surnames_first(self) -> frozenset[str]:
        """Return the surnames that come before the first name."""
        return frozenset(self.words["surnames_first"])

    def offers(
        self, act: str, tags: Iterable[str], slots: Mapping[str, str]
    ) -> tuple[list[Frame], list[Frame]]:
        """Return (general frames, frames for these tags) whose slots can all be filled."""
        tags = set(tags)
        fillable = [
            frame
            for frame in self.frames.get(act, ())
            if all(slots.get(slot.lower()) for slot in frame.slots)
        ]
        return [frame for frame in fillable if not frame.tag], [
            frame for frame in fillable if frame.tag in tags
        ]

    @cached_property
    def peers(self) -> Mapping[bool, tuple[str, ...]]:
        """Return the ids of the exchanges that have a gist, and of those that only follow up, by
        True and False; without those of newcomers, which make a group of their own.
        """
        exchanges = [each for each in self.exchanges.values() if each.needs.isdisjoint(NEWLY)]
        return {
            has_gist: tuple(
                each.id for each in exchanges if bool(each.gist) == has_gist and not each.follows
            )
            for has_gist in (True, False)
        }

    @cached_property
    def by_need(self) -> Mapping[str, tuple[Exchange, ...]]:
        """Return the exchanges by each tag that they need."""
        found: dict[str, tuple[Exchange, ...]] = {}
        for exchange in self.exchanges.values():
            for need in exchange.needs:
                found[need] = (*found.get(need, ()), exchange)
        return found

    @cached_property
    def followers(self) -> Mapping[str, tuple[Exchange, ...]]:
        """Return the exchanges that follow each exchange, by its id."""
        found: dict[str, tuple[Exchange, ...]] = {}
        for exchange in self.exchanges.values():
            if exchange.follows:
                found[exchange.follows] = (*found.get(exchange.follows, ()), exchange)
        return found

    def alike(self, frame: Frame) -> tuple[str, ...]:
        """Return the phrases for the same act and tag."""
        return self._alike[frame.act, frame.tag]

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """Return the texts of all phrases by act and tag."""
        alike: dict[tuple[str, str], list[str]] = {}
        for frames in self.frames.values():
            for frame in frames:
                alike.setdefault((frame.act, frame.tag), []).append(frame.text)
        return {key: tuple(texts) for key, texts in alike.items()}

    def recognise(self, text: str) -> tuple[Move, ...]:
        """Return the frames that a line is made of, in order; text that matches no frame, or opens
        an exchange that the bank lacks, is skipped.
        """
        return tuple(
            move
            for move in _recognise(self.lang, text)
            if not move.act.startswith("ask:") or move.act[4:] in self.exchanges
        )

    def join(self, pieces: Iterable[str]) -> str:
        """Return phrases as one line, with spaces between them unless it is Chinese."""
        return ("" if self.lang == "zh" else " ").join(pieces)


@lru_cache(maxsize=16)
def bank_for(lang: Lang, lacks: str) -> Bank:
    """Return the bank of a language without phrases that match `lacks`, a regular expression for
    things that a world does not have; an exchange is dropped as a whole.
    """
    whole = bank(lang)
    if not lacks:
        return whole
    said, words = re.compile(lacks, re.IGNORECASE), dict(whole.words)
    words["meets"] = [
        {**meet, "say": fit}
        for meet in words["meets"]
        if (fit := [text for text in meet["say"] if not said.search(text)])
    ]
    frames = {
        act: tuple(frame for frame in offered if not said.search(frame.text))
        for act, offered in whole.frames.items()
    }
    cut = {
        act.rpartition("-")[0]
        for act, offered in frames.items()
        if act.startswith("turn:") and not offered
    }
    frames = {act: () if act.rpartition("-")[0] in cut else frames[act] for act in frames}
    exchanges = {
        key: each
        for key, each in whole.exchanges.items()
        if frames[each.ask]
        and any(frames[act] for act in each.answers)
        and not said.search(each.gist)
    }
    return Bank(lang, frames, exchanges, words)


@lru_cache(maxsize=2)
def bank(lang: Lang) -> Bank:
    """Return the bank of a language, merged from its files and read once."""
    acts: dict[str, list[Frame]] = {}
    exchanges: dict[str, Exchange] = {}
    words: dict[str, Any] = {}
    for path in sorted((FOLDER / lang).glob("talking*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        words.update(content.get("words", {}))
        for act, texts in content.get("acts", {}).items():
            _add(acts, act, texts, lang)
        for entry in content.get("exchanges", []):
            exchange = Exchange(
                entry["id"],
                entry["gist"],
                frozenset(entry["needs"]),
                len(entry["courses"]),
                tuple(entry.get("about", ())),
                max(
                    (line for course in entry["courses"] for line in _asking_lines(course)),
                    default=0,
                ),
                entry.get("follows", ""),
            )
            exchanges[exchange.id] = exchange
            _add(acts, exchange.ask, entry["ask"], lang)
            for i, course in enumerate(entry["courses"]):
                for j, text in enumerate(course):
                    _add(acts, f"turn:{exchange.id}-{i}-{j}", [text], lang)
    return Bank(lang, {act: tuple(frames) for act, frames in acts.items()}, exchanges, words)


def ends_with_question(text: str) -> bool:
    """Return True if a text ends with a question."""
    return text[-1] in QUESTION_MARKS


def _asking_lines(course: list[str]) -> list[int]:
    """Return the numbers of a course's lines that ask, counted from 1, after the opening question."""
    return [number for number, text in enumerate(course, 1) if ends_with_question(text)]


def next_turn(act: str) -> str:
    """Return the act that follows a line of a course.

    >>> next_turn("turn:small_joy-0-1")
    'turn:small_joy-0-2'
    """
    course, _, line = act.rpartition("-")
    return f"{course}-{int(line) + 1}"


def _add(acts: dict[str, list[Frame]], act: str, texts: Iterable[str], lang: Lang) -> None:
    """Add the phrases of an act, written "act" or "act.tag", to the frames by act."""
    name, _, tag = act.partition(".")
    for text in texts:
        parts = SLOT.split(text)[::2]
        weight = sum(sum(map(str.isalpha, part)) for part in parts)
        slots = frozenset(SLOT.findall(text))
        acts.setdefault(name, []).append(
            Frame(name, tag, text, slots, max(parts, key=len), weight, lang)
        )


def say_when(clock: str, day: str, frame: Frame) -> dict[str, str]:
    """Return the day and the clock time of an appointment in words, as slots of a frame: this
    evening is "tonight", which a frame without a day says with the time.
    """
    today = frame.lang == "en" and day in ("today", "tonight")
    tonight = today and parse_hhmm(clock) >= EVENING
    said = say_clock(clock, frame.lang, tonight)
    if tonight and not frame.slots.isdisjoint({"day", "Day"}):
        return {"day": "tonight", "time": said.removesuffix(" tonight")}
    return {"day": day, "time": said}


def _read_slots(said: Mapping[str, str], lang: Lang) -> dict[str, str]:
    """Return the values of a frame's slots in a line, by their names in lower case; a clock time as
    HH:MM.
    """
    slots = {slot.lower(): value.strip() for slot, value in said.items()}
    if "time" in slots:
        slots["time"] = clock_of(f"{slots.get('day', '')} {slots['time']}", lang)
    return slots


def _value(slot: str, slots: Mapping[str, str]) -> str:
    """Return the value of a slot, with a capital if the slot is written with one."""
    value = slots[slot.lower()]
    return capital(value) if slot[0].isupper() else value


@lru_cache(maxsize=4096)
def _pattern(lang: Lang, text: str) -> re.Pattern[str]:
    """Return the regular expression that matches a frame's text and captures its slots."""
    parts = SLOT.split(text)
    return re.compile(
        "".join(
            re.escape(part) if i % 2 == 0 else f"(?P<{part}>{_slot(lang, part)})"
            for i, part in enumerate(parts)
        )
    )


def _slot(lang: Lang, name: str) -> str:
    """Return the regular expression of a slot's content. A plan to meet ("a look at the shelves")
    may contain words of a frame, so the bank's own plans come first.
    """
    if name in NUMBERS:
        return "[0-9]{1,9}"
    if name.lower() != "what":
        return CLOCK[lang] if name in CLOCKS else TEXT
    plans = sorted(
        (plan for meet in bank(lang).words["meets"] for plan in meet["say"]), key=len, reverse=True
    )
    return f"(?i:{'|'.join(map(re.escape, plans))})|{TEXT}"


@lru_cache(maxsize=2)
def _index(lang: Lang) -> tuple[int, Mapping[str, list[tuple[int, Frame]]]]:
    """Return the number of letters by which frames are looked up, and the numbered frames by the
    first letters of their fixed parts.
    """
    frames = [frame for offered in bank(lang).frames.values() for frame in offered]
    length = min(len(frame.fixed) for frame in frames)
    by_opening: dict[str, list[tuple[int, Frame]]] = {}
    for number, frame in enumerate(frames):
        by_opening.setdefault(frame.fixed[:length], []).append((number, frame))
    return length, by_opening


@lru_cache(maxsize=4096)
def _recognise(lang: Lang, text: str) -> tuple[Move, ...]:
    """Return the frames that a line is made of, in order. Of overlapping matches, the one with the
    most letters counts, then the earlier one.
    """
    length, by_opening = _index(lang)
    openings = {text[at : at + length] for at in range(len(text))}
    frames = sorted(each for opening in openings for each in by_opening.get(opening, ()))
    hits = [
        (frame, *found)
        for _, frame in frames
        if frame.fixed in text and (found := _find(frame, text, lang))
    ]
    hits.sort(key=lambda hit: (-hit[0].weight, hit[1], hit[0].act))
    kept: list[tuple[int, int, Move]] = []
    for frame, start, end, said in hits:
        if all(end <= left or start >= right for left, right, _ in kept):
            kept.append((start, end, Move(frame.act, frame.text, said, frame.tag)))
    return tuple(move for _, _, move in sorted(kept, key=lambda item: item[:2]))


def _find(frame: Frame, text: str, lang: Lang) -> tuple[int, int, Mapping[str, str]] | None:
    """Return where a text that contains a frame's fixed part begins and ends with the frame, and
    what its slots hold; None if it does not contain the whole of it, with a time that a day has.
    """
    if not frame.slots:
        start = text.index(frame.text)
        return start, start + len(frame.text), {}
    match = _pattern(lang, frame.text).search(text)
    slots = _read_slots(match.groupdict(), lang) if match else {}
    return (*match.span(), slots) if match and all(slots.values()) else None
