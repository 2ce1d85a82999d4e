"""Booklets for readers who rate conversations without knowing whose they are:
`python -m benchmarks.prose --booklet FOLDER --against RUN`.

A booklet mixes the conversations of a run with as many of the stand-in's, drawn from the same
world and matched by the number of lines. The speakers are lettered in the order of their first
lines. Beside it lie a sheet for the ratings and, to be kept apart, the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from hometown.language import Lang
from hometown.world.conversation import Conversation

COUNT = 10
"""Conversations of each origin in a booklet."""

QUESTION: dict[Lang, str] = {
    "en": "Do the turns answer each other? (yes / partly / no)",
    "zh": "一来一往，前后接得上吗？（接得上／部分接得上／接不上）",
}


def write_booklet(
    folder: Path, lang: Lang, theirs: Sequence[Conversation], ours: Sequence[Conversation]
) -> None:
    """Write a booklet, its sheet and its key.

    Args:
        folder: parent folder of the three files, created if it is missing.
        lang: language of the booklet.
        theirs: conversations to compare with.
        ours: the stand-in's conversations, from which the nearest in length are drawn.
    """
    rng = Random(0)
    drawn = rng.sample(list(theirs), min(COUNT, len(theirs)))
    pages = [("other", talk) for talk in drawn]
    pages += [("stand-in", talk) for talk in match_lengths(drawn, ours, rng)]
    rng.shuffle(pages)
    numbered = list(enumerate(pages, 1))
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / f"booklet_{lang}.md", [_page(i, talk) for i, (_, talk) in numbered])
    _write(folder / f"sheet_{lang}.csv", [QUESTION[lang], *(f"{i}," for i, _ in numbered)])
    key = [f"{i},{origin},{talk.id}" for i, (origin, talk) in numbered]
    _write(folder / "key" / f"key_{lang}.csv", key)


def match_lengths(
    models: Sequence[Conversation], pool: Sequence[Conversation], rng: Random
) -> list[Conversation]:
    """Return for each model another conversation of the pool, the nearest in its number of lines."""
    left = rng.sample(list(pool), len(pool))
    matched = []
    for model in models:
        nearest = min(left, key=lambda talk: abs(len(talk.lines) - len(model.lines)))
        left.remove(nearest)
        matched.append(nearest)
    return matched


def _page(number: int, talk: Conversation) -> str:
    speakers = list(dict.fromkeys(line.speaker for line in talk.lines))
    lines = [f"{chr(ord('A') + speakers.index(line.speaker))}: {line.text}" for line in talk.lines]
    return "\n\n".join([f"## {number}", *lines]) + "\n"


def _write(path: Path, blocks: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(blocks) + "\n", encoding="utf-8")
