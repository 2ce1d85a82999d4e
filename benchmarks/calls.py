"""What a resident's day asks of a model: calls and tokens by kind of prompt, and how much of each prompt the last one began with.

`python -m benchmarks.calls` writes data/estimates.json, from which runs on real models are estimated.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from itertools import takewhile
from pathlib import Path

import orjson

from modules.config import combine
from modules.founding import found
from modules.game import Game
from modules.model.calls import Call
from modules.model.embedding import make_embedder
from modules.model.estimate import TABLE
from modules.model.scripted.model import ScriptedModel
from modules.world.load import load_world
from modules.world.world import LANGS, Lang

WORLD, STRIDE, DAYS = "minitown", 10, 2


def measure() -> dict[str, float]:
    """Calls and tokens per resident-day by kind and in all, and the shared prefix, in both languages."""
    figures: dict[str, float] = {}
    for lang in LANGS:
        calls, residents = lived(lang)
        table = per_resident_day(calls, residents)
        for kind, row in table.items():
            figures |= {f"{name}_{lang}_{kind}": value for name, value in zip(("calls", "prompt_tokens", "reply_tokens"), row, strict=True)}
        figures[f"calls_{lang}"], prompt, reply = (sum(column) for column in zip(*table.values(), strict=True))
        figures[f"tokens_{lang}"] = prompt + reply
        figures[f"shared_prefix_{lang}"] = shared_prefix(calls)
    return figures


def per_resident_day(calls: list[Call], residents: int) -> dict[str, list[float]]:
    """For each kind of prompt: calls, tokens of prompts, tokens of replies."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for call in calls:
        row = sums[call.kind]
        row[0] += len(call.attempts)
        row[1] += call.prompt_tokens
        row[2] += call.reply_tokens
    return {kind: [round(value / residents / DAYS, 2) for value in row] for kind, row in sorted(sums.items())}


def shared_prefix(calls: list[Call]) -> float:
    """The share of their characters, 0 to 1, with which prompts begin like the one before to the same resident: what a server need not read again."""
    before: dict[str, str] = {}
    shared = total = 0
    for call in calls:
        text = "\0".join(message.content for message in call.messages)
        if call.who in before:
            shared += sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before[call.who], text, strict=False)))
            total += len(text)
        before[call.who] = text
    return shared / total if total else 0.0


def lived(lang: Lang) -> tuple[list[Call], int]:
    """All calls of `DAYS` scripted days, in order, and the number of residents."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), lang))


async def _live(folder: Path, lang: Lang) -> tuple[list[Call], int]:
    world = load_world(WORLD, lang)
    settings = combine([world.settings])
    model, embedder, steps = ScriptedModel(), make_embedder("hash", settings), DAYS * 1440 // STRIDE
    run = await found(folder, world, settings, model, embedder, name="calls", start=world.start, stride=STRIDE, seed=1, steps=steps)
    calls: list[Call] = []
    with run:
        game = Game(run, world, model, embedder)
        for _ in range(steps):
            await game.step()
            calls += game.calls
    return calls, len(world.personas)


def main() -> None:
    """Measures the table anew."""
    tables = {lang: per_resident_day(*lived(lang)) for lang in LANGS}
    rows = (
        f'"{lang}": {{\n' + ",\n".join(f'  "{kind}": {orjson.dumps(row).decode()}' for kind, row in table.items()) + "\n}" for lang, table in tables.items()
    )
    TABLE.write_text("{" + ", ".join(rows) + "}\n", "utf-8")


if __name__ == "__main__":
    main()
