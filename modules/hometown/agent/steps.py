"""The steps of an entry of the schedule, in a town with a society: the model's own words, and the
errands that they mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hometown.agent.fit import Place
from hometown.agent.habits import usual_emoji
from hometown.agent.mind import Mind
from hometown.agent.places import best_place, known_places
from hometown.agent.telling import Telling
from hometown.language import Lang
from hometown.memory.schedule import Entry, MeantTask, PlacedTask, Task, Tasks
from hometown.prompt.doing import NO_EMOJI
from hometown.prompt.working import GROUND, MOST_STEPS, STEPS, GroundVars, StepsVars
from hometown.society.chance import success_odds
from hometown.society.errand_grounding import ground_words, list_options
from hometown.society.joint_work import find_joint_recipes
from hometown.society.knowledge import view_as
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.world.book.parts import FULL
from hometown.world.labour import Errand, Verb

REMEMBERED = 3
"""Things that could not be done of which a prompt tells, at most."""


async def think_through(
    mind: Mind, society: SocietyView, entry: Entry, usual: Sequence[str], shortest: int
) -> tuple[Tasks, str]:
    """Tasks for an entry and the name of the call: one call for its steps, and one for those that
    no rule understands, if there is anything they could mean.

    Whoever is called somewhere stays there and does no errand meanwhile, so that nobody asks what
    its steps mean. What two have agreed to do together needs neither call: the rules of such work
    begin it when both are there.
    """
    if entry.address and find_joint_recipes(society, entry.activity, mind.world.lang):
        return Tasks(entry.start, (Task(entry.start, entry.end, entry.activity),)), "rule:together"
    telling, society = Telling(mind.world), view_as(society, mind.who, mind.arena)
    found = list_options(society, Planner(society, mind.who, mind.world.walk_minutes), mind.arena)
    lines = [_line(telling, society, mind.who, plan.errands[-1]) for _, plan in found]
    reach = {line: wish for line, (wish, _) in zip(lines, found, strict=True)}
    named = {
        line: telling.doing(plan.errands[-1]) for line, (_, plan) in zip(lines, found, strict=True)
    }
    most = max(1, min(MOST_STEPS, (entry.end - entry.start) // shortest))
    choices = tuple(dict.fromkeys([*usual, *reach])) if mind.near_habit else ()
    reply, cause = await mind.ask(
        STEPS, _variables(mind, telling, society, entry, most, tuple(reach), choices)
    )
    steps = reply.steps[:most]
    meant = [reach.get(step) or ground_words(mind.world, society, mind.who, step) for step in steps]
    unclear = [at for at, errand in enumerate(meant) if errand is None and steps[at] not in usual]
    if unclear and reach and not entry.address:
        chosen, _ = await mind.ask(
            GROUND, GroundVars(mind.situation, tuple(steps[at] for at in unclear), tuple(reach))
        )
        wishes = list(reach.values())
        for at, number in zip(unclear, chosen.numbers, strict=True):
            meant[at] = wishes[number - 1] if number else None
    return Tasks(
        entry.start, tuple(_tasks(mind, entry, [named.get(step, step) for step in steps], meant))
    ), cause


def _tasks(
    mind: Mind, entry: Entry, steps: Sequence[str], meant: Sequence[Errand | None]
) -> list[Task]:
    """The steps share the time of the entry; what is no errand is done where it suits best."""
    length = entry.end - entry.start
    ends = [entry.start + length * at // len(steps) for at in range(len(steps) + 1)]
    tasks: list[Task] = []
    places = list(known_places(mind))
    for step, errand, (start, end) in zip(steps, meant, pairwise(ends), strict=True):
        if errand:
            tasks.append(
                MeantTask(start, end, step, verb=errand.verb, what=errand.what, at=errand.at)
            )
        else:
            tasks.append(at_leisure(mind, Task(start, end, step), entry.activity, places))
    return tasks


def at_leisure(mind: Mind, task: Task, entry: str, places: Iterable[Place]) -> PlacedTask:
    """A task that is no errand, at the one of these places that suits it best."""
    emoji = usual_emoji(mind, task.activity, entry)
    address = best_place(mind, task.activity, entry, places)
    return PlacedTask(
        task.start,
        task.end,
        task.activity,
        task.status,
        address=address,
        emoji=emoji[0] if emoji else NO_EMOJI,
    )


def _line(telling: Telling, society: SocietyView, who: str, last: Errand) -> str:
    """Something that can be done, by the last errand of its plan: where, at what price, and how
    likely it is to succeed if that is not certain.
    """
    if last.verb == Verb.DO and society.book.recipes[last.what].part.chance:
        return telling.say(
            "likely",
            doing=telling.doing(last),
            tenths=round(success_odds(society, who, last.what) * 10 / FULL),
        )
    shop = society.state.shop(last.at) if last.verb == Verb.BUY else None
    return (
        telling.say("priced", doing=telling.doing(last), price=dict(shop.prices)[last.what])
        if shop
        else telling.doing(last)
    )


def outside(society: SocietyView, lang: Lang) -> list[str]:
    """The season and, where there is any, the day's weather."""
    calendar, weather = society.book.calendar, society.state.weather.on(society.day)
    return [
        calendar.seasons[society.season].name[lang],
        *([calendar.weather[weather].says[lang]] if weather in calendar.weather else []),
    ]


def _variables(
    mind: Mind,
    telling: Telling,
    society: SocietyView,
    entry: Entry,
    most: int,
    reach: tuple[str, ...],
    choices: tuple[str, ...],
) -> StepsVars:
    book, lang, who = society.book, mind.world.lang, mind.who
    felt = society.levels(who)
    own = (
        at
        for at in society.stores_of(who)
        if not society.site_of(at) or book.fixtures[society.site_of(at)].owner == society.purse(who)
    )
    stores = society.goods_in((who, *own))
    refused = [bar.outcome for bar in mind.state.blocked_errands(who)][-REMEMBERED:]
    return StepsVars(
        mind.situation, entry, most,
        low=tuple(part.name[lang] for need, part in book.needs.items() if part.met_by and felt[need] < part.low),
        coins=society.coins(who),
        stores=tuple((part.name[lang], stores[kind]) for kind, part in book.kinds.items() if stores[kind]),
        duties=tuple(dict.fromkeys(telling.duty(duty) for duty in book.start.people[who].duties)),
        season=mind.words.texts["item_separator"].join(outside(society, lang)),
        refused=tuple(telling.outcome(outcome)[1].format(name=mind.me.name) for outcome in refused),
        reach=reach, choices=choices,
    )  # fmt: skip
