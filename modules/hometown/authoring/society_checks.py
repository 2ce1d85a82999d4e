"""Check that a valid society can work: that its recipes are feasible and its residents can be fed."""

from __future__ import annotations

from hometown.authoring.problems import Problems
from hometown.society.chains import WORKDAY_MINUTES
from hometown.society.hire import BOARD_TAG
from hometown.society.livelihood import Livelihood, analyse_livelihoods, initial_stocks
from hometown.text import N_
from hometown.world.book.book import Book, Recipe
from hometown.world.faults import likely

RECIPES, NEEDS, FIXTURES = "society/recipes.json", "society/needs.json", "society/fixtures.json"

LEFT_OVER = 10
"""Divisor of a batch for the leftovers that a fixture should have room for beside the next batch.
"""


def check_society(book: Book, problems: Problems) -> None:
    """Warn of infeasible recipes, boards without notices, needs that can't be met for good, and
    days with more work than hours.
    """
    for recipe in book.recipes.values():
        _check_fixture(book, recipe, problems)
        _check_skill(book, recipe, problems)
        _check_tool(book, recipe, problems)
        _check_room(book, recipe, problems)
    _check_boards(book, problems)
    proofs = analyse_livelihoods(book)
    for proof in proofs:
        _check_livelihood(proof, problems)
    work, time = sum(proof.minutes for proof in proofs), len(book.start.people) * WORKDAY_MINUTES
    if work > time:
        text = N_(
            "meeting all needs takes {work:.0f} minutes of work a day, and the residents have {time:.0f}; shorten recipes, or let them give more"
        )
        problems.warn(RECIPES, "", text, work=work, time=time)


def _check_fixture(book: Book, recipe: Recipe, problems: Problems) -> None:
    """Warn of a recipe without a fixture, unless each of its products can be made by a recipe that
    has one or needs none.
    """
    tags = {tag for fixture in book.fixtures.values() for tag in fixture.tags}
    another_way = bool(recipe.products) and all(
        any(maker.at in {"", *tags} for maker in book.makers[kind]) for kind, _ in recipe.products
    )
    if recipe.at and recipe.at not in tags and not another_way:
        text = N_("no fixture has the tag {tag!r}, so nobody can do it until one is placed{hint}")
        problems.warn(RECIPES, recipe.family, text, tag=recipe.at, hint=likely(recipe.at, tags))


def _check_skill(book: Book, recipe: Recipe, problems: Problems) -> None:
    """Warn of a recipe whose skill no resident has or can acquire by practising easier recipes; a
    skill without any master can't be taught.
    """
    skilled = max(
        (person.skills.get(recipe.skill, 0) for person in book.start.people.values()), default=0
    )
    learnt = any(
        other.skill == recipe.skill and other.least <= skilled and not other.part.partner
        for other in book.recipes.values()
    )
    if recipe.skill and skilled < recipe.least and not learnt:
        text = N_(
            "needs {least} of the skill {skill!r}, of which nobody has more than {most}, and nothing teaches it; lower 'least', or give somebody the skill"
        )
        problems.warn(
            RECIPES,
            recipe.family,
            text,
            least=recipe.least,
            skill=recipe.skill,
            most=skilled,
        )


def _check_room(book: Book, recipe: Recipe, problems: Problems) -> None:
    """Warn of an unattended process whose fixture has too little room for its product beside
    leftovers of the last batch, which would block it.
    """
    made = book.grams(recipe.products) if recipe.after else 0
    needed = made + made // LEFT_OVER
    for address in book.places_for(recipe.at) if made else ():
        if (holds := book.fixtures[address].holds) < needed:
            text = N_(
                "holds {holds} g, and {recipe!r} makes {made} g there; let it hold {needed} g, or what is left over will block it one day"
            )
            problems.warn(
                FIXTURES,
                address,
                text,
                address,
                holds=holds,
                recipe=recipe.id,
                made=made,
                needed=needed,
            )


def _check_boards(book: Book, problems: Problems) -> None:
    """Warn of a notice board in a town without a shop that a duty keeps stocked: no notice would
    ever appear on it.
    """
    sold = {
        (address, kind)
        for address, fixture in book.fixtures.items()
        if fixture.shop
        for kind in fixture.shop.sells
    }
    kept = {(duty.at, duty.keep) for person in book.start.people.values() for duty in person.duties}
    for address in book.places_for(BOARD_TAG) if not sold & kept else ():
        text = N_(
            "is a board at which no notice will ever hang, since nobody keeps anything in a shop; give somebody such a duty in start.json"
        )
        problems.warn(FIXTURES, address, text, address)


def _check_tool(book: Book, recipe: Recipe, problems: Problems) -> None:
    """Warn of a recipe whose tool nobody has at the start and no recipe makes, or whose tools all
    wear out without replacement.
    """
    kinds, there = book.tools_for(recipe.tool) if recipe.tool else [], initial_stocks(book)
    if not kinds or any(book.makers[kind] for kind in kinds):
        return
    if not any(there[kind] for kind in kinds):
        text = N_(
            "needs a tool with the tag {tag!r}, which nobody has and nothing makes; give somebody {kinds} in start.json, or add a recipe for it"
        )
        problems.warn(RECIPES, recipe.family, text, tag=recipe.tool, kinds=kinds)
    elif all(book.kinds[kind].wears for kind in kinds):
        _warn_of_wear(
            recipe, sum(book.kinds[kind].wears * there[kind] for kind in kinds), kinds, problems
        )


def _warn_of_wear(recipe: Recipe, times: int, kinds: list[str], problems: Problems) -> None:
    """Warn that a recipe can be done only so many times, until its last tool is worn out."""
    text = N_(
        "can be done {times} times, until the last {kinds} is worn out, and nothing makes another; add a recipe for it, or leave out 'wears'"
    )
    problems.warn(RECIPES, recipe.family, text, times=times, kinds=kinds)


def _check_livelihood(proof: Livelihood, problems: Problems) -> None:
    """Warn of a need that can't be met for good: its shortfall, the day on which it is felt, and
    the cause.
    """
    if not proof.sufficient:
        text = N_(
            "{supplied:.0f} of {used:.0f} points a day can be supplied; the first level is 0 after {days:.1f} days. What gives way first: {weakest}"
        )
        weakest = proof.weakest or "time"
        problems.warn(
            NEEDS,
            proof.need,
            text,
            supplied=proof.supplied,
            used=proof.used,
            days=proof.until_empty,
            weakest=weakest,
        )
