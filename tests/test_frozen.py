"""Immutable values: what makes two of them equal, and how they are written."""

from __future__ import annotations

from dataclasses import field

from hometown.frozen import frozen


@frozen
class Parcel:
    weight: int
    note: str = field(default="", compare=False)
    labels: tuple[str, ...] = field(default=(), hash=False)
    inside: list[object] = field(default_factory=list, compare=False, repr=False)


@frozen
class HeavyParcel(Parcel):
    def __repr__(self) -> str:
        return "heavy"


@frozen
class EmptyParcel:
    pass


def test_values_are_compared_and_hashed_by_the_fields_that_say_so() -> None:
    parcel = Parcel(2, "fragile")
    assert parcel == Parcel(2)
    assert parcel not in (Parcel(3), Parcel(2, labels=("up",)), HeavyParcel(2, "fragile"), 2)
    assert hash(parcel) == hash(Parcel(2, labels=("up",))) != hash(Parcel(3))
    assert {EmptyParcel(), EmptyParcel()} == {EmptyParcel()}


def test_values_are_written_as_in_code_or_as_they_say_themselves() -> None:
    assert repr(Parcel(2, "fragile")) == "Parcel(weight=2, note='fragile', labels=())"
    assert (repr(HeavyParcel(2)), repr(EmptyParcel())) == ("heavy", "EmptyParcel()")
    nested = Parcel(2)
    nested.inside.append(nested)
    assert "inside" not in repr(nested)
