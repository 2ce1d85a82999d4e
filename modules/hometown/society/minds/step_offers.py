"""The offer of the prompt for the steps of an entry: errands possible now, ways and prices."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.frozen import frozen
from hometown.prompt.errand_matching import SpokenWay
from hometown.society.chance import success_odds
from hometown.society.errand_grounding import list_options
from hometown.society.known_ways import KnownWay, find_known_ways
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.book.parts import FULL
from hometown.world.labour import Errand, Verb
from hometown.world.matter import kind_of
from hometown.world.world import arena_of


@frozen
class StepOffer:
    """The offer of a prompt to a resident: lines with the errand that each means, and ways.

    Attributes:
        errands: The errand that each line means, those of steps of ways included.
        lines: The lines listed as possible now.
        names: The activity of a line that is worded otherwise.
    """

    errands: Mapping[str, Errand]
    lines: tuple[str, ...]
    names: Mapping[str, str]
    ways: tuple[SpokenWay, ...] = ()


def offer_options(phrases: WorkPhrases, search: Planner, place: str) -> StepOffer:
    """Return a resident's possible acts now, each with all the errands that it takes beforehand."""
    found = list_options(search.society, search, place)
    lines = [
        _describe_option(phrases, search.society, search.who, plan.errands[-1]) for _, plan in found
    ]
    reach = {line: wish for line, (wish, _) in zip(lines, found, strict=True)}
    names = {
        line: phrases.doing(plan.errands[-1]) for line, (_, plan) in zip(lines, found, strict=True)
    }
    return StepOffer(reach, tuple(reach), names)


def offer_steps(
    phrases: WorkPhrases, search: Planner, place: str, meant: Errand | None = None, room: str = ""
) -> StepOffer:
    """Return a resident's possible acts of one step, and the ways that they know, in exact words:
    that of the work that they mean to do, if possible in the arena `room`, before others. Of ways of
    the same steps, such as for a duty and for what comes of it, the first is offered.
    """
    possible = [
        plan.errands[0]
        for _, plan in list_options(search.society, search, place)
        if len(plan.errands) == 1
    ]
    known: dict[tuple[Errand, ...], KnownWay] = {}
    for way in find_known_ways(search, place, meant, room):
        known.setdefault(way.plan.errands, way)
    errands = [*possible, *(errand for row in known for errand in row)]
    said = {errand: _describe_chance(phrases, search, errand) for errand in errands}
    ways = tuple(
        SpokenWay(
            way.kind,
            _describe_purpose(phrases, way),
            tuple(said[errand] for errand in way.plan.errands),
        )
        for way in known.values()
    )
    return StepOffer(
        {line: errand for errand, line in said.items()},
        tuple(dict.fromkeys(said[errand] for errand in possible)),
        {line: phrases.exact(errand) for errand, line in said.items()},
        ways,
    )


def _describe_chance(phrases: WorkPhrases, search: Planner, errand: Errand) -> str:
    """Return an errand in exact words, with its chance of success and the needs that a failure
    lowers, if it may fail.
    """
    book = search.society.book
    part = book.recipes[errand.what].part if errand.verb == Verb.DO else None
    if part is None or part.chance is None:
        return phrases.exact(errand)
    lowered = [need for need, change in part.failure.body.items() if change < 0]
    return phrases.say(
        "risky" if lowered else "likely",
        doing=phrases.exact(errand),
        tenths=round(success_odds(search.society, search.who, errand.what) * 10 / FULL),
        needs=phrases.texts["skills_joint"].join(
            book.needs[need].name[phrases.lang] for need in lowered
        ),
    )


def _describe_purpose(phrases: WorkPhrases, way: KnownWay) -> str:
    """Return the purpose of a way: the name of its need, its duty, or what it is good for."""
    last = way.plan.errands[-1]
    if way.duty:
        return phrases.duty(way.duty)
    if way.need:
        return phrases.book.needs[way.need].name[phrases.lang]
    if way.kind == "care":
        return phrases.say("to_help", other=phrases.world.name_of(last.at))
    if last.verb == Verb.DO:
        recipe = phrases.book.recipes[last.what]
        return phrases.say("lasting", doing=phrases.recipe(recipe), minutes=recipe.minutes)
    return phrases.say("to_earn" if last.verb == Verb.HIRE else "to_unload")


def _describe_option(phrases: WorkPhrases, society: SocietyView, who: str, last: Errand) -> str:
    """Return an errand as a line of the prompt, with its chance of success in tenths, or with its
    price; alone if it has neither.
    """
    if last.verb == Verb.DO and society.book.recipes[last.what].part.chance:
        return phrases.say(
            "likely",
            doing=phrases.doing(last),
            tenths=round(success_odds(society, who, last.what) * 10 / FULL),
        )
    shop = society.state.shop(last.at) if last.verb == Verb.BUY else None
    return (
        phrases.say("priced", doing=phrases.doing(last), price=dict(shop.prices)[last.what])
        if shop
        else phrases.doing(last)
    )


def known_prices(mind: Mind, search: Planner) -> tuple[tuple[str, str, int], ...]:
    """Return the prices of others' shops that a resident knows, as (shop, goods, coins)."""
    kinds = search.society.book.kinds
    return tuple(
        (mind.world.place_name(address), kinds[kind].name[mind.world.lang], price)
        for kind, shops in sorted(search.shops_by_kind.items())
        for address, price in shops
        if not search.society.may_use(mind.who, address)
    )


def known_processes(phrases: WorkPhrases, search: Planner) -> tuple[tuple[str, datetime], ...]:
    """Return the processes of the resident's house that they know, each as the goods that come
    of it, with their place, and the time at which they are due, the next first.
    """
    society = search.society
    known = {
        at: process
        for at, fixture in society.book.fixtures.items()
        if fixture.owner == society.purse(search.who) and (process := society.state.process(at))
    }
    return tuple(
        (phrases.growing(at, process.recipe), process.due)
        for at, process in sorted(known.items(), key=lambda one: (one[1].due, one[0]))
    )


def things_in_sight(
    phrases: WorkPhrases, society: SocietyView, place: str
) -> tuple[tuple[str, str], ...]:
    """Return the ids and names of the fixtures at a place and of the items that can be seen in them."""
    book, lang = society.book, phrases.lang
    fixtures = [at for at in book.fixtures if arena_of(at) == place]
    items = (
        item
        for at in fixtures
        if not book.fixtures[at].closed
        for item in society.state.stock(at).items
    )
    return (
        *((at, phrases.world.name_of(at)) for at in fixtures),
        *((item, book.kinds[kind_of(item)].name[lang]) for item in items),
    )
