"""Measures of the spread of news, attendance and acquaintances (Park et al. 2023, §7.1)."""

from __future__ import annotations

from hometown.history.spread import acquaintances, density, knowers_of_each, measure_attendance
from hometown.study.measures.registry import Figure, Subject, measure


@measure(shares=["known_start", "known"], by_storyline=True)
def diffusion(town: Subject) -> list[Figure]:
    """Return the share of residents with a memory of a storyline at the start and at the end,
    0–1.
    """
    stories = town.names.world.storylines if town.names.world else ()
    people = max(1, len(town.run.residents))
    figures = []
    for story, learned in zip(stories, knowers_of_each(town.run, stories, town.last), strict=True):
        at_start = sum(learning.memory.step == 0 for learning in learned)
        figures += [
            Figure("known_start", at_start / people, story.title),
            Figure("known", len(learned) / people, story.title),
        ]
    return figures


@measure(counts=["knew", "came"], by_storyline=True)
def attending(town: Subject) -> list[Figure]:
    """Return the share of guests among those who knew of a gathering before it ended; hosts count
    as neither.
    """
    stories = [
        story
        for story in (town.names.world.storylines if town.names.world else ())
        if story.gathering
    ]
    figures = []
    for story, learned in zip(stories, knowers_of_each(town.run, stories, town.last), strict=True):
        if story.gathering and town.run.moment(town.last) >= story.gathering.end:
            people = measure_attendance(
                town.run, town.names, story, story.gathering, learned, town.last
            )
            figures += [
                Figure("knew", len(people.knew), story.title),
                Figure("came", len(people.came), story.title),
            ]
    return figures


@measure(shares=["density_start", "density"])
def network(town: Subject) -> list[Figure]:
    """Return the density of the network of acquaintances at the start, and at the end by
    conversations, 0–1.
    """
    if town.names.world is None:
        return []
    before, after = acquaintances(town.run, town.names, town.last)
    people = len(town.run.residents)
    return [
        Figure("density_start", density(before, people)),
        Figure("density", density(after, people)),
    ]
