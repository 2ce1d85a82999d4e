"""Phrases for work in the run's language: errands, goods, outcomes, opinions and notices."""

from __future__ import annotations

from datetime import datetime

from hometown.agent.mind.esteem import (
    BAD_REGARD,
    GOOD_REGARD,
    VERY_BAD_REGARD,
    VERY_GOOD_REGARD,
    current_regard,
)
from hometown.language import Lang
from hometown.society.goods_words import count_named
from hometown.society.jobs import CAUGHT_CHILL, TOOL_BROKE
from hometown.society.verb_rules import VERB_RULES
from hometown.text import catalogue, with_article
from hometown.world.activities import themes_of
from hometown.world.book.book import COIN, Book, Recipe
from hometown.world.book.parts import DutyPart, KindPart, RecipePart
from hometown.world.labour import Errand, Outcome, Verb
from hometown.world.matter import MARK, kind_of
from hometown.world.notices import Notice
from hometown.world.regard import Regard
from hometown.world.state import State
from hometown.world.verbs import ing
from hometown.world.world import World, sector_of


def format_goods(book: Book, kind: str, count: int, lang: Lang) -> str:
    """Return a quantity of goods in words: "33 loaves", "a loaf"; the id of an unknown kind."""
    part = book.kinds.get(kind)
    if part is None:
        return kind
    return _some(part, lang) if count == 1 else _several(part, lang).format(count=count)


def _some(part: KindPart, lang: Lang) -> str:
    """Return the words for one or some goods of a kind."""
    default = catalogue(lang, "work")["some"].format(kind=part.name[lang])
    return part.some[lang] if part.some else default


def _several(part: KindPart, lang: Lang) -> str:
    """Return the words for several goods of a kind, with the placeholder `{count}`."""
    default = catalogue(lang, "work")["several"].format(kind=part.name[lang])
    return part.several[lang] if part.several else default


def _grade_regard(points: int) -> str:
    """Return the end of the key for the words of a regard; "" for an indifferent one."""
    if points >= VERY_GOOD_REGARD:
        return "highly"
    if points <= VERY_BAD_REGARD:
        return "lowly"
    if points >= GOOD_REGARD:
        return "well"
    return "badly" if points <= BAD_REGARD else ""


def _grade_trust(trust: int) -> str:
    """Return the end of the key for the words of trust or distrust; "" for neither."""
    if trust >= GOOD_REGARD:
        return "relies"
    return "doubts" if trust <= BAD_REGARD else ""


