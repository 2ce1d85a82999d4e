"""The interventions of an experiment: their steps, and their targets, by name or by rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import permutations

from hometown.errors import BadInput, collect_faults
from hometown.rng import stream
from hometown.study.experiment.run_plans import find_step
from hometown.study.experiment.spec import (
    Experiment,
    InterventionKind,
    TimedIntervention,
    Treatment,
)
from hometown.text import Phrase
from hometown.world.interventions import Intervention
from hometown.world.resolve import OF_PEOPLE, parse_intervention
from hometown.world.world import World

MOST_CONNECTED, LEAST_CONNECTED, RANDOM = "most connected", "least connected", "random resident"
TARGET_RULES = (MOST_CONNECTED, LEAST_CONNECTED, RANDOM)
"""Rules in place of a resident's name: by their acquaintances, or drawn by the run's seed, the same
in all conditions.
"""


def list_interventions(
    experiment: Experiment, treatment: Treatment, world: World, step: int, seed: int
) -> list[Intervention]:
    """Return the interventions of a treatment alone; those without a moment are for `step`.

    The seed is that of the run, by which random residents are drawn.

    Raises:
        BadInput: An intervention is not possible.
    """
    at_once = [
        replace(_parse(kind, text, world, seed), step=step)
        for each in treatment.do
        for kind, text in each.items()
    ]
    return [*at_once, *_list_timed(experiment, treatment.timeline, world, seed)]


def list_shared_interventions(
    experiment: Experiment, world: World, seed: int
) -> list[Intervention]:
    """Return the interventions in all conditions.

    Raises:
        BadInput: An intervention is not possible.
    """
    return _list_timed(experiment, experiment.town.timeline, world, seed)


def find_planned_targets(experiment: Experiment, world: World, seed: int) -> frozenset[str]:
    """Return the residents to whom an intervention of any condition tells something (`tell`)."""
    everything = list_shared_interventions(experiment, world, seed)
    for treatment in experiment.conditions.values():
        everything += list_interventions(experiment, treatment, world, 1, seed)
    return frozenset(each.target for each in everything if each.kind == "tell")


def list_impossible_interventions(experiment: Experiment, world: World, seed: int) -> list[Phrase]:
    """Return a fault for each intervention of an experiment that is not possible in a world."""
    requests = [entry.request for entry in experiment.town.timeline]
    for treatment in experiment.conditions.values():
        requests += [(kind, text) for each in treatment.do for kind, text in each.items()]
        requests += [entry.request for entry in treatment.timeline]
    faults: list[Phrase] = []
    for kind, text in dict.fromkeys(requests):
        with collect_faults(faults):
            _parse(kind, text, world, seed)
    return faults


def rank_by_connections(world: World) -> list[str]:
    """Return the residents, the best connected first: by the number of others whom they know or who
    know them at the start, then by the closeness of those relations, then by id.
    """
    people = world.personas
    counts = dict.fromkeys(people, 0)
    closeness = dict.fromkeys(people, 0)
    for who, other in permutations(people, 2):
        mine, theirs = people[who], people[other]
        counts[who] += other in (mine.relations or {}) or who in (theirs.relations or {})
        closeness[who] += (mine.closeness or {}).get(other, 0) + (theirs.closeness or {}).get(
            who, 0
        )
    return sorted(people, key=lambda who: (-counts[who], -closeness[who], who))


def _list_timed(
    experiment: Experiment, timeline: Iterable[TimedIntervention], world: World, seed: int
) -> list[Intervention]:
    return [
        replace(
            _parse(*entry.request, world, seed),
            step=find_step(experiment, entry.at, experiment.town.start_in(world)),
        )
        for entry in timeline
    ]


def _parse(kind: InterventionKind, text: str, world: World, seed: int) -> Intervention:
    """Return an intervention from its text, which may begin with a rule for its target."""
    target, colon, words = text.partition(":")
    rule = target.strip().casefold()
    if kind in OF_PEOPLE and rule in TARGET_RULES:
        text = _find_target(rule, world, seed) + colon + words
    try:
        return _parse_once(kind, text, world)
    except BadInput:
        is_misspelt = rule not in TARGET_RULES and get_close_matches(rule, TARGET_RULES)
        if kind not in OF_PEOPLE or not is_misspelt:
            raise
        raise BadInput(
            "{rule!r} is no rule for a target; choose among {names}",
            rule=target.strip(),
            names=list(TARGET_RULES),
        ) from None


@lru_cache(maxsize=64)
def _parse_once(kind: InterventionKind, text: str, world: World) -> Intervention:
    """Return an intervention, parsed from its text once for each text: that reads the world's files
    in each of its languages.
    """
    return parse_intervention(kind, text, world)


def _find_target(rule: str, world: World, seed: int) -> str:
    """Return the resident that a rule of `TARGET_RULES` names: drawn by the seed, or the best or
    the least connected one.
    """
    if rule == RANDOM:
        return stream(seed, "target").choice(sorted(world.personas))
    return rank_by_connections(world)[0 if rule == MOST_CONNECTED else -1]
