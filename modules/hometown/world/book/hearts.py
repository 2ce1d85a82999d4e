"""The feelings of a world and its traits of character. They do not change during a run."""

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
    """Feelings and traits of character by id, and the effect of stimuli on regard."""

    feelings: dict[str, FeelingPart] = field(default_factory=dict)
    temperaments: dict[str, TemperamentPart] = field(default_factory=dict)
    regards: dict[str, RegardPart] = field(default_factory=dict)

    def stirred_by(self, stir: Stir) -> tuple[tuple[str, int], ...]:
        """Return the feelings that a stimulus causes, with their strengths."""
        return tuple(
            (kind, part.when[stir]) for kind, part in self.feelings.items() if stir in part.when
        )

    def temperament(self, innate: str, lang: Lang) -> Pad:
        """Return the mood (pleasure, arousal, dominance) to which a character tends: the mean of
        its traits, or a neutral mood without any.
        """
        text = innate.lower()
        traits = [
            part
            for part in self.temperaments.values()
            if word_pattern(tuple(map(compile_pattern, part.words[lang]))).search(text)
        ]
        return (
            _round_mean(part.pleasure for part in traits),
            _round_mean(part.arousal for part in traits),
            _round_mean(part.dominance for part in traits),
        )


def _round_mean(points: Iterable[int]) -> int:
    """Return the rounded mean of points, 0 without any."""
    given = list(points)
    return round(sum(given) / len(given)) if given else 0
