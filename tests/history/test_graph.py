"""The layout of networks: the same to the last bit on every machine."""

from __future__ import annotations

from itertools import combinations

from hometown.history.graph import positions

PEOPLE = [f"r{number}" for number in range(12)]
WEIGHTS = {
    frozenset(pair): number % 4 + 1
    for number, pair in enumerate(combinations(PEOPLE, 2))
    if number % 3 == 0
}


def test_a_layout_is_that_of_every_other_machine() -> None:
    """A library's own order of sums, or its last bits of a cosine, move the residents of this
    network by a third of the picture.
    """
    places = positions(PEOPLE, WEIGHTS)
    assert places["r0"] == (0.02954687097977542, 1.0)
    assert places["r7"] == (0.017519233628626497, 0.9691598108704197)


def test_those_who_talk_are_closer_than_those_who_do_not() -> None:
    places = positions(
        ["ana", "ben", "cat", "dan"], {frozenset(("ana", "ben")): 9, frozenset(("cat", "dan")): 9}
    )

    def distance(one: str, other: str) -> float:
        return abs(complex(*places[one]) - complex(*places[other]))

    assert distance("ana", "ben") < min(
        distance(one, other) for one in ("ana", "ben") for other in ("cat", "dan")
    )
    assert distance("cat", "dan") < distance("ana", "cat")


def test_two_residents_stand_opposite_each_other() -> None:
    assert positions(["ana", "ben"], {frozenset(("ana", "ben")): 1}) == {
        "ana": (1.0, 0.5),
        "ben": (0.0, 0.5),
    }


def test_a_crowd_stands_on_a_circle() -> None:
    people = [f"r{number}" for number in range(500)]
    assert positions(people, {})["r125"] == (0.5, 1.0)
