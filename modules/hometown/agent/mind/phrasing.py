"""Sentences that minds compose without a model, in the run's language."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from hometown.clock import hhmm
from hometown.memory.schedule import Entry
from hometown.text import catalogue, contains_name, with_article
from hometown.world.rows import Promise
from hometown.world.world import World, sector_of

_WEEKDAYS_ZH = "一二三四五六日"

MAX_NAMED = 5
"""Maximum number of residents named in a list of guests."""


class Words:
    """The phrases of the catalogue `mind`, filled with the names of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.texts = catalogue(world.lang, "mind")

    def say(self, key: str, **fields: object) -> str:
        """Return the phrase of a key with its fields filled."""
        return self.texts[key].format(**fields)

    def name(self, who: str) -> str:
        """Return the name of a resident or thing."""
        return self.world.name_of(who)

    def thing(self, address: str) -> str:
        """Return the name of a thing with the article that a sentence needs."""
        return with_article(self.name(address), self.texts["the"])

    def spot(self, address: str) -> str:
        """Return a thing and its place, as in a report to residents elsewhere."""
        thing, place = self.thing(address), self.world.place_name(address)
        return self.say("thing_at", thing=thing, place=place)

    def locate(self, text: str, place: str) -> str:
        """Return a text about a place with the name of the place, unless it contains that."""
        return text if place in text else self.say("seen_at", place=place, text=text)

    def names(self, ids: Iterable[str]) -> str:
        """Return several names, the last two joined by "and", the others by commas."""
        return self.join([self.name(who) for who in ids])

    def name_first(self, people: Sequence[str]) -> str:
        """Return the first few names as a list in a sentence."""
        names = [self.name(who) for who in people[:MAX_NAMED]]
        rest = [self.say("and_others")] if len(people) > MAX_NAMED else []
        return self.join([*names, *rest])

    def join(self, items: Sequence[str]) -> str:
        """Return items as a list in a sentence, the last two joined by "and"."""
        parts = [self.texts["comma"].join(items[:-1]), *items[-1:]]
        return self.texts["and"].join(filter(None, parts))

    def left_unsaid(self, text: str) -> str:
        """Return what was left unsaid, of the memory of a failed approach; any other text as it is."""
        return text.rpartition(self.say("still_means", text="", topic=""))[2]

    def does(self, who: str, activity: str) -> str:
        """Return the sentence that a resident does an activity."""
        return self.say("does", name=self.name(who), activity=activity)

    def date(self, day: dt.date) -> str:
        """Return a date with its weekday."""
        return self._calendar("date", dt.datetime(day.year, day.month, day.day))

    def when(self, moment: dt.datetime) -> str:
        """Return a date with its weekday and time."""
        return self._calendar("when", moment)

    def _calendar(self, key: str, moment: dt.datetime) -> str:
        """Return a date in the language of the world, with its weekday; with its time for the key
        "when".
        """
        if self.world.lang == "zh":
            weekday = _WEEKDAYS_ZH[moment.weekday()]
            return self.say(
                key, month=moment.month, day=moment.day, weekday=weekday, time=f"{moment:%H:%M}"
            )
        return f"{moment:%A} {moment.day} {moment:%B}" + (
            f" at {moment:%H:%M}" if key == "when" else ""
        )

    def day_plan(self, who: str, day: dt.date, entries: Sequence[Entry]) -> str:
        """Return a day plan as one sentence."""
        items = [
            self.say("day_plan_item", activity=entry.activity, time=hhmm(entry.start))
            for entry in entries
        ]
        return self.say(
            "day_plan",
            name=self.name(who),
            date=self.date(day),
            items=self.texts["item_separator"].join(items),
        )

    def own_part(self, who: str, promise: Promise, others: Iterable[str] = ()) -> str:
        """Return what a resident does by an agreement, with its subject and the parts of some
        others that differ from it; without the subject if that is in the words of another.
        """
        own = promise.part_of(who)
        is_whole = promise.what in own or self._is_in_words_of_another(who, promise)
        what = own if is_whole else promise.what
        parts = [
            self.say("other_part", name=self.name(other), part=part)
            for other in others
            if promise.what not in (part := promise.part_of(other))
        ]
        if what != own:
            parts.insert(0, self.say("other_part", name=self.name(who), part=own) if parts else own)
        joined = self.texts["item_separator"].join(parts)
        return self.say("own_part", what=what, part=joined) if parts else what

    def own_act(self, who: str, promise: Promise) -> str:
        """Return what a resident does by an agreement, in their own words, which name the others if
        the subject is left out.
        """
        own, others = promise.part_of(who), [each for each in promise.people if each != who]
        is_alone = not any(contains_name(self.name(other), own) for other in others)
        if others and is_alone and self._is_in_words_of_another(who, promise):
            return self.say("meeting_for", others=self.names(others), what=own)
        return self.own_part(who, promise)

    def _is_in_words_of_another(self, who: str, promise: Promise) -> bool:
        """Return True if the subject of an agreement names a resident who has a part of their own, or
        speaks of others as "he" or "she".
        """
        is_named = contains_name(self.name(who), promise.what)
        has_pronoun = re.search(self.texts["third_person"], promise.what, re.IGNORECASE)
        return promise.part_of(who) != promise.what and bool(is_named or has_pronoun)

    def arrival(self, address: str) -> str:
        """Return what residents do who have gone on to a house together."""
        house = self.world.sectors[sector_of(address)].name
        return self.say("going_together", place=house)

    def is_arrival(self, what: str, address: str) -> bool:
        """Return True if all that residents have agreed to do at a place is to go there together."""
        return bool(address) and what == self.arrival(address)

    def has_to_tell(self, who: str, third: str, promise: Promise) -> str:
        """Return the intention to tell another resident of an agreement in which they take no part."""
        return self.say(
            "has_to_tell",
            name=self.name(who),
            third=self.name(third),
            others=self.names(person for person in promise.people if person != who),
            what=promise.part_of(who),
            when=self.when(promise.start),
            place=self.world.place_name(promise.address),
        )

    def agreement(self, who: str, promise: Promise) -> str:
        """Return the memory that a resident has of an agreement, with the parts of all; it says that
        they meet, and not once more with whom.
        """
        others = [person for person in promise.people if person != who]
        meeting = self.say("meeting_for", others=self.names(others), what="")
        where = (
            self.say("agreed_where", place=self.world.place_name(promise.address))
            if promise.address
            else ""
        )
        return self.say(
            "agreed",
            name=self.name(who),
            others=self.names(others),
            what=self.own_part(who, promise, others).removeprefix(meeting),
            when=self.when(promise.start),
            where=where,
        )
