"""Random outcomes: the day's weather, its effect on harvests, chills, and the success of difficult
recipes. All draws come from the run's seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hometown.agent.mind.mood import MAX_MOOD
from hometown.clock import DAY
from hometown.rng import stream
from hometown.society.realms import realm_ahead
from hometown.society.society_view import SocietyView
from hometown.world.book.parts import FULL
from hometown.world.effects import Effect
from hometown.world.labour import Job, Process, WeatherCame


def draw_weather(society: SocietyView) -> Iterator[Effect]:
    """Yield the weather of each day up to today that has none yet, in seasons with weather."""
    known = society.state.weather
    first = known.first + len(known.kinds) if known.kinds else society.day
    for day in range(first, society.day + 1):
        if weights := society.book.calendar.seasons[society.book.season_on(day)].weather:
            random = stream(society.seed, "weather", day)
            yield WeatherCame(day, random.choices(list(weights), list(weights.values()))[0])


def harvest_share(society: SocietyView, process: Process) -> int:
    """Return the thousandths, 0 to `FULL`, of a process's yield that the weather of its days has
    left.
    """
    recipe = society.book.recipes[process.recipe]
    costs = recipe.part.after.weather if recipe.part.after else {}
    last = society.day - (society.now.date() - process.due.date()).days
    days = range(last - round(recipe.after / DAY) + 1, last + 1)
    return max(0, FULL - sum(costs.get(society.state.weather.on(day), 0) for day in days))


def draw_chill(society: SocietyView, who: str, job: Job) -> Mapping[str, int]:
    """Return the changes of needs if a resident catches a chill at their work, by the weather's
    chance; empty otherwise. A resident whose need it would take to 0 catches none.
    """
    weather = society.book.calendar.weather.get(society.state.weather.on(society.day))
    chills = weather.chills if weather else None
    if chills is None or not job.at or society.book.recipes[job.recipe].at not in chills.at:
        return {}
    met = society.levels(who)
    if any(
        met[need] + change <= 0 for need, change in chills.body.items()
    ):  # a body that has not got over the last one would not survive another
        return {}
    return (
        chills.body
        if stream(society.seed, "chill", who, society.now).randrange(FULL) < chills.often
        else {}
    )


def success_odds(society: SocietyView, who: str, recipe_id: str) -> int:
    """Return a resident's present odds of success with a recipe, 0 to `FULL` thousandths: by its
    chance, their skill, needs, mood and the realm ahead; `FULL` for a recipe that cannot fail.
    """
    recipe = society.book.recipes[recipe_id]
    if (chance := recipe.part.chance) is None:
        return FULL
    ahead = realm_ahead(society, who, recipe)
    met = society.levels(who)
    skill = society.state.skill(who, recipe.skill)
    helped = (
        chance.skill * skill + sum(most * met[need] for need, most in chance.needs.items())
    ) // FULL
    odds = chance.base + helped + (ahead.odds if ahead else 0)
    return max(0, min(FULL, odds + int(chance.mood * society.pleasure_of(who) / MAX_MOOD)))


def succeeds(society: SocietyView, who: str, job: Job) -> bool:
    """Return True if a resident's finished work succeeds, drawn by its odds."""
    likely = success_odds(society, who, job.recipe)
    return (
        likely == FULL
        or stream(society.seed, "chance", who, job.recipe, society.now).randrange(FULL) < likely
    )