class WorkPhrases:
    """Phrases for the work of a society, by the world's rules or those of another book."""

    def __init__(self, world: World, book: Book | None = None) -> None:
        book = book or world.book
        assert book is not None
        self.world, self.book, self.lang = world, book, world.lang
        self.texts = catalogue(world.lang, "work")

    def say(self, key: str, **fields: object) -> str:
        """Return the phrase of a key with its fields filled."""
        return self.texts[key].format(**fields)

    def doing(self, errand: Errand, other: str = "") -> str:
        """Return an errand as an activity: "milling grain at the millstone".

        In work for two, `other` is the partner.
        """
        recipe = self.book.recipes.get(errand.what)
        if recipe and errand.verb == Verb.TEND:
            return self.recipe(recipe, self.world.name_of(errand.at))
        is_care = errand.verb == Verb.SEE and recipe
        key = "do_at" if errand.verb == Verb.DO and errand.at else errand.verb
        return self.say(
            "see_care" if is_care else key,
            what=self.recipe(recipe, other) if recipe else errand.what,
            **self._nouns(errand),
        )

    def exact(self, errand: Errand) -> str:
        """Return an errand as an activity that names how many goods it moves: "fetching 3 loaves
        from the larder".
        """
        if errand.verb not in (Verb.TAKE, Verb.PUT, Verb.BUY):
            return self.doing(errand)
        return self.say(
            f"{errand.verb}_count",
            goods=self.exact_goods(errand.what, errand.count),
            thing=self.thing(errand.at),
        )

    def _nouns(self, errand: Errand) -> dict[str, str]:
        """Return the nouns of an errand that a text may name: goods, places and residents."""
        sector = self.world.sectors.get(sector_of(errand.at))
        return {
            "goods": self.goods(errand.what, errand.count),
            "some": self.some(errand.what),
            "thing": self.thing(errand.at),
            "place": sector.name if sector else "",
            "other": self.world.name_of(errand.at),
        }

    def emoji(self, errand: Errand) -> str:
        """Return the emoji of the theme that a recipe is about, or that of the verb."""
        themes = themes_of(self.doing(errand), self.lang) if errand.verb == Verb.DO else ()
        return themes[0].emoji[0] if themes else VERB_RULES[errand.verb].emoji

    def recipe(self, recipe: Recipe, other: str = "") -> str:
        """Return a recipe as an activity, in its own words or those for its kind; `other` is the
        partner.
        """
        return self.entry(recipe.part, self.some(recipe.chosen), other)

    def entry(self, part: RecipePart, some: str = "", other: str = "") -> str:
        """Return a recipe's entry in the book as an activity, with the goods `some` if its words
        name any.
        """
        if part.doing and (some or "{some}" not in part.doing[self.lang]):
            return part.doing[self.lang].format(some=some, other=other or self.texts["somebody"])
        word = part.says[self.lang][0]
        return ing(word) if self.lang == "en" else word

    def craft(self, skill: str) -> str:
        """Return an activity that exercises a skill."""
        return self.recipe(self.book.crafts[skill][0])

    def some(self, kind: str) -> str:
        """Return an unspecified quantity of goods, "some bread"; for the id of a craft an activity
        of that craft, and any other id as it is.
        """
        part = self.book.kinds.get(kind_of(kind))
        if part is None:
            return self.craft(kind) if kind in self.book.crafts else kind
        return _some(part, self.lang)

    def several(self, kind: str) -> str:
        """Return several goods of a kind, with the placeholder `{count}`."""
        return _several(self.book.kinds[kind], self.lang)

    def goods(self, kind: str, count: int) -> str:
        """Return a number of goods of a kind in words."""
        return format_goods(self.book, kind, count, self.lang)

    def exact_goods(self, kind: str, count: int) -> str:
        """Return a number of goods of a kind in words that name it even if it is one: "1斗麦粒"."""
        goods = self.goods(kind, count)
        if count != 1 or count_named(self.book, kind, goods):
            return goods
        several = self.say("several", kind=self.book.kinds[kind].name[self.lang])
        return (self.several(kind) if self.lang == "zh" else several).format(count=count)

    def growing(self, address: str, recipe: str) -> str:
        """Return the goods that come of a process, with the thing in which it is under way."""
        goods = [
            self.book.kinds[kind].name[self.lang] for kind, _ in self.book.recipes[recipe].products
        ]
        return self.say(
            "growing", goods=self.texts["skills_joint"].join(goods), thing=self.thing(address)
        )

    def opinion(self, state: State, who: str, other: str) -> str:
        """Return a resident's regard for another and their impression of them, addressed to that
        resident.

        "" if there is neither.
        """
        impression = state.impression(who, other)
        said = (
            self.regard(state.regard(who, other), other, state.clock.now),
            self.say("impression", text=impression.text) if impression else "",
        )
        return self.texts["sentences"].join(sentence for sentence in said if sentence)

    def regard(self, regard: Regard, other: str, now: datetime) -> str:
        """Return how highly a resident regards and trusts another, with the weightiest reason.

        "" if both are indifferent.
        """
        points, trust = current_regard(regard, now)
        name, why = self.world.name_of(other), catalogue(self.lang, "feelings")
        grade, reliance = _grade_regard(points), _grade_trust(trust)
        if not grade and not reliance:
            return ""
        thought = self.texts["regard_joint"].join(
            self.say(f"regard_{each}", name=name) for each in (grade, reliance) if each
        )
        meant = [
            each
            for each in regard.grounds
            if (each.regard * points > 0 if grade else each.trust * trust > 0)
        ]
        ground = max(meant or regard.grounds, key=lambda each: (each.weight, each.when))
        return self.say(
            "regard_because",
            thought=f"{thought[0].upper()}{thought[1:]}",
            why=why[f"stir_{ground.why}"].format(who=name),
            when=ground.when,
        )

    def thing(self, address: str) -> str:
        """Return a thing's name with the article that a sentence needs."""
        name = (
            self.book.kinds[kind_of(address)].name[self.lang]
            if MARK in address
            else self.world.name_of(address)
        )
        return with_article(name, self.texts["the"])

    def duty(self, duty: DutyPart) -> str:
        """Return a duty: to keep a stock of goods at a place, or to do a kind of work."""
        if duty.do:
            return self.recipe(self.book.families[duty.do][0])
        return self.say(
            "keeping",
            goods=self.exact_goods(duty.keep, duty.count),
            thing=self.thing(duty.at),
        )

    def outcome(self, outcome: Outcome) -> tuple[str, str]:
        """Return the outcome of an errand as two sentences: without its subject, and with `{name}`
        in its place.
        """
        errand = outcome.errand
        if outcome.code == TOOL_BROKE:
            key, fields = (
                ("broke", "broke_of"),
                {
                    "doing": self.doing(errand),
                    "kind": self.book.kinds[str(dict(outcome.facts)["kind"])].name[self.lang],
                },
            )
        elif outcome.code == CAUGHT_CHILL:
            key, fields = ("chilled", "chilled_by"), {"doing": self.doing(errand)}
        elif outcome.code:
            key, fields = (
                ("refused", "refused_to"),
                {"doing": self.doing(errand), "why": self.why(outcome)},
            )
        elif (realm := str(dict(outcome.facts).get("realm", ""))) in self.book.realms:
            key, fields = (
                ("reached", "reached_by"),
                {"realm": self.book.realms[realm].name[self.lang]},
            )
        elif errand.verb == Verb.DO and (partner := outcome.partner):
            key, fields = self._done_with(outcome, self.world.name_of(partner))
        else:
            text, fields = self._success_text(outcome), self._success_nouns(outcome)
            key = text, f"{text}_by"
        return self.say(key[0], **fields), self.say(key[1], name="{name}", **fields)

    def _success_text(self, outcome: Outcome) -> str:
        """Return the key of the text for a success: that of the verb, with an ending for paid or
        free goods, for coins and what stays in one house, or for a rescue or care that was seen.
        """
        errand, facts = outcome.errand, dict(outcome.facts)
        text = VERB_RULES[errand.verb].outcome_text
        if errand.verb in (Verb.GIVE, Verb.GET):
            if "within" in facts or errand.what == COIN:
                return f"{text}_handed"
            return f"{text}_{'paid' if facts.get('coins') else 'free'}"
        if errand.verb == Verb.SEE and errand.what not in self.book.kinds:
            return f"{text}_{'rescue' if 'helpless' in facts else 'care'}"
        return text

    def _success_nouns(self, outcome: Outcome) -> dict[str, str]:
        """Return the nouns that the text for a success may name."""
        errand, facts = outcome.errand, dict(outcome.facts)
        coins = errand.count if errand.verb == Verb.HIRE else facts.get("coins", 0)
        return {
            **self._nouns(errand),
            "doing": self.doing(errand),
            "coins": str(coins),
            "taker": self.world.name_of(str(facts.get("needed", ""))),
            "notice": self._read(outcome) if errand.verb == Verb.READ else "",
        }

    def _done_with(self, outcome: Outcome, other: str) -> tuple[tuple[str, str], dict[str, str]]:
        """Return the keys and the fields for the outcome of work with or for another resident."""
        errand = outcome.errand
        fields = {"doing": self.doing(errand, other), "other": other}
        helpless = "helpless" in dict(outcome.facts)
        recipe = self.book.recipes.get(errand.what)
        if recipe and errand.what in self.book.carers and recipe.part.did:
            key = "saved" if helpless else "did"
            return (key, f"{key}_by"), fields | {
                "did": recipe.part.did[self.lang].format(other=other)
            }
        key = "done_with"
        if any(theirs.id == errand.what for _, theirs in self.book.care):
            key = "rescued" if helpless else "cared_for"
        return (key, f"{key}_by"), fields

    def notice(self, notice: Notice) -> str:
        """Return the text of a notice: "the bakery is looking for hands, 20 coins an hour"."""
        return self._notice(notice.house, notice.call, notice.kind, notice.count, notice.coins)

    def _read(self, outcome: Outcome) -> str:
        """Return the text of the notice that an errand has read."""
        facts = dict(outcome.facts)
        return self._notice(
            str(facts["house"]),
            str(facts["call"]),
            outcome.errand.what,
            outcome.errand.count,
            int(facts["coins"]),
        )

    def _notice(self, house: str, call: str, kind: str, count: int, coins: int) -> str:
        """Return the text of a notice of a house, which is named by its home's sector."""
        home = self.book.start.houses.get(house)
        name = self.world.sectors[sector_of(home.home)].name if home else house
        return self.say(f"notice_{call}", house=name, goods=self.goods(kind, count), coins=coins)

    def why(self, outcome: Outcome) -> str:
        """Return the reason for a refusal, with its facts."""
        facts = dict(outcome.facts)
        special = next(
            (key for fact in facts if (key := f"{outcome.code}_{fact}") in self.texts), outcome.code
        )
        if facts.get("kind") in self.book.kinds and "needs" in facts:
            special = "LACKS_all" if not facts["has"] else special
            kind, has, needs = str(facts["kind"]), int(facts["has"]), int(facts["needs"])
            facts |= {"needed": self.exact_goods(kind, needs), "left": self.exact_goods(kind, has)}
        return self.say(special, **facts)
