"""Steps of a schedule entry in a society: the model's own words, and the errands that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hometown.agent.mind import Mind, concepts
from hometown.agent.planning.place_choice import known_places, place_task
from hometown.language import Lang
from hometown.memory.schedule import Entry, MeantTask, Task, Tasks, planned_room
from hometown.prompt.errand_matching import (
    GROUND,
    MOST_STEPS,
    STEPS,
    GroundVars,
    StepsVars,
)
from hometown.society.bodies import need_levels
from hometown.society.errand_grounding import concerns_others, ground_words
from hometown.society.joint_work import find_joint_recipes
from hometown.society.knowledge import view_as
from hometown.society.memory_kinds import kind_of_text, recall_kind
from hometown.society.minds.later_work import settle_returns
from hometown.society.minds.step_offers import (
    StepOffer,
    known_prices,
    known_processes,
    offer_options,
    offer_steps,
    things_in_sight,
)
from hometown.society.planner import Planner
from hometown.society.realms import describe_realms
from hometown.society.society_view import SocietyView
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.labour import Errand

MAX_REFUSALS = 3
"""Maximum number of refused errands in a prompt."""

MOST_REMEMBERED = 3
"""Maximum number of memories in a prompt, of the kind of the activity."""


async def plan_steps(
    mind: Mind, entry: Entry, usual: Sequence[str], shortest: int
) -> tuple[Tasks, str]:
    """Plan the tasks of an entry with one or two calls.

    The first gives the steps in free words. The second maps steps that no rule understands to
    possible errands, if there are any. In entries with an address only words that rules understand
    are errands, so that they need no second call. Work that two residents have agreed on needs
    neither call: it begins by rule when both are there.

    Args:
        entry: The schedule entry to divide into tasks.
        usual: The steps of the entry's habit, if it has any.
        shortest: The minimum length of a task in minutes.

    Returns:
        The tasks, and the reference of the first call or the name of the rule.
    """
    society = society_of(mind)
    if entry.address and find_joint_recipes(society, entry.activity, mind.world.lang):
        return Tasks(entry.start, (Task(entry.start, entry.end, entry.activity),)), "rule:together"
    phrases, society = WorkPhrases(mind.world), view_as(society, mind.who, mind.arena)
    settle_returns(mind, society)
    search = Planner(society, mind.who, mind.world.walk_minutes)
    offer = _offer_errands(mind, phrases, search, entry)
    most = max(1, min(MOST_STEPS, (entry.end - entry.start) // shortest))
    choices = (
        tuple(dict.fromkeys([*usual, *offer.errands])) if mind.is_near_habit(STEPS.kind) else ()
    )
    variables = _with_memories(
        _variables(mind, phrases, search, entry, most, offer, choices),
        mind,
        _kind_to_recall(mind, entry, usual, offer),
    )
    reply, cause = await mind.ask(STEPS, variables)
    steps = reply.steps[:most]
    meant = [
        offer.errands.get(step) or ground_words(mind.world, society, mind.who, step)
        for step in steps
    ]
    if offer.errands and not entry.address:
        await _ground_steps(mind, steps, meant, usual, offer.errands)
    names = [offer.names.get(step, step) for step in steps]
    return Tasks(entry.start, tuple(_tasks(mind, entry, names, meant))), cause


def _offer_errands(mind: Mind, phrases: WorkPhrases, search: Planner, entry: Entry) -> StepOffer:
    """Return the possible errands that the prompt of an entry names."""
    if mind.settings.faculties.autopilot == "full":
        return offer_options(phrases, search, mind.arena)
    work = ground_words(mind.world, search.society, mind.who, entry.activity)
    return offer_steps(phrases, search, mind.arena, work, planned_room(entry))


def _with_memories(variables: StepsVars, mind: Mind, kind: str) -> StepsVars:
    """Return the variables of the prompt with the memories of a kind; "" stands for none."""
    if not kind or mind.world.book is None:
        return variables
    return replace(
        variables,
        remembered=concepts(recall_kind(mind, kind, MOST_REMEMBERED)),
        memory_kind=mind.world.book.memory_kinds[kind].name[mind.world.lang],
    )


def _kind_to_recall(mind: Mind, entry: Entry, usual: Sequence[str], offer: StepOffer) -> str:
    """Return the kind of memories that bear on an entry: that of its activity, or else that of the
    ways on offer; "" for none.
    """
    assert mind.world.book is not None
    kinds, lang = mind.world.book.memory_kinds, mind.world.lang
    ways = [step for way in offer.ways for step in way.steps]
    texts = (" ".join((entry.activity, *usual)), " ".join(ways))
    return next((kind for text in texts if (kind := kind_of_text(kinds, text, lang))), "")


async def _ground_steps(
    mind: Mind,
    steps: Sequence[str],
    meant: list[Errand | None],
    usual: Sequence[str],
    reach: Mapping[str, Errand],
) -> None:
    """Ask the model which errands within reach, by their descriptions, are meant by the steps that
    no rule understands, no habit names and no other resident has a part in, and enter its answers
    in `meant`.
    """
    society = society_of(mind)
    unclear = [
        at
        for at, errand in enumerate(meant)
        if not errand
        and steps[at] not in usual
        and not concerns_others(mind.world, society, steps[at])
    ]
    if not unclear:
        return
    asked = tuple(steps[at] for at in unclear)
    reply, _ = await mind.ask(GROUND, GroundVars(mind.situation, asked, tuple(reach)))
    errands = list(reach.values())
    for at, number in zip(unclear, reply.numbers, strict=True):
        meant[at] = errands[number - 1] if number else None


def _tasks(
    mind: Mind, entry: Entry, steps: Sequence[str], meant: Sequence[Errand | None]
) -> list[Task]:
    """Return steps as tasks that share the time of the entry; those without errand are placed by
    rule.
    """
    length = entry.end - entry.start
    ends = [entry.start + length * at // len(steps) for at in range(len(steps) + 1)]
    tasks: list[Task] = []
    room = planned_room(entry)
    places = list(known_places(mind, (room,) if room else ()))
    for step, errand, (start, end) in zip(steps, meant, pairwise(ends), strict=True):
        if errand:
            tasks.append(
                MeantTask(start, end, step, verb=errand.verb, what=errand.what, at=errand.at)
            )
        else:
            tasks.append(place_task(mind, Task(start, end, step), entry, places))
    return tasks


def describe_season(society: SocietyView, lang: Lang) -> list[str]:
    """Return the names of the season and, if the season has weather, of today's weather."""
    calendar, weather = society.book.calendar, society.state.weather.on(society.day)
    return [
        calendar.seasons[society.season].name[lang],
        *([calendar.weather[weather].says[lang]] if weather in calendar.weather else []),
    ]


