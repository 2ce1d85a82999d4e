"""How work is told: what somebody is doing, has done or could not do, in the run's language."""

from __future__ import annotations

from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.book.book import Book, Recipe
from hometown.world.book.parts import DutyPart
from hometown.world.labour import Errand, Outcome
from hometown.world.verbs import ing
from hometown.world.world import World


def counted(book: Book, kind: str, count: int, lang: Lang) -> str:
    """So many of a kind, in a language: "33 loaves", "a loaf"."""
    part = book.kinds.get(kind)
    if part is None:
        return f"{count} {kind}"
    if count == 1 and part.some:
        return part.some[lang]
    return part.many[lang].format(count=count) if part.many else catalogue(lang, "work")["many"].format(count=count, kind=part.name[lang])


class Telling:
    """The words for work in a world with a society."""

    def __init__(self, world: World) -> None:
        assert world.book is not None
        self.world, self.book, self.lang = world, world.book, world.lang
        self.texts = catalogue(world.lang, "work")

    def say(self, key: str, **fields: object) -> str:
        return self.texts[key].format(**fields)

    def doing(self, errand: Errand) -> str:
        """What somebody is doing: "milling grain at the millstone"."""
        recipe = self.book.recipes.get(errand.what)
        if errand.verb == "do":
            what = self.recipe(recipe) if recipe else errand.what
            return self.say("do_at" if errand.at else "do", what=what, thing=self._thing(errand.at))
        return self.say(errand.verb, some=self.some(errand.what), thing=self._thing(errand.at))

    def recipe(self, recipe: Recipe) -> str:
        """What it is called to do a recipe: as it says itself, or the first of the words for it."""
        if recipe.part.doing:
            return recipe.part.doing[self.lang].format(some=self.some(recipe.chosen))
        word = recipe.part.says[self.lang][0]
        return ing(word) if self.lang == "en" else word

    def some(self, kind: str) -> str:
        """Some of a kind of goods, as it says itself or by its name."""
        part = self.book.kinds.get(kind)
        if part is None:
            return kind
        return part.some[self.lang] if part.some else self.say("some", kind=part.name[self.lang])

    def counted(self, kind: str, count: int) -> str:
        """So many of a kind: "33 loaves", "a loaf"."""
        return counted(self.book, kind, count, self.lang)

    def _thing(self, address: str) -> str:
        name = self.world.name_of(address)
        return name if not name or name[0].isupper() or name.startswith("the ") else self.say("the", thing=name)

    def duty(self, duty: DutyPart) -> str:
        """What somebody sees to: that there is enough of something somewhere, or that something is done."""
        if duty.do:
            return self.recipe(self.book.families[duty.do][0])
        return self.say("keeping", kind=self.book.kinds[duty.keep].name[self.lang], count=duty.count, thing=self._thing(duty.at))

    def outcome(self, outcome: Outcome) -> tuple[str, str]:
        """What came of an errand, of the one whose it was without and with a place for its `{name}`."""
        errand = outcome.errand
        if outcome.code:
            key, fields = ("refused", "refused_to"), {"doing": self.doing(errand), "why": self.why(outcome)}
        elif errand.verb == "do":
            key, fields = ("done", "done_by"), {"doing": self.doing(errand)}
        else:
            key = ("bought", "bought_by") if errand.verb == "buy" else ("given", "given_to")
            fields = {"some": self.some(errand.what), "thing": self._thing(errand.at)}
        return self.say(key[0], **fields), self.say(key[1], name="{name}", **fields)

    def why(self, outcome: Outcome) -> str:
        """The refusal with its facts."""
        facts = dict(outcome.facts)
        special = next((key for fact in facts if (key := f"{outcome.code}_{fact}") in self.texts), outcome.code)
        if facts.get("kind") in self.book.kinds and "needs" in facts:
            special = "LACKS_all" if not facts["has"] else special
            facts |= {"needed": self.counted(str(facts["kind"]), int(facts["needs"]))}
        return self.say(special, **facts)
