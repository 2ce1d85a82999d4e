"""Tests that each verb of an errand has a rule, and a text for each way of telling it."""

from __future__ import annotations

import pytest

from hometown.language import LANGS, Lang
from hometown.society.verb_rules import VERB_RULES
from hometown.society.work_phrasing import WorkPhrases
from hometown.text import catalogue
from hometown.world.labour import Errand, Outcome, Verb
from hometown.world.load import load_world

VARIANTS = {
    Verb.GIVE: ("_free", "_paid", "_handed"),
    Verb.GET: ("_free", "_paid", "_handed"),
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


@pytest.mark.parametrize(
    ("lang", "fetched", "kept", "refused", "unhired"),
    [
        (
            "en",
            "fetching a measure of grain from the grain bin",
            "keeping 200 sheaves in stock at the loft",
            "it takes 8 bags of flour, and there was only 1 left",
            "got nowhere asking for work at the mill: they would not take on",
        ),
        (
            "zh",
            "从粮仓取1斗麦粒",
            "阁楼草仓要有200捆麦子",
            "要8袋面粉，只剩1袋面粉",
            "没能去磨坊找活干：跟人家处得不好，人家不肯雇",
        ),
    ],
)
def test_goods_are_said_in_their_measure_and_refusals_by_what_was_asked(
    lang: Lang, fetched: str, kept: str, refused: str, unhired: str
) -> None:
    phrases = WorkPhrases(load_world("farmstead", lang))
    assert phrases.exact(Errand(Verb.TAKE, "barn/main/bin", "grain", 1)) == fetched
    assert kept in [phrases.duty(duty) for duty in phrases.book.start.people["bert"].duties]
    lacks = (("kind", "flour"), ("has", 1), ("needs", 8))
    knead = Errand(Verb.DO, "bakery/main/trough", "knead")
    assert phrases.why(Outcome(knead, "LACKS", lacks)) == refused
    disliked = (("house", "mill"), ("favour", -50))
    hire = Outcome(Errand(Verb.HIRE, "mill/main", "mill"), "NOT_YOURS", disliked)
    assert phrases.outcome(hire)[0].startswith(unhired)
