"""The words of one resident for people: given names, relatives, pronouns and enumerations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hometown.clock import HOUR_WORDS
from hometown.history.familiar import GivenNames
from hometown.history.names import Names, join_names
from hometown.history.spoken_time import SpokenTime
from hometown.language import Lang
from hometown.text import capital, catalogue, names_any, replace_word
from hometown.world.resident_names import find_kin

SENTENCE_ENDS = ".!?。！？…”"

MAX_NAMED = 4
"""Maximum number of residents named in an enumeration."""

_THIRD = {"en": r"\b(?:{})\b", "zh": "(?<![吉其])(?:{})(?![们人])"}
"""Patterns of a resident's pronouns, to be filled."""


class ResidentNames:
    """The words of one resident for the people of the town."""

    def __init__(self, names: Names, given: GivenNames, lang: Lang, who: str) -> None:
        self.names, self.given, self.lang, self.who = names, given, lang, who
        self.words = catalogue(lang, "day")
        self.time = SpokenTime(lang)
        self.persona = names.persona(who)
        self.kin = self._find_kin()

    def _find_kin(self) -> dict[str, str]:
        """Return the terms of address for the resident's relatives, as far as each means one."""
        relations = (self.persona and self.persona.relations) or {}
        terms = {
            who: term
            for who, relation in relations.items()
            if (term := find_kin(relation, self.lang))
            and re.search(f"{term}(?![^,，;； ])", relation)
        }
        often = Counter(terms.values())
        return {
            who: self.words["kin"].format(term=term)
            for who, term in terms.items()
            if often[term] == 1 and who in self.given.full
        }

    def name(self, who: str) -> str:
        """Return the given name of a resident; "I" for the owner of the diary, and the form of
        address for a relative.
        """
        if who == self.who:
            return self.words["I"]
        return self.kin.get(who) or self.given.given.get(who) or self.names.person(who)

    def people(self, ids: Sequence[str]) -> str:
        """Join given names into an enumeration; of many, the first; "" for nobody."""
        named = [self.name(who) for who in dict.fromkeys(ids)]
        joined = join_names(named, self.words, MAX_NAMED) if named else ""
        more = len(named) - MAX_NAMED
        number = more if self.lang == "en" else len(named)
        return joined.replace(str(number), self.count(number)) if more > 0 else joined

    def count(self, number: int) -> str:
        """Return a number as a word, as far as the language has one here."""
        words = HOUR_WORDS if self.lang == "en" else self.words["hour_words"].split()
        return words[number - 1] if 0 < number <= len(words) else str(number)

    def short(self, text: str) -> str:
        """Return a text with given names, and with relatives as the resident calls them."""
        for who, term in self.kin.items():
            full = self.given.full[who]
            for name in (full, self.given.given[who]):
                is_word = self.lang == "en"
                text = replace_word(text, name, term) if is_word else text.replace(name, term)
        return self.given.replace(text, lambda who: self.given.given[who])

    def without_names(self, text: str) -> str:
        """Return a text without the names of residents."""
        return (
            self.given.replace(text, lambda _: "")
            if self.lang == "en"
            else re.sub("|".join(map(re.escape, self.given.full.values())), "", text)
        )

    def clause(self, text: str) -> str:
        """Return a sentence as a clause after "that": without a capital, unless the name of a
        resident or a building has it.
        """
        first = re.match(r"\w+", text)
        names = {name.split()[0] for name in self.given.full.values()}
        if self.lang == "zh" or not first or first[0] == "I" or first[0] in names:
            return text
        world = self.names.world
        if world and text.startswith(tuple(map(world.name_of, world.sectors))):
            return text
        return text[:1].lower() + text[1:]

    def sentence(self, text: str) -> str:
        """Return a text as a sentence, with a capital letter and a full stop."""
        text = capital(text.strip())
        return text if text[-1:] in SENTENCE_ENDS else text + self.words["full_stop"]

    def _own_pronoun(self) -> re.Pattern[str]:
        pronouns = self.persona.pronouns if self.persona else ()
        return re.compile(_THIRD[self.lang].format("|".join(map(re.escape, pronouns)) or "$^"))

    def _names_another_like(self, text: str, pronouns: tuple[str, ...]) -> bool:
        """Return True if a text names another resident with the same pronouns, also by their given
        name.
        """
        return any(
            other != self.who
            and self._is_like(other)
            and names_any((full, self.given.given[other]), text)
            for other, full in self.given.full.items()
        )

    def _is_like(self, other: str) -> bool:
        """Return True if another resident has the same pronouns."""
        own, persona = self.persona, self.names.persona(other)
        return own is not None and persona is not None and persona.pronouns[:1] == own.pronouns[:1]

    def _have_one_pronoun(self, who: str, other: str) -> bool:
        one, two = self.names.persona(who), self.names.persona(other)
        return bool(one and two and one.pronouns[:1] == two.pronouns[:1])
