"""Printed results of closed questions: choices, scores of scales, sliders, allocations, refusals,
the effect of the position of options, and the outcomes of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean

from hometown.cli.texts import Text
from hometown.study.closed_items import (
    choice_columns,
    count_refusals,
    count_shown_first,
    find_score,
    is_chosen,
    list_closed,
    list_places,
    scale_scores,
    split_amounts,
)
from hometown.study.economic_games import GameOutcome
from hometown.study.tally import Judged
from hometown.text import N_

MOVES = {
    "giver": N_("{name} gives {amount} of {stake} to {partner} and has {payoff}"),
    "sender": N_("{name} sends {amount} of {stake} to {partner} and has {payoff}"),
    "receiver": N_("{name} returns {amount} of {stake} to {partner} and has {payoff}"),
    "contributor": N_("{name} contributes {amount} of {stake} in group {partner} and has {payoff}"),
}
"""An outcome of a game, by role."""

MEANS = {
    "giver": N_("given: {share} % on average ({count} of {total} decisions); mean payoff {payoff}"),
    "sender": N_("sent: {share} % on average ({count} of {total} decisions); mean payoff {payoff}"),
    "receiver": N_(
        "returned: {share} % on average ({count} of {total} decisions); mean payoff {payoff}"
    ),
    "contributor": N_(
        "contributed: {share} % on average ({count} of {total} decisions); mean payoff {payoff}"
    ),
}
"""The means of a role: the share of what was possible, in decisions about more than nothing."""


def print_closed(judged: Sequence[Judged], name_of: Callable[[str], str], text: Text) -> None:
    """Print the results of closed questions, if there are any."""
    closed = list_closed(judged)
    if not closed:
        return
    by_question: dict[str, list[Judged]] = {}
    for each in closed:
        by_question.setdefault(each.question.text, []).append(each)
    for question, own in by_question.items():
        found = _describe(own, text)
        if found:
            print(text("{question} | {answers}", question=question, answers=found))
    for who, (score, items) in scale_scores(closed).items():
        print(
            text(
                "{name}: mean score {score} (items: {count})",
                name=name_of(who),
                score=f"{score:.2f}",
                count=items,
            )
        )
    if described := _describe_probabilities(closed, text):
        print(described)
    refused, first = count_refusals(closed), count_shown_first(list_places(closed))
    print(text("refused: {count} of {total}", count=refused.count, total=refused.total))
    if first.total:
        print(
            text(
                "position effect: {count} of {total} choices are from the first half of the options "
                "as shown; about half would be without one",
                count=first.count,
                total=first.total,
            )
        )


def print_outcomes(
    outcomes: Sequence[GameOutcome], name_of: Callable[[str], str], text: Text
) -> None:
    """Print the outcome of each role of a game, with a dash for a missing one."""
    for each in outcomes:
        partner = each.partner if each.role == "contributor" else name_of(each.partner)
        print(
            text(
                MOVES[each.role],
                name=name_of(each.who),
                amount="–" if each.amount is None else each.amount,
                stake=each.stake,
                partner=partner,
                payoff="–" if each.payoff is None else f"{each.payoff:.6g}",
            )
        )


def print_means(outcomes: Sequence[GameOutcome], text: Text) -> None:
    """Print the means of each role of a game."""
    for role, words in MEANS.items():
        own = [each for each in outcomes if each.role == role]
        shares = [
            each.amount / each.stake for each in own if each.stake and each.amount is not None
        ]
        payoffs = [each.payoff for each in own if each.payoff is not None]
        if shares:
            print(
                text(
                    words,
                    share=f"{100 * fmean(shares):.3g}",
                    count=len(shares),
                    total=len(own),
                    payoff=f"{fmean(payoffs):.4g}" if payoffs else "–",
                )
            )


def _describe_probabilities(closed: Sequence[Judged], text: Text) -> str:
    """Return in words how probable the answers are by their model, and the mean score that is
    expected by the probabilities of all answers to items of scales; "" where no server gives them.
    """
    cells = [choice_columns(each.question, each.answer) for each in closed]
    weighed = [each for each in cells if each["probability"] != ""]
    scale = [float(each["expected"]) for each in weighed if each["item"] == "scale"]
    if not weighed:
        return ""
    return text(
        "answers with probabilities: {count} of {total}; {chance} on average; expected mean score {score}",
        count=len(weighed),
        total=len(closed),
        chance=f"{fmean(float(each['probability']) for each in weighed):.2f}",
        score=f"{fmean(scale):.2f}" if scale else "–",
    )


def _describe(answers: Sequence[Judged], text: Text) -> str:
    """Return the answers to one question in words: the counts of its options in the order of their
    frequency, or the means of its numbers or amounts; "" for decisions of a game.
    """
    chosen = [each for each in answers if is_chosen(each.question, each.answer)]
    match answers[0].question.kind:
        case "choice" | "scale":
            counts = Counter(each.answer.text for each in chosen)
            parts = [
                text("{option} {count}", option=option, count=count)
                for option, count in counts.most_common()
            ]
        case "slider":
            numbers = [find_score(each.question, each.answer) or 0 for each in chosen]
            parts = [_describe_mean(text("mean"), numbers, text)] if numbers else []
        case "allocation":
            amounts: dict[str, list[int]] = {}
            for each in chosen:
                options = str(choice_columns(each.question, each.answer)["options"])
                for thing, amount in split_amounts(options, each.answer.text).items():
                    amounts.setdefault(thing, []).append(amount)
            parts = [_describe_mean(thing, own, text) for thing, own in sorted(amounts.items())]
        case _:
            parts = []
    return text(", ").join(parts)


def _describe_mean(name: str, numbers: Sequence[int], text: Text) -> str:
    """Return a mean with the lowest and the highest number."""
    return text(
        "{name} {mean} ({low} to {high})",
        name=name,
        mean=f"{fmean(numbers):.4g}",
        low=min(numbers),
        high=max(numbers),
    )
