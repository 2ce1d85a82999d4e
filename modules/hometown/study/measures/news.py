"""Measures of the spread of news, attendance and acquaintances (Park et al. 2023, §7.1)."""

from __future__ import annotations

from statistics import fmean

from hometown.study.measures.registry import Figure, Subject, measure


@measure(shares=["known_start", "told", "known"], times=["hours"], by_storyline=True)
def diffusion(town: Subject) -> list[Figure]:
    """Return the shares of residents who know of a storyline, 0–1, and the mean hours until one is
    told.

    `known_start` have a memory of it at the start, `known` at the end, by any channel. `told` knew
    at the start or were told in a conversation (Park et al. 2023, §7.1.1); residents on whom
    interventions act are no part of this share. `hours` is a mean over all who did not know, where
    residents who were never told count the whole length of the run (Royston & Parmar 2013).
    """
    from hometown.history.channels import find_channels

    stories = town.names.storylines
    began, people = len(town.run.residents_at(0)), town.run.residents_at(town.last)
    others = [who for who in people if who not in town.targets]
    figures = []
    for story, learned in zip(stories, find_channels(town.run, stories, town.last), strict=True):
        start = {each.memory.who for each in learned if each.channel == "start"}
        told = {each.memory.who: each.memory.step for each in learned if each.channel == "told"}
        waiting = [told.get(who, town.last) for who in others if who not in start]
        knew = sum(who in start or who in told for who in others)
        figures += [
            Figure("known_start", len(start) / max(1, began), story.title),
            Figure("told", knew / max(1, len(others)), story.title),
            Figure(
                "known",
                len({each.memory.who for each in learned}) / max(1, len(people)),
                story.title,
            ),
        ]
        if waiting:
            hours = fmean(waiting) * town.run.manifest.stride / 60
            figures.append(Figure("hours", hours, story.title))
    return figures


@measure(counts=["knew", "came"], by_storyline=True)
def attending(town: Subject) -> list[Figure]:
    """Return the numbers of residents who knew of a gathering before it ended, and of guests among
    them, for each gathering that has ended; hosts count as neither.
    """
    from hometown.history.spread import knowers_of_each, measure_attendance

    stories = [story for story in town.names.storylines if story.gathering]
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
    conversations, 0–1; nothing without the world's files.
    """
    from hometown.history.spread import acquaintances, density

    if town.names.world is None:
        return []
    before, after = acquaintances(town.run, town.names, town.last)
    began, people = (len(town.run.residents_at(step)) for step in (0, town.last))
    return [
        Figure("density_start", density(before, began)),
        Figure("density", density(after, people)),
    ]
