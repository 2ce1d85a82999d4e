"""What people feel in a world, and how they are by nature. Nothing in it changes while a town
lives.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hometown.language import Lang
from hometown.text import word_pattern
from hometown.world.book.parts import FeelingPart, RegardPart, TemperamentPart
from hometown.world.feeling import Pad, Stir
from hometown.world.word_patterns import compile_pattern


@dataclass(frozen=True)
class Hearts:
    """Feelings and traits of character by id, and how regard moves, by what stirs it."""

    feelings: dict[str, FeelingPart] = field(default_factory=dict)
    temperaments: dict[str, TemperamentPart] = field(default_factory=dict)
    regards: dict[str, RegardPart] = field(default_factory=dict)

    def stirred_by(self, stir: Stir) -> tuple[tuple[str, int], ...]:
        """The feelings that something stirs, and how strongly."""
        return tuple(
            (kind, part.when[stir]) for kind, part in self.feelings.items() if stir in part.when
        )

    def temperament(self, innate: str, lang: Lang) -> Pad:
        """The mood to which somebody is drawn by nature: the mean of its traits, of which words of
        its character tell; even for who has none.
        """
        text = innate.lower()
        traits = [
            part
            for part in self.temperaments.values()
            if word_pattern(tuple(map(compile_pattern, part.words[lang]))).search(text)
        ]
        return (
            _mean(part.pleasure for part in traits),
            _mean(part.arousal for part in traits),
            _mean(part.dominance for part in traits),
        )


def _mean(points: Iterable[int]) -> int:
    given = list(points)
    return round(sum(given) / len(given)) if given else 0
