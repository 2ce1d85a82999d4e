"""Comparison of two runs step by step: time and cause of their first difference, the first resident
to act differently, and the number of residents who differ in each step.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.study.comparison_wording import COMPARISON_TEXTS
from hometown.study.difference import find_first_difference
from hometown.text import translate_all
from hometown.world.world import arena_of


def compare_actions(run: RunReader, other: RunReader, names: Names, lang: Lang) -> shapes.Beside:
    """Compare two runs up to the last step that both have, for the residents who live in both:
    acting differently is another activity or arena. `parted` counts such residents in each step
    from 0. For runs without a difference, tick and first resident are None and all counts 0; an
    intervention as the cause is named.
    """
    difference = find_first_difference(run.run, other.run)
    if difference.step is None:
        return {"tick": None, "cause": "", "first": None, "parted": [0] * (difference.common + 1)}
    deeds = {
        who: list(_list_differing_actions(run, other, who, difference.common))
        for who in run.residents
        if who in other.residents
    }
    parted = [
        sum(apart[step] is not None for apart in deeds.values())
        for step in range(difference.common + 1)
    ]
    step = next((step for step, count in enumerate(parted) if count), None)
    words = translate_all(COMPARISON_TEXTS, lang)
    what = "; ".join(change.second or change.first for change in difference.evidence[:1])
    return {
        "tick": run.first_tick(difference.step),
        "cause": words[f"cause_{difference.cause}"]
        + (f" ({what})" if what and difference.cause == "intervention" else ""),
        "first": None if step is None else _describe_first_parting(run, names, deeds, step),
        "parted": parted,
    }


def _list_differing_actions(
    run: RunReader, other: RunReader, who: str, last: int
) -> Iterator[tuple[Action, Action] | None]:
    """Yield a resident's actions in both runs after each of steps 0 to `last` in which activity or
    arena differ; None for a step in which they agree, or in which one run has no action yet.
    """
    ours, theirs = (dict(each.actions_of(who, 0, last)) for each in (run, other))
    mine = yours = None
    for step in range(last + 1):
        mine, yours = ours.get(step, mine), theirs.get(step, yours)
        same = (
            mine is None
            or yours is None
            or (mine.activity, arena_of(mine.address)) == (yours.activity, arena_of(yours.address))
        )
        yield None if same or mine is None or yours is None else (mine, yours)


def _describe_first_parting(
    run: RunReader, names: Names, deeds: dict[str, list[tuple[Action, Action] | None]], step: int
) -> shapes.Parting:
    """Return the first resident who acts differently in a step, with activity and place in either
    run.
    """
    who, pair = next((who, pair) for who, apart in deeds.items() if (pair := apart[step]))
    here, there = (f"{action.activity} ({names.place(action.address)})" for action in pair)
    return {
        "who": who,
        "tick": run.first_tick(step),
        "here": here,
        "there": there,
    }
