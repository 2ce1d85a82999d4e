"""The words of a resident's day, as they would tell it: places, occasions and speech in the run's
language.
"""

from __future__ import annotations

import re

from hometown.history.own_memories import OwnMemories
from hometown.history.quotes import QUESTION_MARKS
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import bank
from hometown.scripted.places import speak_places
from hometown.text import catalogue, nest_quotes
from hometown.world.conversation import Line
from hometown.world.verbs import first_person, past
from hometown.world.world import sector_of

PASSING = ("in_time_for", "ready_for", "looking_for", "waiting_for_resident", "waiting_until_alone")
"""Keys of activities that only lead to others."""

_TO_PLACE = re.compile("去[^，的]{0,8}[店馆园场家院铺坊]")
"""The beginning of a Chinese plan that says where somebody goes."""


class DayWording(OwnMemories):
    """The words of one resident's days."""

    def at(self, address: str) -> str:
        """Return where something happened: at home, outdoors, or at a building."""
        sector = sector_of(address)
        if self.persona and sector == sector_of(self.persona.home):
            return self.words["at_home"]
        place = self.short(self._building(sector))
        return speak_places(self.words["at"].format(place=place), self.lang)

    def _building(self, sector: str) -> str:
        return re.sub("^The ", "the ", self.names.building(sector))

    def nearby(self, text: str, address: str) -> str:
        """Return a text with the building of an address in place of its room."""
        place = self.names.place(address)
        if not place:
            return text
        text = text.replace(self.words["at"].format(place=place), self.at(address))
        return text.replace(place, self._building(sector_of(address)))

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

    def while_doing(self, task: str, at: str, when: str) -> str:
        """Return a clause that begins a sentence about an event during a task: "While I was TASK
        AT, " (in Chinese with `when` and `at` first). `when` is left out in English.
        """
        at = f" {at}" if at and self.lang == "en" else at
        return self.words["while"].format(task=task, at=at, when=when).removeprefix("，")

    def is_passing(self, text: str) -> bool:
        """Return True if an activity only leads to another: coming, waiting, or looking for one."""
        mind = catalogue(self.lang, "mind")
        return any(text.startswith(mind[key].partition("{")[0] or mind[key]) for key in PASSING)

    def occasion(self, text: str) -> str:
        """Return an occasion in the first person: one's own party is "my party"."""
        own = re.escape(self.given.given[self.who])
        text = re.sub(rf"^{own}(?:'s |的)", self.words["host"], text)
        return self.doing(text)

    def did(self, activity: str, auxiliary: str) -> str:
        """Return an activity as an act that is over, in English; one that has no simple past with
        an auxiliary verb.
        """
        return past(activity) or f"{auxiliary} {activity}"

    def keyed(self, key: str, what: str) -> str:
        """Return the key of a sentence about an occasion: another one for one that is no activity."""
        is_activity = bool(re.match(r"(?:\w+ly )?\w+ing\b|去", what))
        if self.lang == "zh" and not is_activity:
            is_activity = not mentions(what, bank("zh").words["gatherings"])
        return key if is_activity else f"{key}_event"

    def plan(self, key: str, what: str, *, is_event: bool) -> tuple[str, str]:
        """Return the key of a sentence about what the resident is to do, by the form of its words,
        and the words that go into it; they may name an event.
        """
        if is_event:
            return f"{key}_event", re.sub("^The ", "the ", what)
        if self.lang == "zh":
            what = what.removeprefix("我")
            is_going = what.startswith("去") and not _TO_PLACE.match(what)
            return (f"{key}_go", what[1:]) if is_going else (self.keyed(key, what), what)
        if re.search(r"\bme\b", what) and re.match(r"\w+ing\b", what):
            return f"{key}_by", what
        if re.match(r"[a-z]+[^s\W]s\b(?! \w+ing\b)", what):
            first, *more = what.split(" and ")
            acts = [
                " ".join([first_person(words[0]), *words[1:]])
                for words in map(str.split, (first, *more))
            ]
            return f"{key}_to", " and ".join(acts)
        return self.keyed(key, what), re.sub("^The ", "the ", what)

    def inner(self, text: str) -> str:
        """Return a text with the quotation marks that it has within others."""
        return nest_quotes(re.sub('"([^"]*)"', r"“\1”", text))

    def quote(self, text: str) -> str:
        """Return a quotation in its marks."""
        return self.words["quoted"].format(line=self.inner(text))

    def lead_on(self, text: str) -> str:
        """Return the content of a quotation with words behind it."""
        text = self.inner(text)
        return re.sub(r"\.(’?)$", r",\1", text) if self.lang == "en" else text

    def line_in(self, line: Line, template: str) -> str:
        """Return a line as a sentence quotes it that may go on behind it."""
        return self.lead_on(line.text) if template.startswith("“") else self.inner(line.text)

    def speech(self, line: Line, name: str) -> str:
        """Return a line with the plainest words that say who speaks."""
        template = self.words["asked" if line.text[-1] in QUESTION_MARKS else "said"]
        return template.format(name=name, line=self.line_in(line, template))
