"""What a server has to read of a prompt, by what its slots and its RAM keep."""

from __future__ import annotations

from benchmarks.kept_prompts import Slots
from hometown.scripted.words import tokens

RULES = "Answer in one line. " * 10
ANN, BOB = (
    f"{RULES}You are {name}. " + f"{name} bakes bread every day. " * 20 for name in ("Ann", "Bob")
)


def asked(slots: Slots, prompt: str) -> int:
    """Asks once; the tokens that were read."""
    read, _ = slots.take(prompt)
    slots.give_back(f"{prompt}\0Good morning!")
    return read


def test_a_slot_knows_its_last_prompt_and_its_reply() -> None:
    slots = Slots(1)
    assert asked(slots, ANN) == tokens(ANN)
    assert asked(slots, f"{ANN}\0Good morning!\0And then?") == tokens("\0And then?")


def test_a_slot_that_somebody_else_gets_forgets_and_a_server_with_ram_remembers() -> None:
    for in_ram, read in ((0, tokens(ANN.removeprefix(RULES + "You are "))), (10_000, 0)):
        slots = Slots(1, in_ram)
        asked(slots, ANN)
        asked(slots, BOB)
        assert asked(slots, ANN) == read


def test_what_does_not_fit_into_ram_is_forgotten_the_longest_there_first() -> None:
    slots = Slots(1, in_ram=tokens(ANN) + 10)
    for prompt in (ANN, BOB, f"Other rules. {ANN}"):
        asked(slots, prompt)
    assert asked(slots, ANN) > 0
