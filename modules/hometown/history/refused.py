"""Refusals behind memories of failed work, and the obstacles at that moment."""

from __future__ import annotations

from collections.abc import Iterable

from hometown.history import shapes
from hometown.history.held_goods import town_at
from hometown.history.living import name_skill
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.stores import owner_of
from hometown.json_object import Json
from hometown.society.jobs import CAUGHT_CHILL
from hometown.society.work_phrasing import WorkPhrases
from hometown.world import keys
from hometown.world.labour import Errand, Outcome, Verb

BACK = 12
"""Maximum number of steps between a refusal and its memory: residents who sleep or talk remember it
afterwards.
"""

Facts = dict[str, str | int]


def refusal(
    run: RunReader,
    names: Names,
    predicate: str,
    step: int,
    effects: Iterable[tuple[int, Json]],
) -> shapes.RefusalView | None:
    """Return the refusal of which a memory made in a step tells; None for other memories.

    Args:
        predicate: The memory's predicate.
        effects: Outcomes with their steps, the latest first.
    """
    world = town_at(run, names, step)
    if world is None or world.book is None:
        return None
    telling = WorkPhrases(world)
    for when, effect in effects:
        outcome = _outcome(effect["outcome"])
        if outcome.code not in ("", CAUGHT_CHILL) and telling.outcome(outcome)[0] == predicate:
            return {"code": outcome.code, "facts": _facts(run, names, telling, outcome, when)}
    return None


def _outcome(raw: Json) -> Outcome:
    return Outcome(
        Errand(**raw["errand"]), raw["code"], tuple((name, value) for name, value in raw["facts"])
    )


def _facts(
    run: RunReader, names: Names, telling: WorkPhrases, outcome: Outcome, step: int
) -> Facts:
    """Return the values that the sentence of an outcome's code needs, with names for ids."""
    errand, facts, book = outcome.errand, dict(outcome.facts), telling.book
    told: Facts = {"thing": telling.world.name_of(errand.at)} | {
        key: value for key, value in facts.items() if isinstance(value, int)
    }
    kind = facts.get("kind")
    if kind in book.kinds:
        told["kind"] = book.kinds[str(kind)].name[telling.lang]
    match outcome.code:
        case "BUSY":
            told |= _list_busy_facts(run, names, telling, errand.at, step)
        case "CLOSED":
            told |= _list_opening_facts(telling, errand)
        case "NOT_YOURS":
            fixture = book.fixtures.get(errand.at)
            told["owner"] = owner_of(
                names, book, str(facts.get("owner") or (fixture.owner if fixture else ""))
            )
        case "UNSKILLED":
            told["skill"] = name_skill(telling, str(facts["skill"]))
        case "LACKS" if "tool" in facts:
            told["tool"] = telling.say("skills_joint").join(
                book.kinds[each].name[telling.lang] for each in book.tools_for(str(facts["tool"]))
            )
        case "BROKE":
            told["wears"] = book.kinds[str(kind)].wears if kind in book.kinds else 0
    return told


def _list_busy_facts(
    run: RunReader, names: Names, telling: WorkPhrases, address: str, step: int
) -> Facts:
    """Return who works at a fixture, at which work, and the tick of its end; else the unattended
    process there and its end; {} if there is neither, so that a queue was the obstacle.
    """
    for who in run.residents:
        deed = run.row(keys.DEED.of(who), step)
        if deed and deed.at == address and deed.recipe in telling.book.recipes:
            return {
                "who": names.person(who),
                "doing": telling.recipe(telling.book.recipes[deed.recipe]),
                "until": run.tick(deed.until),
            }
    process = run.row(keys.PROCESS.of(address), step)
    if process and process.recipe in telling.book.recipes:
        return {
            "doing": telling.recipe(telling.book.recipes[process.recipe]),
            "until": run.tick(process.due),
        }
    return {}


def _list_opening_facts(telling: WorkPhrases, errand: Errand) -> Facts:
    """Return the opening hours of the shop, or the seasons of the recipe."""
    book, lang = telling.book, telling.lang
    fixture, recipe = book.fixtures.get(errand.at), book.recipes.get(errand.what)
    if errand.verb != Verb.DO and fixture and fixture.shop:
        return {"opens": fixture.shop.opens, "closes": fixture.shop.closes}
    seasons = [
        book.calendar.seasons[season].name[lang]
        for season in (recipe.season if recipe else ())
        if season in book.calendar.seasons
    ]
    return {"seasons": telling.say("skills_joint").join(seasons)}
