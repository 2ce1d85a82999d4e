"""Printed results of closed questions: choices, scores of scales, refusals and the effect of the
position of options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hometown.cli.texts import Text
from hometown.study.closed_items import (
    count_refusals,
    count_shown_first,
    list_closed,
    list_places,
    position,
    scale_scores,
)
from hometown.study.tally import Judged


def print_closed(judged: Sequence[Judged], name_of: Callable[[str], str], text: Text) -> None:
    """Print the results of closed questions, if there are any."""
    closed = list_closed(judged)
    if not closed:
        return
    _print_choices(closed, text)
    for who, (score, items) in scale_scores(closed).items():
        print(
            text(
                "{name}: mean score {score} (items: {count})",
                name=name_of(who),
                score=f"{score:.2f}",
                count=items,
            )
        )
    refused, first = count_refusals(closed), count_shown_first(list_places(closed))
    print(text("refused: {count} of {total}", count=refused.count, total=refused.total))
    print(
        text(
            "position effect: {count} of {total} choices are from the first half of the options "
            "as shown; about half would be without one",
            count=first.count,
            total=first.total,
        )
    )


def _print_choices(closed: Sequence[Judged], text: Text) -> None:
    """Print each question with the counts of its answers, in the order of their frequency."""
    counts: dict[str, Counter[str]] = {}
    for each in closed:
        own = counts.setdefault(each.question.text, Counter())
        if position(each.question, each.answer):
            own[each.answer.text] += 1
    for question, chosen in counts.items():
        found = text(", ").join(
            text("{option} {count}", option=option, count=count)
            for option, count in chosen.most_common()
        )
        print(text("{question} | {answers}", question=question, answers=found))
