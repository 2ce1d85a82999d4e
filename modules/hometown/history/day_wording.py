"""The words of a resident's day, as they would tell it: hours, places and speech in the run's
language, and memories in the first person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from hometown.clock import HOUR_WORDS, minute_of_day
from hometown.history.familiar import GivenNames
from hometown.history.names import Names, join_names
from hometown.history.quotes import QUESTION_MARKS
from hometown.language import Lang
from hometown.scripted.grammar import as_me, my_activity, to_your_face
from hometown.scripted.words import clip
from hometown.text import catalogue, nest_quotes
from hometown.world.conversation import Line
from hometown.world.world import sector_of

HOURS = (5, 8, 11, 12, 13.5, 15, 17, 19, 22)
"""Hours at which the parts of a day begin that have a name of their own, after the night."""

SENTENCE_ENDS = ".!?。！？…”"

MAX_NAMED = 4
"""Maximum number of residents named in an enumeration."""

LONGEST_NEWS = {"en": 120, "zh": 42}
"""Maximum length of news that is not quoted, in characters."""

PASSING = ("in_time_for", "looking_for", "waiting_for_resident", "waiting_until_alone")
"""Keys of activities that only lead to others."""

_CLAUSE = "that|because|whether|how|why|what|when|if|as|and|but|where"
"""Words before the subject of an English clause."""

_KEPT_VERB = re.compile(r"\b(?:and|but) (?:\w+ly )?[a-z]+[^s\W]s\b")

_JOINED = {"en": r" and |'s", "zh": "和|跟|与|、|的"}
"""The words after a name that is not the whole subject of its sentence."""

_CLOCK = re.compile(r"(?<![\d:：])([01]?\d|2[0-3])[:：]([0-5]\d)(?!\d)")

_THIRD = {"en": r"\b(?:{})\b", "zh": "(?<![吉其])(?:{})(?![们人])"}
"""Patterns of a resident's pronouns, to be filled."""


