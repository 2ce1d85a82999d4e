"""The rules of a society: its files, checked and resolved. They are immutable; a law replaces them
as a whole.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum

from hometown.clock import DAY
from hometown.world.book.parts import (
    FULL,
    CalendarFile,
    ComponentPart,
    DutyPart,
    FixturePart,
    KindPart,
    MemoryKindPart,
    NeedPart,
    PersonPart,
    RealmPart,
    RecipePart,
    StartFile,
)
from hometown.world.book.plots import ThreadPart
from hometown.world.matter import MARK, NATURE, Goods, kind_of

GOOD = 300
"""Points of skill from which a resident is known for a craft."""

EVERY_CRAFT = "*"
"""The skill of an entry that stands for one recipe in each craft."""

COIN = "coin"
"""The kind of goods that is money."""

NOBODYS = FixturePart()
"""Stands for a fixture that is no longer on the map: no container, and without an owner."""


@dataclass(frozen=True)
class Recipe:
    """A recipe for one choice of goods.

    Attributes:
        id: The id, unique to the choice of goods.
        family: The id of the entry in `recipes.json`.
        part: The entry.
        take: The goods taken, by kind, nature included.
        make: The goods made, by kind, nature included.
        after: The minutes of the process that follows the work; 0 for none.
        chosen: The kind chosen where the entry takes a tag; "" for none.
    """

    id: str
    family: str
    at: str
    minutes: int
    take: Goods
    make: Goods
    tool: str
    body: Goods
    skill: str
    least: int
    season: tuple[str, ...]
    after: int
    part: RecipePart
    chosen: str

    @cached_property
    def inputs(self) -> Goods:
        """The goods that a resident must provide."""
        return tuple((kind, count) for kind, count in self.take if kind != NATURE)

    @cached_property
    def products(self) -> Goods:
        """The goods made, without the return to nature."""
        return tuple((kind, count) for kind, count in self.make if kind != NATURE)


@dataclass(frozen=True)
class Book:
    """The rules of a society: kinds, fixtures by address, recipes, needs, calendar, start,
    threads, components, realms and kinds of memories.
    """

    kinds: dict[str, KindPart]
    fixtures: dict[str, FixturePart]
    entries: dict[str, RecipePart]
    needs: dict[str, NeedPart]
    calendar: CalendarFile
    start: StartFile
    threads: dict[str, ThreadPart] = field(default_factory=dict)
    components: dict[str, ComponentPart] = field(default_factory=dict)
    realms: dict[str, RealmPart] = field(default_factory=dict)
    memory_kinds: dict[str, MemoryKindPart] = field(default_factory=dict)

    @cached_property
    def recipes(self) -> dict[str, Recipe]:
        """The recipes of all entries, by id."""
        return {
            recipe.id: recipe
            for family, entry in self.entries.items()
            for recipe in self._recipes_of_entry(family, entry)
        }

    def _recipes_of_entry(self, family: str, entry: RecipePart) -> list[Recipe]:
        """Return one recipe for each kind that an entry may take, or for each craft if its skill is
        `EVERY_CRAFT`.
        """
        if entry.skill == EVERY_CRAFT:
            return recipes_in_each_craft(family, entry, self.crafts, self.kinds)
        return recipes_of_entry(family, entry, self.kinds)

    @cached_property
    def crafts(self) -> dict[str, tuple[Recipe, ...]]:
        """The skills in alphabetical order, each with the recipes for one resident that use it,
        those that cannot fail first. A skill used only by recipes with a partner is none.
        """
        solitary = [
            recipe
            for family, part in self.entries.items()
            if not part.partner
            for recipe in recipes_of_entry(family, part, self.kinds)
            if part.skill
        ]
        solitary.sort(key=lambda recipe: recipe.part.chance is not None)
        return {
            skill: tuple(recipe for recipe in solitary if recipe.skill == skill)
            for skill in sorted({recipe.skill for recipe in solitary})
        }

    @cached_property
    def known_for(self) -> dict[str, frozenset[str]]:
        """The skills for which each resident is known: those of their duties, and high initial
        ones.
        """
        return {who: self._find_skills(part) for who, part in self.start.people.items()}

    def _find_skills(self, part: PersonPart) -> frozenset[str]:
        """Return the crafts for which a resident is known: those of the recipes of their duties,
        and those with an initial level of `GOOD`.
        """
        recipes = [
            recipe
            for duty in part.duties
            for recipe in (
                self.families.get(duty.do, ()) if duty.do else self.makers.get(duty.keep, ())
            )
        ]
        good_at = {skill for skill, level in part.skills.items() if level >= GOOD}
        return frozenset(good_at | {recipe.skill for recipe in recipes}) & self.crafts.keys()

    @cached_property
    def makers(self) -> dict[str, tuple[Recipe, ...]]:
        """The recipes that make each kind."""
        return {
            kind: tuple(recipe for recipe in self.recipes.values() if kind in dict(recipe.make))
            for kind in self.kinds
        }

    @cached_property
    def families(self) -> dict[str, tuple[Recipe, ...]]:
        """The recipes of each entry of `recipes.json`."""
        members: dict[str, tuple[Recipe, ...]] = {}
        for recipe in self.recipes.values():
            members[recipe.family] = (*members.get(recipe.family, ()), recipe)
        return members

    def people_of(self, house: str) -> list[str]:
        """Return the residents of a house."""
        return [who for who, part in self.start.people.items() if part.house == house]

    def duties_of(self, house: str) -> list[DutyPart]:
        """Return the duties of the residents of a house, each once."""
        duties = (duty for who in self.people_of(house) for duty in self.start.people[who].duties)
        return list(dict.fromkeys(duties))

    def purse(self, who: str) -> str:
        """Return the holder of a resident's coins: their house."""
        return f"house:{self.start.people[who].house}"

    def seller(self, address: str) -> str:
        """Return the holder of the coins that a shop receives: the house of an owner who is a
        resident, else the owner itself.
        """
        owner = self.fixtures[address].owner
        return self.purse(owner) if owner in self.start.people else owner

    def keepers(self, address: str) -> list[str]:
        """Return the residents to whom a fixture belongs; none for a fixture without an owner."""
        owner = self.fixtures[address].owner
        return [who for who in self.start.people if owner in (who, self.purse(who))]

    def peopled(self, lives: Mapping[str, str]) -> Book:
        """Return the rules for a town with these residents, clones among them.

        Args:
            lives: The original of each resident, whose house, duties and goods they share.
        """
        people = {who: self.start.people[life] for who, life in lives.items()}
        return replace(self, start=self.start.model_copy(update={"people": people}))

    def furnished(
        self, placed: Mapping[str, str], tags: Mapping[str, str], gone: Container[str]
    ) -> Book:
        """Return the rules for a town in which things have been placed and removed.

        A placed thing has the function of its model on the map or of its tags, unless it has an
        entry.
        """
        added = {address: FixturePart(tags=(tag,)) for address, tag in tags.items() if tag}
        added |= {
            address: self.fixtures[like].model_copy(update={"shop": None})
            for address, like in placed.items()
            if like in self.fixtures
        }
        all_there = {**added, **self.fixtures}
        kept = {address: all_there[address] for address in all_there if address not in gone}
        return replace(self, fixtures=kept)

    def meeting(self, need: str) -> list[Recipe]:
        """Return the recipes listed for a need that raise it."""
        named = (
            recipe for family in self.needs[need].met_by for recipe in self.families.get(family, ())
        )
        return [recipe for recipe in named if dict(recipe.body).get(need, 0) > 0]

    @cached_property
    def rates(self) -> tuple[dict[str, int], dict[str, int]]:
        """The hourly change of each need, awake and asleep."""
        return {need: part.awake for need, part in self.needs.items()}, {
            need: part.asleep for need, part in self.needs.items()
        }

    @cached_property
    def drains(self) -> dict[str, dict[str, int]]:
        """The hourly change of other needs while a need is at 0, by that need."""
        return {need: part.at_zero for need, part in self.needs.items() if part.at_zero}

    @cached_property
    def cared_for(self) -> tuple[str, ...]:
        """The needs that other residents satisfy."""
        return tuple(
            need for need in self.needs if any(recipe.part.partner for recipe in self.meeting(need))
        )

    @cached_property
    def care(self) -> tuple[tuple[Recipe, Recipe], ...]:
        """The recipes of care, each with the recipe of the resident who is cared for."""
        patients = (
            recipe for need in self.needs for recipe in self.meeting(need) if recipe.part.partner
        )
        return tuple(
            (carer, theirs)
            for theirs in patients
            for carer in self.families.get(theirs.part.partner, ())
        )

    @cached_property
    def carers(self) -> frozenset[str]:
        """The ids of the recipes done for another resident."""
        return frozenset(carer.id for carer, _ in self.care)

    @cached_property
    def shops(self) -> tuple[str, ...]:
        """The addresses of the shops."""
        return tuple(address for address, fixture in self.fixtures.items() if fixture.shop)

    @cached_property
    def kinds_for_sale(self) -> tuple[str, ...]:
        """The kinds that shops sell."""
        return tuple(
            dict.fromkeys(
                kind
                for fixture in self.fixtures.values()
                if fixture.shop
                for kind in fixture.shop.sells
            )
        )

    def places_for(self, tag: str) -> tuple[str, ...]:
        """Return the addresses of the fixtures with a tag."""
        return self._tagged.get(tag, ())

    @cached_property
    def _tagged(self) -> dict[str, tuple[str, ...]]:
        """The addresses of the fixtures by tag."""
        found: dict[str, tuple[str, ...]] = {}
        for address, fixture in self.fixtures.items():
            for tag in dict.fromkeys(fixture.tags):
                found[tag] = (*found.get(tag, ()), address)
        return found

    def season_on(self, day: int) -> str:
        """Return the season of a day; day 0 is that of the world's start."""
        days = [season for season, part in self.calendar.seasons.items() for _ in range(part.days)]
        return days[day % len(days)]

    def balanced(self, inputs: Goods, products: Goods) -> tuple[Goods, Goods]:
        """Return the goods taken and made, balanced with nature on the lighter side."""
        difference = self.grams(products) - self.grams(inputs)
        return _add_nature(inputs, difference), _add_nature(products, -difference)

    def likely_share(self, recipe: Recipe) -> float:
        """Return the expected share of a recipe's products, 0 to 1, for a beginner with no need
        satisfied: the base of its chance, less the average loss by weather during the process that
        follows.
        """
        chance, after = recipe.part.chance, recipe.part.after
        lost = (
            fsum(
                self._share_of_days(weather, recipe.season) * cost
                for weather, cost in after.weather.items()
            )
            * recipe.after
            / DAY
            if after
            else 0.0
        )
        return (chance.base if chance else FULL) / FULL * max(0.0, 1 - lost / FULL)

    def _share_of_days(self, weather: str, seasons: tuple[str, ...]) -> float:
        """Return the share of days with a kind of weather, in these seasons or in all."""
        parts = [self.calendar.seasons[season] for season in seasons or self.calendar.seasons]
        days = sum(part.days for part in parts)
        return (
            fsum(
                part.days * part.weather.get(weather, 0) / max(1, sum(part.weather.values()))
                for part in parts
            )
            / days
        )

    @property
    def year(self) -> int:
        """The days of a year."""
        return sum(part.days for part in self.calendar.seasons.values())

    def grams(self, goods: Goods) -> int:
        """Return the weight of goods in grams, without the contents of items."""
        return sum(self.kinds[kind_of(name)].grams * count for name, count in goods)

    def part_of(self, name: str) -> KindPart | FixturePart:
        """Return the entry of an item's kind or of a fixture; `NOBODYS` for a fixture that has left
        the map.
        """
        return self.kinds[kind_of(name)] if MARK in name else self.fixtures.get(name, NOBODYS)

    def tools_for(self, tag: str) -> list[str]:
        """Return the kinds of tools with a tag."""
        return [kind for kind, part in self.kinds.items() if tag in part.tags]


