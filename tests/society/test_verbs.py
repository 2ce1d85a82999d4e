"""Tests that each verb of an errand has a rule, and a text for each way of telling it."""

from __future__ import annotations

import pytest

from hometown.language import LANGS
from hometown.society.verb_rules import VERB_RULES
from hometown.text import catalogue
from hometown.world.labour import Verb

VARIANTS = {
    Verb.GIVE: ("_free", "_paid"),
    Verb.GET: ("_free", "_paid"),
    Verb.SEE: ("", "_care", "_rescue"),
}
"""The variants of a verb's text for a success, by suffix."""


def test_each_verb_has_a_rule() -> None:
    assert VERB_RULES.keys() == set(Verb)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("verb", Verb)
def test_each_verb_has_texts(verb: Verb, lang: str) -> None:
    texts, told = catalogue(lang, "work"), VERB_RULES[verb].outcome_text
    if verb != Verb.TEND:  # told by the words of its recipe
        assert verb in texts
    for variant in VARIANTS.get(verb, ("",)):
        assert {told + variant, f"{told}{variant}_by"} <= texts.keys()
