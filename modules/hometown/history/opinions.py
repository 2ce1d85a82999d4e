"""Opinions of residents of a town with a society about each other: regard and trust with their
grounds, and impressions with the memories they rest on.
"""

from __future__ import annotations

from hometown.agent.mind.esteem import current_regard
from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import T, Versions
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.regard import Impression, Regard


def describe_opinions(
    run: RunReader, names: Names, who: str, begin: int, last: int
) -> Versions[list[shapes.Opinion]]:
    """Return a resident's opinions of others, the strongest first, anew after each change and in
    the first step of each day, since opinions fade; empty without a world or any opinion. Of
    several grounds of a kind, only the latest is included.
    """
    regards = run.rows_about(keys.REGARD, who, last)
    impressions = run.rows_about(keys.IMPRESSION, who, last)
    if names.world is None or not (regards or impressions):
        return [(begin, [])]
    dawns = {
        step
        for step in range(begin + 1, last + 1)
        if run.moment(step).date() != run.moment(step - 1).date()
    }
    steps = {begin, *dawns, *(step for step, *_ in (*regards, *impressions) if step > begin)}
    return [
        (step, _at(run, names, step, _latest(regards, step), _latest(impressions, step)))
        for step in sorted(steps)
    ]


def _latest(rows: list[tuple[int, str, T]], step: int) -> dict[str, T]:
    """Return the latest of the rows written up to a step about each other resident."""
    return {
        other: row for since, other, row in sorted(rows, key=lambda each: each[0]) if since <= step
    }


def _at(
    run: RunReader,
    names: Names,
    step: int,
    regards: dict[str, Regard | None],
    impressions: dict[str, Impression | None],
) -> list[shapes.Opinion]:
    """Return the opinions of all others after a step, the strongest first."""
    opinions = [
        _opinion(run, names, step, other, regards.get(other), impressions.get(other))
        for other in dict.fromkeys([*regards, *impressions])
    ]
    return sorted(opinions, key=lambda opinion: -abs(opinion["regard"]) - abs(opinion["trust"]))


def _opinion(
    run: RunReader,
    names: Names,
    step: int,
    other: str,
    regard: Regard | None,
    impression: Impression | None,
) -> shapes.Opinion:
    """Return an opinion in the page's format: the regard and trust as faded by a step, their
    grounds, the latest first, and the impression.
    """
    points, trust = current_regard(regard or Regard(), run.moment(step))
    assert names.world is not None
    words, name = catalogue(names.world.lang, "feelings"), names.person(other)
    latest = {each.why: each for each in (regard.grounds if regard else ())}
    grounds: list[shapes.GroundView] = [
        {
            "tick": run.tick(each.when),
            "why": words[f"stir_{each.why}"].format(who=name),
            "regard": each.regard,
            "trust": each.trust,
            "memory": each.memory,
        }
        for each in sorted(latest.values(), key=lambda each: each.when, reverse=True)
    ]
    text, evidence = (impression.text, list(impression.evidence)) if impression else ("", [])
    return {
        "id": other,
        "regard": points,
        "trust": trust,
        "grounds": grounds,
        "impression": text,
        "evidence": evidence,
    }