def _add_nature(goods: Goods, grams: int) -> Goods:
    """Return goods, in order, with some grams of nature; unchanged if `grams` is not above 0."""
    return tuple(sorted((*goods, (NATURE, grams)))) if grams > 0 else goods


def recipes_in_each_craft(
    family: str, part: RecipePart, crafts: Iterable[str], kinds: dict[str, KindPart]
) -> list[Recipe]:
    """Return one recipe for each craft, of an entry with the skill `EVERY_CRAFT`; the craft also
    replaces `EVERY_CRAFT` in the skills that the entry gains.
    """
    recipes = []
    for craft in crafts:
        gains = {
            craft if skill == EVERY_CRAFT else skill: more
            for skill, more in (part.gains or {}).items()
        }
        in_craft = part.model_copy(update={"skill": craft, "gains": gains})
        (recipe,) = recipes_of_entry(family, in_craft, kinds)
        recipes.append(replace(recipe, id=f"{family}/{craft}", chosen=craft))
    return recipes


def recipes_of_entry(family: str, part: RecipePart, kinds: dict[str, KindPart]) -> list[Recipe]:
    """Return the recipes of an entry: one for each kind with the tag that it takes ("#tag"), whose
    effect on the body is added for each unit taken; or one, if it takes no tag. Unknown names are
    kept.
    """
    tagged = next((name for name in part.take if name.startswith("#")), "")
    if not tagged:
        return [_balanced_recipe(family, "", part, part.take, part.body, kinds)]
    recipes = []
    for kind, goods in kinds.items():
        if tagged[1:] in goods.tags:
            count = part.take[tagged]
            take = {kind if name == tagged else name: each for name, each in part.take.items()}
            given = {
                need: amount * (count if isinstance(count, int) else 1)
                for need, amount in goods.gives.items()
            }
            body = {
                need: part.body.get(need, 0) + given.get(need, 0) for need in {**part.body, **given}
            }
            recipes.append(_balanced_recipe(family, kind, part, take, body, kinds))
    return recipes