class DayWording:
    """The words of one resident's days."""

    def __init__(self, names: Names, given: GivenNames, lang: Lang, who: str) -> None:
        self.names, self.given, self.lang, self.who = names, given, lang, who
        self.words = catalogue(lang, "day")
        self.persona = names.persona(who)

    # people, places and times ---------------------------------------------------------------

    def name(self, who: str) -> str:
        """Return the given name of a resident; "I" for the one whose day it is."""
        if who == self.who:
            return self.words["I"]
        return self.given.given.get(who) or self.names.person(who)

    def people(self, ids: Sequence[str]) -> str:
        """Join given names into an enumeration; of many, the first; "" for nobody."""
        named = [self.name(who) for who in dict.fromkeys(ids)]
        return join_names(named, self.words, MAX_NAMED) if named else ""

    def at(self, address: str) -> str:
        """Return where something happened: at home, outdoors, or at a building."""
        sector = sector_of(address)
        world = self.names.world
        if self.persona and sector == sector_of(self.persona.home):
            return self.words["at_home"]
        if world and world.name_of(sector) == world.name_of("outdoors"):
            return self.words["outdoors"]
        return self.words["at"].format(place=self.short(self.names.building(sector)))

    def nearby(self, text: str, address: str) -> str:
        """Return a text with the building of an address in place of its room."""
        sector, place = sector_of(address), self.names.place(address)
        if self.persona and sector == sector_of(self.persona.home):
            return text.replace(self.words["at"].format(place=place), self.words["at_home"])
        return text.replace(place, self.names.building(sector)) if place else text

    def adverb(self, at: str, when: str, *, front: bool = False) -> str:
        """Return the words that say where and when something happened, either of which may be "",
        for the end of a sentence or for its front.
        """
        if not at and not when:
            return ""
        if self.lang == "zh":
            return f"{when}{at}，"
        return (
            f"{', '.join(filter(None, (when, at)))}, "
            if front
            else f" {at} {when}".replace("  ", " ").rstrip()
        )

    def hours(self, moment: datetime) -> str:
        """Return the part of the day."""
        part = sum(minute_of_day(moment) >= 60 * hour for hour in HOURS)
        return self.words["hours"].split("|")[part]

    def clock(self, moment: datetime) -> str:
        """Return a time of day as it is spoken, to the quarter of an hour."""
        minute = minute_of_day(moment)
        near = round(minute / 15) * 15
        hour, quarter = near // 60 % 24, near % 60 // 15
        key = f"clock_{quarter}" if near == minute else f"clock_about_{quarter}"
        if self.lang == "en":
            this, after = HOUR_WORDS[(hour - 1) % 12], HOUR_WORDS[hour % 12]
        else:
            numerals = self.words["hour_words"].split()
            this, after = numerals[(hour - 1) % 12], numerals[hour % 12]
        return self.words[key].format(hour=this, next=after)

    def due(self, moment: datetime, today: date) -> str:
        """Return the day and the time of an appointment."""
        days = (moment.date() - today).days
        key = {0: "today_at", 1: "tomorrow_at"}.get(days, "weekday_at" if days < 7 else "date_at")
        return self.words[key].format(
            weekday=self.words["weekdays"].split()[moment.weekday()],
            month=self.words["months"].split()[moment.month - 1],
            day=moment.day,
            hours=self._half(moment.hour),
            time=self.clock(moment),
        )

    # sentences ------------------------------------------------------------------------------

    def short(self, text: str) -> str:
        """Return a text with given names."""
        return self.given.replace(text, lambda who: self.given.given[who])

    def without_names(self, text: str) -> str:
        """Return a text without the names of residents."""
        return (
            self.given.replace(text, lambda _: "")
            if self.lang == "en"
            else re.sub("|".join(map(re.escape, self.given.full.values())), "", text)
        )

    def mine(self, text: str, others: Sequence[str] = ()) -> str:
        """Return a sentence of the resident's memory in the first person, without its full stop;
        "" where that cannot be done safely: the resident is named in the midst of it, or a pronoun
        might be another's.

        Args:
            text: The memory.
            others: Those who may be meant by a pronoun although the memory does not name them.
        """
        text = text.strip().rstrip(".。")
        name = self.names.person(self.who)
        pronouns = self.persona.pronouns if self.persona else ()
        own = self._own_pronoun()
        if name not in text:
            safe = not own.search(text) or self._names_another_like(text, pronouns)
            return self.speak_hours(self.short(text)) if safe else ""
        if not text.startswith(name) or text.count(name) > 1:
            return ""
        if re.match(_JOINED[self.lang], text[len(name) :]):
            return ""
        alike = any(self._is_like(other, pronouns) for other in others)
        if own.search(text) and (alike or self._names_another_like(text, pronouns)):
            return ""
        return self.speak_hours(self.short(as_me(text, name, pronouns, self.lang)))

    def _own_pronoun(self) -> re.Pattern[str]:
        pronouns = self.persona.pronouns if self.persona else ()
        return re.compile(_THIRD[self.lang].format("|".join(map(re.escape, pronouns)) or "$^"))

    def to(self, text: str, other: str) -> str:
        """Return a sentence of the resident's memory about somebody who has just been named: in
        Chinese as they would say it to them.
        """
        mine, theirs = self.names.person(self.who), self.names.person(other)
        pronouns = self.persona.pronouns if self.persona else ()
        if self.lang == "zh":
            text = to_your_face(text.strip().rstrip("。"), mine, pronouns, theirs, self.lang)
            return self.speak_hours(self.short(text))
        return self._with_pronouns(self.mine(text), other)

    def _with_pronouns(self, text: str, other: str) -> str:
        """Return an English sentence in which somebody who has just been named has pronouns."""
        persona, name = self.names.persona(other), re.escape(self.name(other))
        if persona is None or len(persona.pronouns) < 3 or persona.pronouns[0] == "they":
            return text
        subject, objective, possessive = persona.pronouns
        text = re.sub(rf"\b{name}'s\b", possessive, text)
        text = re.sub(rf"\b({_CLAUSE}) {name}\b", rf"\1 {subject}", text)
        return re.sub(rf"\b{name}\b", objective, text)

    def _names_another_like(self, text: str, pronouns: tuple[str, ...]) -> bool:
        """Return True if a text names another resident with the same pronouns."""
        return any(
            other != self.who and full in text and self._is_like(other, pronouns)
            for other, full in self.given.full.items()
        )

    def _is_like(self, other: str, pronouns: tuple[str, ...]) -> bool:
        persona = self.names.persona(other)
        return persona is not None and persona.pronouns[:1] == pronouns[:1]

    def of_teller(self, matter: str, teller: str) -> str:
        """Return a matter as the resident passes on what a teller said: with a pronoun for the
        teller; "" if the resident is named in it.
        """
        if self.names.person(self.who) in matter or self.given.given[self.who] in matter:
            return ""
        name, persona = self.names.person(teller), self.names.persona(teller)
        subject = persona.pronouns[0] if persona and persona.pronouns else "they"
        if subject != "they" and re.match(re.escape(name) + r"(?! and |'s|和|跟|与|、|的)", matter):
            rest = matter.removeprefix(name)
            pronouns = self.persona.pronouns if self.persona else ()
            if self._is_like(teller, pronouns) and self._own_pronoun().search(rest):
                return ""
            matter = subject + rest
        return self.speak_hours(clip(self.short(matter), LONGEST_NEWS[self.lang], self.lang))

    def clause(self, text: str) -> str:
        """Return a sentence as a clause after "that": without a capital, unless a name has it."""
        first = re.match(r"\w+", text)
        names = {name.split()[0] for name in self.given.full.values()}
        if self.lang == "zh" or not first or first[0] == "I" or first[0] in names:
            return text
        return text[:1].lower() + text[1:]

    def doing(self, text: str) -> str:
        """Return an activity in the first person."""
        own = self.names.person(self.who)
        text = text.replace(f"{own}'s", self.words["my"]).replace(own, self.words["me"])
        return self.short(my_activity(text, self.lang) if text[:1].islower() else text)

    def is_doubtful(self, text: str) -> bool:
        """Return True if a sentence in the first person may have kept a verb of the third."""
        return self.lang == "en" and bool(_KEPT_VERB.search(text))

    def is_passing(self, text: str) -> bool:
        """Return True if an activity only leads to another: coming, waiting, or looking for one."""
        mind = catalogue(self.lang, "mind")
        return any(text.startswith(mind[key].partition("{")[0] or mind[key]) for key in PASSING)

    def occasion(self, text: str) -> str:
        """Return an occasion in the first person: one's own party is "my party"."""
        own = re.escape(self.given.given[self.who])
        text = re.sub(rf"^{own}(?:'s |的)", self.words["host"], text)
        return self.doing(text)

    def speak_hours(self, text: str) -> str:
        """Return a text with its clock times as they are spoken."""
        return _CLOCK.sub(lambda found: self._hour(int(found[1]), int(found[2])), text)

    def _hour(self, hour: int, minute: int) -> str:
        time = self.clock(datetime(1, 1, 1, hour, minute))
        return time if self.lang == "en" else self._half(hour) + time

    def _half(self, hour: int) -> str:
        """Return the half of the day, or the evening, to which an hour of a clock belongs."""
        return self.words["due_hours"].split("|")[(hour >= 12) + (hour >= 18)]

    def sentence(self, text: str) -> str:
        """Return a text as a sentence, with a capital letter and a full stop."""
        text = text.strip()
        text = text[:1].upper() + text[1:]
        return text if text[-1:] in SENTENCE_ENDS else text + self.words["full_stop"]

    # speech -----------------------------------------------------------------------------------

    def quote(self, text: str) -> str:
        """Return a quotation in its marks."""
        return self.words["quoted"].format(line=nest_quotes(text))

    def lead_on(self, text: str) -> str:
        """Return what a quotation with words behind it contains."""
        text = nest_quotes(text)
        return text[:-1] + "," if self.lang == "en" and text[-1] == "." else text

    def line_in(self, line: Line, template: str) -> str:
        """Return a line as a sentence quotes it that may go on behind it."""
        return self.lead_on(line.text) if template.startswith("“") else nest_quotes(line.text)

    def speech(self, line: Line, name: str) -> str:
        """Return a line with the plainest words that say who speaks."""
        template = self.words["asked" if line.text[-1] in QUESTION_MARKS else "said"]
        return template.format(name=name, line=self.line_in(line, template))
