"""Random outcomes: the day's weather, its effect on harvests, chills, and the success of difficult
recipes. All draws come from the run's seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hometown.clock import DAY
from hometown.rng import stream
from hometown.society.affairs import Affairs
from hometown.society.mood import MOST
from hometown.world.book.parts import FULL
from hometown.world.effects import Effect
from hometown.world.labour import Deed, Process, WeatherCame


def weather(affairs: Affairs) -> Iterator[Effect]:
    """Yield the weather of each day up to today that has none yet, in seasons with weather."""
    known = affairs.state.weather
    for day in range(
        known.first + len(known.kinds) if known.kinds else affairs.day, affairs.day + 1
    ):
        if kinds := affairs.book.calendar.seasons[affairs.book.season_on(day)].weather:
            yield WeatherCame(
                day,
                stream(affairs.seed, "weather", day).choices(list(kinds), list(kinds.values()))[0],
            )


def harvest(affairs: Affairs, process: Process) -> int:
    """Return the thousandths of a process's yield that the weather of its days has left."""
    recipe = affairs.book.recipes[process.recipe]
    costs = recipe.part.after.weather if recipe.part.after else {}
    last = affairs.day - (affairs.now.date() - process.due.date()).days
    days = range(last - round(recipe.after / DAY) + 1, last + 1)
    return max(0, FULL - sum(costs.get(affairs.state.weather.on(day), 0) for day in days))


def chill(affairs: Affairs, who: str, deed: Deed) -> Mapping[str, int]:
    """Return the changes of needs from a chill caught at outdoor work; empty for none."""
    weather = affairs.book.calendar.weather.get(affairs.state.weather.on(affairs.day))
    chills = weather.chills if weather else None
    if chills is None or not deed.at or affairs.book.recipes[deed.recipe].at not in chills.at:
        return {}
    met = affairs.levels(who)
    if any(
        met[need] + change <= 0 for need, change in chills.body.items()
    ):  # a body that has not got over the last one would not survive another
        return {}
    return (
        chills.body
        if stream(affairs.seed, "chill", who, affairs.now).randrange(FULL) < chills.often
        else {}
    )


def odds(affairs: Affairs, who: str, recipe_id: str) -> int:
    """Return a resident's present odds of success with a recipe, in thousandths."""
    recipe = affairs.book.recipes[recipe_id]
    if (chance := recipe.part.chance) is None:
        return FULL
    met = affairs.levels(who)
    skill = dict(affairs.state.skills(who)).get(recipe.skill, 0)
    helped = (
        chance.skill * skill + sum(most * met[need] for need, most in chance.needs.items())
    ) // FULL
    return max(
        0, min(FULL, chance.base + helped + int(chance.mood * affairs.pleasures(who) / MOST))
    )


def succeeds(affairs: Affairs, who: str, deed: Deed) -> bool:
    """Return whether finished work succeeds."""
    likely = odds(affairs, who, deed.recipe)
    return (
        likely == FULL
        or stream(affairs.seed, "chance", who, deed.recipe, affairs.now).randrange(FULL) < likely
    )
