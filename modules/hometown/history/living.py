"""A resident's body and goods in a town with a society: needs, bag, purse, skills and current
work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hometown.history import shapes
from hometown.history.hardship import levels_under
from hometown.history.held_goods import holdings, town_at
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import T, Versions
from hometown.society.realms import realm_at
from hometown.society.work_phrasing import WorkPhrases
from hometown.world import keys
from hometown.world.book.book import COIN, Book
from hometown.world.book.references import SLEEP
from hometown.world.keys import Key
from hometown.world.labour import Errand, Job, Needs, Process, Verb
from hometown.world.verbs import ing
from hometown.world.world import sector_of

R = TypeVar("R")


def body_and_goods(
    run: RunReader, names: Names, who: str, begin: int, last: int
) -> shapes.Living | None:
    """Return a resident's body and goods; None in a town without a society, and for a resident
    without a part in it.
    """
    world = town_at(run, names, last)
    book = world.book if world else None
    if world is None or book is None or who not in book.start.people:
        return None
    house = book.start.people[who].house
    telling = WorkPhrases(world)
    return {
        "needs": [_need(telling, book, need) for need in book.needs],
        "bodily": _bodily(run, book, who, begin, last),
        "bag": holdings(run, world, who, begin, last),
        "coins": _map_versions(
            run,
            keys.STOCK.of(f"house:{house}"),
            begin,
            last,
            lambda row: row.count(COIN),
            0,
        ),
        "house": names.building(sector_of(book.start.houses[house].home)),
        "skills": _map_versions(
            run,
            keys.SKILLS.of(who),
            begin,
            last,
            lambda row: [
                (_name_stage(telling, skill, level), level) for skill, level in row.levels
            ],
            [],
        ),
        "work": [
            (since, _work(run, telling, deed))
            for since, deed in run.versions_or(keys.DEED.of(who), begin, last, None)
        ],
    }


def going_on(run: RunReader, telling: WorkPhrases, process: Process | None) -> shapes.Work | None:
    """Return the unattended process at a fixture in the page's format; None without one, or for one
    of an unknown recipe.
    """
    if process is None or process.recipe not in telling.book.recipes:
        return None
    recipe = telling.book.recipes[process.recipe]
    due = run.tick(process.due)
    return {"text": telling.recipe(recipe), "begun": due - recipe.after * 6, "due": due}


def name_skill(telling: WorkPhrases, skill: str) -> str:
    """Return a skill's name: in English its id in words; in Chinese the first two recipes for which
    it is used, or its id if there are none.
    """
    if telling.lang == "en":
        return skill.replace("_", " ")
    words = [
        recipe.part.says[telling.lang][0]
        for recipe in telling.book.recipes.values()
        if recipe.skill == skill and not recipe.part.partner
    ]
    return telling.say("skills_joint").join(dict.fromkeys(words[:2])) or skill


def _name_stage(telling: WorkPhrases, skill: str, level: int) -> str:
    """Return a skill's name, with that of the realm at a level, if it has realms."""
    here = realm_at(telling.book, skill, level)
    named = (name_skill(telling, skill), *((here[1].name[telling.lang],) if here else ()))
    return telling.say("skills_joint").join(named)


def _map_versions(
    run: RunReader, key: Key[R], begin: int, last: int, value: Callable[[R], T], none: T
) -> Versions[T]:
    """Return the versions of a row as values, `none` where there is no row."""
    return [
        (since, none if row is None else value(row))
        for since, row in run.versions_or(key, begin, last, None)
    ]


def _work(run: RunReader, telling: WorkPhrases, job: Job | None) -> shapes.Work | None:
    """Return a job in the page's format; None if there is none."""
    if job is None:
        return None
    return {
        "text": telling.doing(Errand(Verb.DO, job.at, job.recipe)),
        "begun": run.tick(job.since),
        "due": run.tick(job.until),
    }


def _need(telling: WorkPhrases, book: Book, need: str) -> shapes.Need:
    """Return a need in the page's format: its levels and rates, the activities that meet it, and
    the needs that it drains at 0.
    """
    part = book.needs[need]
    lang = telling.lang
    met = [
        telling.say("asleep") if name == SLEEP else _name_family(telling, name)
        for name in part.met_by
        if name == SLEEP or name in book.families
    ]
    drains = [
        (book.needs[other].name[lang], rate)
        for other, rate in part.at_zero.items()
        if other in book.needs
    ]
    return {
        "name": part.name[lang],
        "low": part.low,
        "urgent": part.urgent,
        "awake": part.awake,
        "asleep": part.asleep,
        "met_by": list(dict.fromkeys(met)),
        "drains": drains,
    }


def _name_family(telling: WorkPhrases, family: str) -> str:
    """Name a family of recipes independent of its ingredients: "eating"."""
    word = telling.book.families[family][0].part.says[telling.lang][0]
    return ing(word) if telling.lang == "en" else word


def _bodily(run: RunReader, book: Book, who: str, begin: int, last: int) -> Versions[shapes.Bodily]:
    """Return the levels of needs, 0 to 1000, after each of the steps from `begin` to `last` (unlike
    rows, they change all the time).
    """
    rows = run.versions_or(keys.NEEDS.of(who), begin, last, None)
    bodily = Versions[shapes.Bodily]()
    now: Needs | None = None
    changes = dict(rows)
    for step in range(begin, last + 1):
        now = changes.get(step, now)
        if now:
            met = levels_under(book, now, run.moment(step))
            bodily.append(
                (step, {"levels": [met.get(need, 0) for need in book.needs], "asleep": now.asleep})
            )
    return bodily