def _balanced_recipe(
    family: str,
    chosen: str,
    part: RecipePart,
    take: Mapping[str, int | str],
    body: Mapping[str, int],
    kinds: dict[str, KindPart],
) -> Recipe:
    """Return an entry's recipe for one choice of goods; the open amount of nature makes up the
    difference in weight between the goods taken and made.
    """
    weight = _sum_grams(take, kinds) - _sum_grams(part.make, kinds)
    after = (part.after.days * 24 + part.after.hours) * 60 if part.after else 0
    return Recipe(
        f"{family}/{chosen}" if chosen else family,
        family,
        part.at,
        part.minutes,
        _list_goods(take, -weight),
        _list_goods(part.make, weight),
        part.tool,
        tuple(sorted(body.items())),
        part.skill,
        part.least,
        tuple(part.season),
        after,
        part,
        chosen,
    )


def _sum_grams(amounts: Mapping[str, int | str], kinds: dict[str, KindPart]) -> int:
    """Return the weight of amounts in grams, without open amounts and unknown kinds."""
    return sum(
        kinds[kind].grams * count
        for kind, count in amounts.items()
        if isinstance(count, int) and kind in kinds
    )


def _list_goods(amounts: Mapping[str, int | str], rest: int) -> Goods:
    """Return amounts in order, with `rest` for the open amount of nature. Amounts below 1 are
    omitted.
    """
    counted = {kind: count if isinstance(count, int) else rest for kind, count in amounts.items()}
    return tuple(sorted((kind, count) for kind, count in counted.items() if count > 0))
