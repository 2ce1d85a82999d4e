"""Names as a reader expects them: in full at the first mention, and the given name from then on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from hometown.history.names import Names
from hometown.language import Lang
from hometown.scripted.naming import short_names
from hometown.scripted.phrases import bank


class GivenNames:
    """The names of a run's residents, in full and as their given names. A name that begins with
    the family's, or whose given name two of them share, stays whole.
    """

    def __init__(self, names: Names, residents: Iterable[str]) -> None:
        self.full = {who: names.person(who) for who in residents}
        lang = names.world.lang if names.world else "en"
        short = short_names(self.full.items(), bank(lang))
        self.given = {who: short.get(name, name) for who, name in self.full.items()}
        self._ids = {name: who for who, name in self.full.items() if self.given[who] != name}
        longest_first = sorted(self._ids, key=len, reverse=True)
        self._pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def replace(self, text: str, name: Callable[[str], str]) -> str:
        """Replace full names in a text by the results of `name` for the residents' ids."""
        if not self._ids:
            return text
        return self._pattern.sub(lambda found: name(self._ids[found[0]]), text)


class Mentions:
    """The residents whom a text has mentioned so far, beginning with `known`."""

    def __init__(self, names: GivenNames, known: Iterable[str] = ()) -> None:
        self._names = names
        self._mentioned = set(known)

    def name(self, who: str) -> str:
        """Return the full name at the first mention, else the given name."""
        if who in self._mentioned:
            return self._names.given[who]
        self._mentioned.add(who)
        return self._names.full[who]

    def shorten(self, text: str) -> str:
        """Return a text in which full names give way to given names after the first mention.

        >>> from types import SimpleNamespace
        >>> people = {"ana": "Ana Li", "bo": "Bo Xu"}
        >>> names = SimpleNamespace(world=None, person=people.get)
        >>> Mentions(GivenNames(names, ["ana", "bo"])).shorten("Ana Li says that Ana Li met Bo Xu.")
        'Ana Li says that Ana met Bo Xu.'
        """
        return self._names.replace(text, self.name)


_BEFORE_SUBJECT = re.compile(
    r"(?:^|\b(?:that|because|if|when|while|and|but|whether|how|why|what|since|where|until|as))\W*$"
)
"""The words after which an English name is a subject."""


def refer_by_pronouns(text: str, name: str, pronouns: Sequence[str], lang: Lang) -> str:
    """Return a text with pronouns in place of a name.

    >>> hers = ("she", "her", "her")
    >>> refer_by_pronouns("that Ana's bike is late and Ana waits for Ana", "Ana", hers, "en")
    'that her bike is late and she waits for her'
    >>> refer_by_pronouns("我答应替林悦保密", "林悦", ("她",), "zh")
    '我答应替她保密'
    """
    if lang == "zh" or len(pronouns) < 3:
        return text.replace(name, pronouns[0]) if pronouns and lang == "zh" else text

    def refer(found: re.Match[str]) -> str:
        if found[1]:
            return pronouns[2]
        return pronouns[0 if _BEFORE_SUBJECT.search(text[: found.start()]) else 1]

    return re.sub(rf"\b{re.escape(name)}('s)?(?!\w)", refer, text)
