"""The rule that finds words that are none, and texts that break off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from typing import Any

from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import SPOKEN, split_words, words_of
from hometown.language import Lang
from hometown.prompt.activity_form import base_forms

SENTENCE_LENGTH = 12
"""Characters of a spoken line from which it has to end with a mark of punctuation."""

LONGEST_WORD = 22
"""Letters from which a Latin word is no word."""

_BOUND = re.compile(r"\{0,(\d+)\}\)?\??\$$")

_END = re.compile(r"[.!?。！？…~～—][\"'”’」』)）]*$")


def broken_words(reply: ScoredReply) -> str:
    """Return the first word that is none, a text without words, or the end of a text that breaks
    off; "" for none of these.
    """
    return next(list_broken_words(reply), "")


def list_broken_words(reply: ScoredReply, *, with_cuts: bool = True) -> Iterator[str]:
    """Yield the first fault of each text with broken words.

    Args:
        with_cuts: True to judge the ends of texts of the greatest length, which a grammar may have
            cut off.
    """
    for name, text, schema in reply.texts:
        if word := next(_list_impossible_words(text), ""):
            yield word
        elif text.strip() and not re.search(r"[^\W\d_]", text):
            yield text
        elif not with_cuts and len(text) >= _max_length(schema):
            continue
        elif ending := _find_broken_end(text, schema, reply.lang):
            yield ending
        elif name in SPOKEN and len(text) >= SENTENCE_LENGTH and not _END.search(text.rstrip()):
            yield text[-20:]


def _max_length(schema: dict[str, Any]) -> float:
    """Return the greatest length of a text by its schema, infinite for none."""
    bound = _BOUND.search(schema.get("pattern", ""))
    return int(bound[1]) if bound else float(schema.get("maxLength", inf))


def _list_impossible_words(text: str) -> Iterator[str]:
    """Yield the Latin words that are none, by their length, repetitions, endings or capitals and by
    the dictionary, and then one sequence of signs that no text contains.
    """
    for word in re.findall(r"[A-Za-z]+", text):
        is_odd = (
            len(word) >= LONGEST_WORD
            or re.search(r"ing[b-df-hj-np-rt-z]\w{2,}ing$|[a-z]{3}the(?:ing|ly|ed)$|(.)\1{3}", word)
            or (re.search(r"[a-z]{2}[A-Z][a-z]{2}", word) and not word[0].isupper())
            or (word.endswith("ing") and len(word) > 14)
        )
        if is_odd and not base_forms(word.casefold()):
            yield word
    if found := re.search(
        r"\d\d:\d\d:\d\d|[，；、：][！。？，；]|"
        "\ufffd|([\u4e00-\u9fff])\\1{4,}|[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7af]{2,}",
        text,
    ):
        yield found[0]


def _find_broken_end(text: str, schema: dict[str, Any], lang: Lang) -> str:
    """Return the end of a text that breaks off (at most 20 characters): with a comma, colon or
    semicolon, at the greatest length without an end mark, or with a word that needs another after
    it; "" for a whole text.
    """
    bare = text.rstrip()
    if not bare or _END.search(bare):
        return ""
    if bare[-1] in ",;:" or len(text) >= _max_length(schema):
        return bare[-20:]
    if lang == "zh":
        return bare[-8:] if re.search(rf"(?:{words_of(lang)['dangling']})$", bare) else ""
    last = re.findall(r"[A-Za-z']+$", bare)
    return (
        bare[-20:]
        if last
        and len(bare.split()) > 1
        and last[0].casefold() in split_words(words_of(lang)["dangling"])
        else ""
    )
