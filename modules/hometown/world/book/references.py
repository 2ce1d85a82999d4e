"""Checks of the references between the files of a society."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from hometown.text import N_, Phrase
from hometown.world.book.book import COIN, Book
from hometown.world.book.item_references import (
    check_items_at_start,
    check_kinds,
    check_tools,
    grams_at_start,
)
from hometown.world.book.known_names import (
    CALENDAR,
    FEELINGS,
    FIXTURES,
    KINDS,
    NEEDS,
    REALMS,
    RECIPES,
    REGARDS,
    START,
    check_known,
)
from hometown.world.book.parts import (
    WITHIN,
    DutyPart,
    FeelingPart,
    NeedPart,
    PersonPart,
    RecipePart,
)
from hometown.world.faults import Faults
from hometown.world.feeling import STIRS
from hometown.world.matter import NATURE

SLEEP = "sleep"
"""The entry of `met_by` for sleep, which needs no recipe."""


def check_references(
    book: Book, things: Collection[str], people: Collection[str], faults: Faults
) -> None:
    """Add a fault for each unknown name, each unbalanced or useless recipe, each need that falls
    and cannot be met, each impossible shop or duty, and each overfull fixture or bag.
    """
    if book.kinds[NATURE].grams != 1:
        faults.add(
            KINDS,
            NATURE,
            "weighs {grams} g, but is counted in grams; leave it at 1",
            grams=book.kinds[NATURE].grams,
        )
    check_kinds(book, faults)
    for name, recipe in book.entries.items():
        _check_recipe(book, name, recipe, faults)
    for need, needed in book.needs.items():
        _check_need(book, need, needed, faults)
    for name, realm in book.realms.items():
        skills = {recipe.skill for recipe in book.entries.values() if recipe.breaks}
        check_known(faults, REALMS, name, Phrase("skill"), [realm.skill], skills)
        check_known(faults, REALMS, name, Phrase("need"), realm.failure, book.needs)
    _check_calendar(book, faults)
    _check_fixtures(book, things, people, faults)
    _check_start(book, things, people, faults)


def check_stirs(
    feelings: Mapping[str, FeelingPart], regards: Iterable[str], faults: Faults
) -> None:
    """Add a fault for each unknown stimulus of a feeling or of regard."""
    for name, feeling in feelings.items():
        check_known(faults, FEELINGS, name, Phrase("stir"), [*feeling.when, *feeling.ends], STIRS)
    for name in regards:
        check_known(faults, REGARDS, name, Phrase("stir"), [name], STIRS)


def _check_recipe(book: Book, name: str, recipe: RecipePart, faults: Faults) -> None:
    """Add a fault for each unknown name in a recipe, for faulty weights, odds or tools, for a
    second tag, for a process at no fixture, and if nobody would do it.
    """
    check = partial(check_known, faults, RECIPES, name)
    tags = {tag for kind in book.kinds.values() for tag in kind.tags}
    tagged = [kind for kind in recipe.take if kind.startswith("#")]
    kinds = [kind for kind in [*recipe.take, *recipe.make] if kind not in tagged]
    tools = filter(None, [recipe.tool])
    check(Phrase("kind"), kinds, book.kinds)
    check(Phrase("tag of kinds"), [*(tag[1:] for tag in tagged), *tools], tags)
    check(Phrase("need"), recipe.body, book.needs)
    check(Phrase("recipe"), filter(None, [recipe.partner]), book.entries)
    check(Phrase("season"), recipe.season, book.calendar.seasons)
    if len(tagged) > 1:
        faults.add(
            RECIPES,
            name,
            "takes {count} tags, {tags}; take at most one",
            count=len(tagged),
            tags=tagged,
        )
    _check_weights(book, name, recipe, faults)
    _check_money(book, name, recipe, faults)
    _check_chance(book, name, recipe, faults)
    check_tools(book, name, recipe, faults)
    if recipe.after and not recipe.at:
        faults.add(RECIPES, name, "goes on by itself, but nowhere; name a tag of fixtures in 'at'")
    if not recipe.make and not recipe.body:
        faults.add(
            RECIPES,
            name,
            "makes nothing and meets no need, so nobody would do it; add 'make' or 'body'",
        )


def _check_weights(book: Book, name: str, recipe: RecipePart, faults: Faults) -> None:
    """Add a fault for each recipe whose inputs and products differ in weight, or with the amount
    "rest" of another kind than `NATURE`.
    """
    for kind, count in [*recipe.take.items(), *recipe.make.items()]:
        if count == "rest" and kind != NATURE:
            faults.add(
                RECIPES,
                name,
                "leaves open how much {kind} it needs; only {nature} can be 'rest', so write a number",
                kind=kind,
                nature=NATURE,
            )
    for variant in book.families.get(name, ()):
        if all(kind in book.kinds for kind, _ in (*variant.take, *variant.make)):
            taken, made = book.grams(variant.take), book.grams(variant.make)
            if taken != made:
                faults.add(
                    RECIPES,
                    variant.id,
                    "takes {taken} g and makes {made} g; change a number, or add {nature} as 'rest' to the lighter side",
                    taken=taken,
                    made=made,
                    nature=NATURE,
                )


def _check_money(book: Book, name: str, recipe: RecipePart, faults: Faults) -> None:
    """Add a fault for each recipe that makes or uses up coins, also where it fails."""
    for variant in book.families.get(name, ()):
        taken, made = (dict(goods).get(COIN, 0) for goods in (variant.take, variant.make))
        left = recipe.failure.make.get(COIN, 0) if recipe.chance else taken
        if not taken == made == left:
            faults.add(
                RECIPES,
                variant.id,
                "takes {taken} and makes {made} (where it fails, {left}) of the kind {coin}; "
                "leave {coin} out, or give every number the same value",
                taken=taken,
                made=made,
                left=left,
                coin=COIN,
            )


def _check_chance(book: Book, name: str, recipe: RecipePart, faults: Faults) -> None:
    """Add a fault for each unknown name in a recipe's odds, for odds of a process, and for a
    failure that makes more than its inputs weigh.
    """
    if recipe.after:
        check_known(
            faults, RECIPES, name, Phrase("weather"), recipe.after.weather, book.calendar.weather
        )
        if recipe.chance:
            faults.add(
                RECIPES, name, "has a chance and goes on by itself; leave out 'chance', or 'after'"
            )
    if recipe.chance:
        check_known(faults, RECIPES, name, Phrase("need"), recipe.chance.needs, book.needs)
    check_known(faults, RECIPES, name, Phrase("kind"), recipe.failure.make, book.kinds)
    check_known(faults, RECIPES, name, Phrase("need"), recipe.failure.body, book.needs)
    if set(recipe.failure.make) <= set(book.kinds):
        made = book.grams(tuple(recipe.failure.make.items()))
        for variant in book.families.get(name, ()):
            if all(kind in book.kinds for kind, _ in variant.inputs) and made > book.grams(
                variant.inputs
            ):
                text = N_(
                    "makes {made} g where it fails, out of {taken} g; let less come of a failure"
                )
                faults.add(RECIPES, variant.id, text, made=made, taken=book.grams(variant.inputs))


def _check_calendar(book: Book, faults: Faults) -> None:
    """Check the kinds of weather of each season, and the needs and tags of chills."""
    for season, part in book.calendar.seasons.items():
        check_known(
            faults, CALENDAR, season, Phrase("weather"), part.weather, book.calendar.weather
        )
    tags = {tag for fixture in book.fixtures.values() for tag in fixture.tags}
    for weather, kind in book.calendar.weather.items():
        if kind.chills:
            check_known(faults, CALENDAR, weather, Phrase("need"), kind.chills.body, book.needs)
            check_known(faults, CALENDAR, weather, Phrase("tag"), kind.chills.at, tags)


def _check_need(book: Book, need: str, part: NeedPart, faults: Faults) -> None:
    """Add a fault for each error of a need: unknown names, levels that do not rise, recipes that do
    not raise it, and a need that falls and has no way to be met.
    """
    check_known(faults, NEEDS, need, Phrase("recipe"), part.met_by, [*book.entries, SLEEP])
    check_known(faults, NEEDS, need, Phrase("need"), part.at_zero, book.needs)
    if not part.wakes <= part.urgent <= part.low < part.satisfied:
        text = N_(
            "has the levels wakes {wakes}, urgent {urgent}, low {low}, satisfied {satisfied}, which should rise in this order"
        )
        faults.add(
            NEEDS,
            need,
            text,
            wakes=part.wakes,
            urgent=part.urgent,
            low=part.low,
            satisfied=part.satisfied,
        )
    raised = {recipe.family for recipe in book.meeting(need)}
    for name in part.met_by:
        if name in book.entries and name not in raised:
            faults.add(
                NEEDS,
                need,
                "recipe {name!r} is said to meet it, but does not raise it; add {need!r} to its 'body'",
                name=name,
                need=need,
            )
    if part.awake < 0 and not part.met_by:
        faults.add(NEEDS, need, "falls, but nothing meets it; name recipes in 'met_by'")


def _check_fixtures(
    book: Book, things: Collection[str], people: Collection[str], faults: Faults
) -> None:
    """Add a fault for each fixture that is not on the map or has an unknown owner, and for each
    shop that is closed to view, has no owner, sells unknown kinds or never opens.
    """
    owners = [*(f"house:{house}" for house in book.start.houses), *people]
    for address, fixture in book.fixtures.items():
        check_known(faults, FIXTURES, address, Phrase("thing on the map"), [address], things)
        check_known(
            faults,
            FIXTURES,
            address,
            Phrase("house or resident"),
            filter(None, [fixture.owner]),
            owners,
        )
        if fixture.shop is None:
            continue
        check_known(faults, FIXTURES, address, Phrase("kind"), fixture.shop.sells, book.kinds)
        if not fixture.shop.opens < fixture.shop.closes:
            faults.add(
                FIXTURES,
                address,
                "its shop closes before it opens; 'closes' should be later than 'opens'",
            )
        if fixture.closed:
            faults.add(
                FIXTURES,
                address,
                "is a shop in which nobody could see what it sells; leave out 'closed'",
            )
        if not fixture.owner:
            faults.add(
                FIXTURES, address, "is a shop without an owner, whom nobody could pay; add 'owner'"
            )


def _check_start(
    book: Book, things: Collection[str], people: Collection[str], faults: Faults
) -> None:
    """Add a fault for each resident or house that does not exist, each resident of the town who is
    missing, and initial goods that do not fit.
    """
    start = book.start
    check_known(faults, START, "people", Phrase("resident"), start.people, people)
    for who in sorted(set(people) - set(start.people)):
        faults.add(
            START,
            "people",
            "{who!r} is missing, who lives in the town; say at least to which house this resident belongs",
            who=who,
        )
    for house, home in start.houses.items():
        check_known(
            faults,
            START,
            Phrase("house {house}", house=house),
            Phrase("place on the map"),
            [home.home],
            things,
        )
    for who, person in start.people.items():
        _check_person(book, who, person, faults)
    check_items_at_start(book, faults)
    for address, stock in start.stocks.items():
        if WITHIN in address:
            continue
        check_known(faults, START, address, Phrase("fixture"), [address], book.fixtures)
        check_known(faults, START, address, Phrase("kind"), stock, book.kinds)
        if address in book.fixtures and set(stock) <= set(book.kinds):
            grams, holds = grams_at_start(book, address), book.fixtures[address].holds
            if grams > holds:
                faults.add(
                    START,
                    address,
                    "{grams} g lie there, but it holds {holds} g; raise 'holds' in fixtures.json, or store less",
                    grams=grams,
                    holds=holds,
                )


def _check_person(book: Book, who: str, person: PersonPart, faults: Faults) -> None:
    """Add a fault for each error in a resident's house, goods and duties."""
    check_known(faults, START, who, Phrase("house"), [person.house], book.start.houses)
    check_known(faults, START, who, Phrase("kind"), person.has, book.kinds)
    grams = grams_at_start(book, who)
    if grams > book.start.bag:
        faults.add(
            START,
            who,
            "carries {grams} g, but a bag holds {bag} g; raise 'bag', or let less be carried",
            grams=grams,
            bag=book.start.bag,
        )
    for duty in person.duties:
        _check_duty(book, who, duty, faults)


def _check_duty(book: Book, who: str, duty: DutyPart, faults: Faults) -> None:
    """Add a fault unless a duty names either a kind that can be obtained, with a fixture to keep it
    at, or a recipe.
    """
    if bool(duty.keep) == bool(duty.do):
        faults.add(START, who, "a duty has either 'keep', 'count' and 'at', or 'do'")
        return
    if duty.do:
        check_known(faults, START, who, Phrase("recipe"), [duty.do], book.entries)
        return
    check_known(faults, START, who, Phrase("kind"), [duty.keep], book.kinds)
    check_known(faults, START, who, Phrase("fixture"), [duty.at], book.fixtures)
    got = {
        kind for fixture in book.fixtures.values() if fixture.shop for kind in fixture.shop.sells
    } | {kind for part in book.kinds.values() for kind in part.leaves}
    if (
        duty.keep in book.kinds
        and duty.keep not in (COIN, NATURE)
        and not book.makers[duty.keep]
        and duty.keep not in got
    ):
        faults.add(
            START,
            who,
            "is to keep {kind!r} in stock, which no recipe makes and no shop sells",
            kind=duty.keep,
        )
