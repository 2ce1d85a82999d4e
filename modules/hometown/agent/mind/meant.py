"""Clauses of intentions: those that are meant, and those that name no person."""

from __future__ import annotations

import re
from functools import lru_cache

from hometown.language import Lang
from hometown.text import catalogue, split_sentences


@lru_cache(maxsize=1 << 12)
def meant_part(text: str, lang: Lang) -> str:
    """Return the clauses of a text that state an intention, without those that exclude one, nor
    those that carry on one that does, as in "tell nobody, least of all Mei, that Lin sings".

    >>> meant_part("ask who has seen the letter, without worrying Mei", "en")
    'ask who has seen the letter'
    """
    texts, meant, is_meant = catalogue(lang, "mind"), [], True
    for clause in filter(str.strip, re.split(texts["clause_ends"], text)):
        goes_on = not is_meant and re.match(texts["unmeant_further"], clause)
        is_meant = not (goes_on or re.search(texts["unmeant"], clause, re.IGNORECASE))
        meant += [clause.strip()] if is_meant else []
    return "; ".join(meant)


def is_refraining(text: str, lang: Lang) -> bool:
    """Return True if an intention or a wish, in its first sentence, is only to leave something
    undone or unsaid, or a promise to do so.

    >>> is_refraining("Lin will tell Mei nothing.", "en"), is_refraining("Lin will tell Mei.", "en")
    (True, False)
    """
    promise = catalogue(lang, "mind")["promise"]
    return not any(
        re.search(r"\w", meant_part(re.sub(promise, "", sentence, flags=re.IGNORECASE), lang))
        for sentence in split_sentences(text)[:1]
    )


def awaits_event(text: str, lang: Lang) -> bool:
    """Return True if an intention is for the time after an event, or for a case that may not occur.

    >>> awaits_event("Lin sends Mei word once the peonies open.", "en")
    True
    """
    texts = catalogue(lang, "mind")["awaits"], catalogue(lang, "dates")["condition"]
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in texts)


def seeks_anyone(text: str, lang: Lang) -> bool:
    """Return True if an act or a wish is for residents whom it does not name, as in "find somebody
    who helps".
    """
    pattern = catalogue(lang, "mind")["anyone"]
    return re.search(pattern, meant_part(text, lang), re.IGNORECASE) is not None
