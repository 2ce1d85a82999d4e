"""Which part of a prompt a server has to read: what its slots still know, and what it keeps of
prompts that they have forgotten.

As llama.cpp's server does. Each slot knows what it read and wrote last, and a call goes to the free
slot that knows at least half of its prompt, or else to the one used longest ago. What a slot is
about to lose goes to RAM, up to a limit (`--cache-ram`), and the prompt in RAM that begins most
like the new one comes back in its place.
"""

from __future__ import annotations

from hometown.scripted.words import tokens

SIMILAR = 0.5
"""The share of a prompt that a slot has to know for it to be taken, rather than the one used
longest ago.
"""

LOSES = 0.5
"""The share of what a slot knows below which what is left of it counts as lost."""

WORTH = 0.25
"""The share of a prompt in RAM that the new one has to begin with for it to come back."""


class Slots:
    """The slots of a server that keeps up to `in_ram` tokens of earlier prompts."""

    def __init__(self, count: int, in_ram: int = 0) -> None:
        self.free = [""] * count
        """What each free slot knows, the one used longest ago first."""
        self._in_ram = in_ram
        self._kept: list[str] = []
        """The prompts in RAM, the one longest there first."""

    def take(self, prompt: str) -> tuple[int, int]:
        """Takes a slot for a prompt: the tokens of it that have to be read, and how many tokens
        were moved to and from RAM.
        """
        shared = [shared_length(known, prompt) for known in self.free]
        likely = max(shared) >= SIMILAR * len(prompt)
        known = self.free.pop(shared.index(max(shared)) if likely else 0)
        moved = 0
        if self._in_ram and not (likely and shared_length(known, prompt) >= LOSES * len(known)):
            moved = self._keep(known)
            if better := self._better(known, prompt):
                self._kept.remove(better)
                known, moved = better, moved + tokens(better)
        return tokens(prompt[shared_length(known, prompt) :]), moved

    def give_back(self, known: str) -> None:
        """A slot is free again, and knows this."""
        self.free.append(known)

    def _keep(self, known: str) -> int:
        """Moves what a slot knows to RAM, in which nothing is held twice."""
        if not known or any(kept.startswith(known) for kept in self._kept):
            return 0
        self._kept = [*(kept for kept in self._kept if not known.startswith(kept)), known]
        while sum(map(tokens, self._kept)) > self._in_ram:
            del self._kept[0]
        return tokens(known)

    def _better(self, known: str, prompt: str) -> str:
        """The prompt in RAM of which most can be used, and that serves more than what the slot
        knows; "" if there is none.
        """
        best, most = "", shared_length(known, prompt)
        use = most / len(known) if known else -1.0
        for kept in self._kept:
            length = shared_length(kept, prompt)
            if length >= WORTH * len(kept) and length > most and length / len(kept) > use:
                best, most, use = kept, length, length / len(kept)
        return best


def shared_length(one: str, other: str) -> int:
    """The number of characters with which both texts begin.

    >>> shared_length("the kettle", "the kitchen"), shared_length("", "tea"), shared_length("tea", "tea time")
    (5, 0, 3)
    """
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least
