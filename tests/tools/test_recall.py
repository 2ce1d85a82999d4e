"""The questions by which embeddings are compared, and how their answers are counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.recall import CUTOFFS, WORLD, questions, recall, table
from hometown.language import LANGS, Lang
from hometown.world.load import load_world


@pytest.mark.parametrize("lang", LANGS)
def test_each_question_is_answered_by_a_memory_that_the_town_has_from_the_start(lang: Lang) -> None:
    asked, seeds = questions(lang), {seed.text for persona in load_world(WORLD, lang).personas.values() for seed in persona.seeds}
    assert len({question for question, _ in asked}) == len({memory for _, memory in asked}) >= 200
    assert {memory for _, memory in asked} <= seeds


class Planted:
    """Memory number n is less similar to every question than number n - 1."""

    name, dimension = "planted", 2

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        angles = np.array([0.0 if text.endswith("?") else 0.01 * int(text.split()[0]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


async def test_recall_counts_the_memory_itself_and_those_that_contain_it() -> None:
    memories = [f"{number} m" for number in range(1, 20)] + ["7 it was told that 15 m, and more"]
    asked = [("first?", "1 m."), ("sixth?", "6 m."), ("told?", "15 m"), ("last?", "19 m")]
    assert await recall(Planted(), memories, asked) == [0.25, 0.75]
    figures = {f"recall_at_{cutoff}_{lang}_planted": 0.25 for cutoff in CUTOFFS for lang in LANGS}
    assert table(figures, ["planted"]).splitlines()[-1] == "| planted | 25 % | 25 % | 25 % | 25 % |"
