"""The probabilities of the possible answers to a closed question, from those of a reply's tokens.

A reply is written token by token. Where the next token decides between answers, the probabilities
of the tokens that begin each of them divide the whole among them; those of tokens that begin none
are left out, as a schema leaves them out. Answers with the same beginning, such as "Strongly agree"
and "Strongly disagree", form a group if the reply took another way; the model is asked again with
the answers of that group alone, and their probabilities divide the group's.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from math import exp

import orjson

from hometown.frozen import frozen
from hometown.model.token_alternatives import TokenPlace

LEAST_DIVIDED = 0.01
"""The probability of a group below which it is not divided, and left out."""

MOST_UNKNOWN = 0.05
"""The greatest probability that may be left out, before all are left unknown."""

MOST_QUESTIONS = 8
"""The number of further requests for one answer, at most."""

ANSWER = re.compile(rb'"answer"\s*:\s*(?=")')

Places = Sequence[TokenPlace]

AskAmong = Callable[[tuple[str, ...]], Awaitable[Places]]
"""Asks the question again with some of its possible answers alone."""


@frozen
class DividedMass:
    """The shares of a whole: those of single answers, of groups of them, and the `unknown` one,
    which answers may have that are not among the likeliest tokens.
    """

    single: dict[str, float]
    groups: dict[tuple[str, ...], float]
    unknown: float


async def find_probabilities(
    answers: tuple[str, ...], places: Places, ask: AskAmong
) -> tuple[float, ...]:
    """Return the probability of each of the possible answers, which add up to 1; an empty tuple
    where the server does not give them, or gives too few.
    """
    known, unknown = dict.fromkeys(answers, 0.0), 0.0
    waiting, questions = {answers: 1.0}, 0
    while waiting:
        group = max(waiting, key=lambda each: waiting[each])
        mass = waiting.pop(group)
        if mass < LEAST_DIVIDED or questions > MOST_QUESTIONS:
            unknown += mass
            continue
        divided = divide(group, await ask(group) if questions else places)
        questions += 1
        if divided is None or unknown > MOST_UNKNOWN:
            return ()
        unknown += mass * divided.unknown
        for answer, share in divided.single.items():
            known[answer] += mass * share
        for part, share in divided.groups.items():
            waiting[part] = waiting.get(part, 0.0) + mass * share
    total = sum(known.values())
    if unknown > MOST_UNKNOWN or not total:
        return ()
    return tuple(known[answer] / total for answer in answers)


def divide(answers: tuple[str, ...], places: Places) -> DividedMass | None:
    """Return the shares of possible answers in a reply; None where it does not give one of them, or
    no probabilities.
    """
    reply = b"".join(place.written.text for place in places)
    found = list(ANSWER.finditer(reply))
    if not found:
        return None
    texts = {answer: orjson.dumps(answer) for answer in answers}
    single, groups = dict.fromkeys(answers, 0.0), dict[tuple[str, ...], float]()
    left, mass, unknown, at = answers, 1.0, 0.0, 0
    for place in places:
        end = at + len(place.written.text)
        if len(left) > 1 and end > found[-1].end():
            own = {answer: texts[answer] for answer in left}
            shares, floor = _weigh(place, reply[:at], found[-1].end(), own)
            chosen = _list_possible(reply[:end], found[-1].end(), own)
            for part, share in shares.items():
                if len(part) == 1 and part != chosen:
                    single[part[0]] += mass * share
                elif part != chosen:
                    groups[part] = groups.get(part, 0.0) + mass * share
            unknown += mass * floor
            left, mass = chosen, mass * shares.get(chosen, 0.0)
        at = end
    if len(left) != 1:
        return None
    single[left[0]] += mass
    return DividedMass(single, groups, unknown)


def _weigh(
    place: TokenPlace, before: bytes, start: int, texts: dict[str, bytes]
) -> tuple[dict[tuple[str, ...], float], float]:
    """Return the shares of groups of answers at a place of a reply, by the tokens after which they
    are possible, and the most that answers may have which none of the tokens begins.

    An answer belongs to the longest token that begins it: "1" stands for 1 alone where "10" is a
    token as well. The token that was written stands for all that may follow it.
    """
    tokens = {each.text: each for each in (*place.likeliest, place.written)}
    begun = {text: _list_possible(before + text, start, texts) for text in tokens}
    weights: dict[tuple[str, ...], float] = {}
    for text, token in tokens.items():
        longer = {
            answer
            for other, own in begun.items()
            if text != place.written.text and len(other) > len(text) and other.startswith(text)
            for answer in own
        }
        possible = tuple(answer for answer in begun[text] if answer not in longer)
        if possible:
            weights[possible] = weights.get(possible, 0.0) + exp(token.logprob)
    total = sum(weights.values()) or 1.0
    missing = len(texts) - len({answer for group in weights for answer in group})
    least = min((exp(each.logprob) for each in place.likeliest), default=1.0)
    floor = missing * least / (total + missing * least)
    return {group: weight / total for group, weight in weights.items()}, floor


def _list_possible(written: bytes, start: int, texts: dict[str, bytes]) -> tuple[str, ...]:
    """Return the answers of which a reply holds the beginning from byte `start` on, or the whole,
    given their JSON.
    """
    begun = written[start:]
    return tuple(
        answer
        for answer, text in texts.items()
        if begun and (text.startswith(begun) or begun.startswith(text))
    )