def _low_needs(society: SocietyView, who: str, lang: Lang, ahead: int) -> tuple[str, ...]:
    """Return the names of the needs that are low `ahead` minutes from now if nothing meets them."""
    book = society.book
    felt = need_levels(book, society.state.needs(who), society.now + timedelta(minutes=ahead))
    return tuple(
        part.name[lang]
        for need, part in book.needs.items()
        if part.met_by and felt[need] < part.low
    )


def _variables(
    mind: Mind,
    phrases: WorkPhrases,
    search: Planner,
    entry: Entry,
    most: int,
    offer: StepOffer,
    choices: tuple[str, ...],
) -> StepsVars:
    """Return the variables of the prompt `steps`: with the resident's low needs, coins, goods in
    their bag and own stores, duties, and the latest `MAX_REFUSALS` refusals that still hold.
    """
    society = search.society
    book, lang, who = society.book, mind.world.lang, mind.who
    is_literal = mind.settings.faculties.autopilot != "full"
    own = (
        at
        for at in society.stores_of(who)
        if not society.site_of(at) or book.fixtures[society.site_of(at)].owner == society.purse(who)
    )
    stores = society.goods_in((who, *own))
    refused = [bar.outcome for bar in society.blocks_of(who)][-MAX_REFUSALS:]
    return StepsVars(
        mind.situation,
        entry,
        most,
        low=_low_needs(society, who, lang, entry.end - entry.start if is_literal else 0),
        coins=society.coins(who),
        stores=tuple(
            (part.name[lang], stores[kind]) for kind, part in book.kinds.items() if stores[kind]
        ),
        duties=tuple(dict.fromkeys(phrases.duty(duty) for duty in book.start.people[who].duties)),
        season=mind.words.texts["item_separator"].join(describe_season(society, lang)),
        refused=tuple(phrases.outcome(outcome)[1].format(name=mind.me.name) for outcome in refused),
        reach=offer.lines,
        choices=choices,
        is_literal=is_literal,
        ways=offer.ways,
        prices=known_prices(mind, search) if is_literal else (),
        goals=tuple(goal.what for goal in mind.state.goals(who)) if is_literal else (),
        under_way=known_processes(phrases, search) if is_literal else (),
        realms=tuple(describe_realms(society, who, lang)),
        in_sight=things_in_sight(phrases, society, mind.arena) if is_literal else (),
    )
