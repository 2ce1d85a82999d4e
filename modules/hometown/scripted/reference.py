"""Pronouns in a Chinese summary for the two who met, and the way back to their names.

After the sentence in which they meet, the one named first is 他 or 她, and the other their own
pronoun or, if both have the same, 对方; both together are 两人. Of several, who tells something in return is 对方, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from hometown.world.persona import Persona

OTHER, BOTH = "对方", "两人"
PRONOUNS = ("他", "她")

_TELLING = re.compile(
    r"(?P<teller>[^，。：]+?)(?:告诉|提起.*，(?=[^，]+已经听说了。$))"
    r"(?P<listener>[^，。：]+?)(?:：|已经听说了。$)"
)
_TOLD = re.compile(f"(?P<teller>他|她|{OTHER})告诉(?:他|她|{OTHER})：(?P<subject>他|她|{OTHER})?")


def use_pronouns(text: str, people: Sequence[tuple[str, str]]) -> str:
    """Return a text with pronouns for two people, given as (name, pronoun) in the order in which
    they were named.
    """
    (first, pronoun), (second, other) = people
    text = text.replace(f"{first}和{second}", BOTH)
    for name, own in sorted(people, key=lambda each: -len(each[0])):
        text = text.replace(name, OTHER if name == second and other == pronoun else own)
    return text


def use_pronouns_in_return(sentences: Sequence[str], pronouns: Mapping[str, str]) -> list[str]:
    """Return sentences about several in which one who tells something in return names neither:
    对方告诉她.

    Args:
        sentences: The sentences, with the names of tellers and listeners.
        pronouns: The pronouns of those who are named.
    """
    told = [_TELLING.match(each) for each in sentences]
    worded = list(sentences)
    for at, (before, now) in enumerate(pairwise(told), start=1):
        if before and now and worded[at - 1] == sentences[at - 1]:
            own = pronouns.get(before["teller"], "")
            swapped = (before["teller"], before["listener"]) == (now["listener"], now["teller"])
            if own in PRONOUNS and swapped:
                rest = sentences[at].removeprefix(now["teller"]).replace(OTHER, own)
                worded[at] = OTHER + rest.replace(now["listener"], own)
    return worded


def name_in_return(sentences: Iterable[str], me: Persona) -> list[str]:
    """Return sentences about several with the names of those who tell something in return; the
    inverse of `use_pronouns_in_return`.
    """
    named: list[str] = []
    for sentence in sentences:
        before = _TELLING.match(named[-1]) if named else None
        if before and sentence.startswith(OTHER):
            sentence = name_teller(sentence, before["teller"], before["listener"], me)
        named.append(sentence)
    return named


def name_teller(sentence: str, first: str, second: str, me: Persona) -> str:
    """Return a sentence of a summary that is about both or tells news, with the names of the two.

    Args:
        sentence: The sentence.
        first: The name that the summary gives first.
        second: The name of the other.
        me: One of the two, who remembers the summary.
    """
    if sentence.startswith(BOTH):
        return f"{first}和{second}{sentence.removeprefix(BOTH)}"
    match = _TOLD.match(sentence)
    if match is None:
        return sentence
    is_first = (
        match["teller"] != OTHER
        if OTHER in match[0]
        else (match["teller"] in me.pronouns) == (me.name == first)
    )
    teller, listener = (first, second) if is_first else (second, first)
    subject = teller if match["subject"] == match["teller"] else match["subject"] or ""
    return f"{teller}告诉{listener}：{subject}{sentence[match.end() :]}"
