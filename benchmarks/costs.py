"""What a day of the Ville costs a resident, beside how lively it is: `python -m benchmarks.costs
[WORLD] [LANG] [SEED]`.

With the word `each` in place of a seed, the same without each of the measures of thrift, and
without all, as a table.

The server is the scripted model behind a time model, in virtual time. Each of its slots keeps what
it read and wrote last (`kept_prompts.py`), and only what the slot of a call does not know is read.
The times are those of a graphics card of 12 GB with a model of 8 billion parameters.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.kept_prompts import Slots
from benchmarks.slots import SLOTS, Loop, Meter
from benchmarks.towns import STEPS_A_DAY, new_run
from benchmarks.turns import CARD_12_GB, Apart
from hometown.clock import minute_of_day
from hometown.config import combine
from hometown.history.life import life_of
from hometown.history.reader import RunReader
from hometown.history.spread import knowers_of_each
from hometown.language import Lang
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.settings import Thrift
from hometown.world.load import load_world
from hometown.world.world import World

MOVING = 0.04
"""What it takes to move a token to RAM or back, as a share of what it takes to read it: 150 KB at 6
GB a second, beside 1,500 tokens a second.
"""

SEED = 1

Figures = dict[str, float]


Work = Callable[[int, int], Awaitable[None]]
"""Takes the time of reading and of writing so many tokens."""


class CachingServer:
    """The scripted model as a server whose slots keep their prompts, and so many tokens of earlier
    ones in RAM; `costs` counts by (kind, what).
    """

    name = "scripted"

    def __init__(self, slots: int = SLOTS, work: Work | None = None, in_ram: int = 0) -> None:
        self.model = ScriptedModel()
        self.work = work or Apart(CARD_12_GB).work
        self.slots = Slots(slots, in_ram)
        self.costs: Counter[tuple[str, str]] = Counter()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        prompt = "\0".join(message.content for message in request.messages)
        read, moved = self.slots.take(prompt)
        completion = await self.model.complete(request, seed=seed)
        try:
            await self.work(read + round(MOVING * moved), completion.reply_tokens)
        finally:  # a call that nobody needs any more is given up, but its slot has read the prompt
            self.slots.give_back(f"{prompt}\0{as_models_write(completion.text)}")
        spent = {
            "calls": 1,
            "prompt_tokens": completion.prompt_tokens,
            "read_tokens": read,
            "reply_tokens": completion.reply_tokens,
        }
        self.costs.update({(request.kind, what): count for what, count in spent.items()})
        return completion


def as_models_write(reply: str) -> str:
    """A reply with the spaces of the example in its prompt, which models copy and with which
    prompts repeat it.

    >>> as_models_write('{"say":"Hello.","end":false}')
    '{"say": "Hello.", "end": false}'
    """
    return json.dumps(json.loads(reply), ensure_ascii=False)


def measure(
    name: str = "ville",
    lang: Lang = "en",
    changes: Mapping[str, Any] | None = None,
    seed: int = SEED,
) -> Figures:
    """Costs of a resident from its getting up to midnight, in all and by kind of prompt, the
    seconds of the day by the time model, and its liveliness.
    """
    return lived_day(load_world(name, lang), changes or {}, seed=seed)


def lived_day(
    world: World,
    changes: Mapping[str, Any],
    steps: int = 0,
    server: CachingServer | None = None,
    seed: int = SEED,
) -> Figures:
    """Lives the rest of the first day, or so many steps, with some settings changed, and measures
    it.
    """
    meter, server = Meter(), server or CachingServer()
    steps = steps or STEPS_A_DAY - minute_of_day(world.start) * STEPS_A_DAY // 1440
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: Loop(meter)) as runner,
    ):
        runner.run(_live(Path(folder), world, server, changes, steps, seed))
        with RunReader.open(Path(folder), "bench") as run:
            alive = liveliness(run, world)
    people = len(world.personas)
    costs = dict.fromkeys(("calls", "prompt_tokens", "read_tokens", "reply_tokens"), 0.0)
    for (_, what), count in server.costs.items():
        costs[what] += count / people
    by_kind = {
        f"{what}_{kind}": count / people for (kind, what), count in sorted(server.costs.items())
    }
    return costs | {"seconds": meter.now} | alive | by_kind


async def _live(
    folder: Path,
    world: World,
    server: CachingServer,
    changes: Mapping[str, Any],
    steps: int,
    seed: int,
) -> None:
    run, game = await new_run(
        folder,
        world,
        steps=steps,
        settings=combine([world.settings, changes]),
        model=server,
        seed=seed,
    )
    with run:
        for _ in range(steps):
            await game.step()


def liveliness(run: RunReader, world: World) -> Figures:
    """Conversations, lines, thoughts and how many know of the storylines; of a resident, mean and
    least, different activities and places.
    """
    last = run.last_step()
    talks, life = run.conversations(1, last), life_of(run)
    return {
        "conversations": len(talks),
        "lines": sum(len(talk.lines) for talk in talks),
        "thoughts": sum(1 for _ in run.memories(1, last, ("thought",))),
        "know_of_storylines": sum(
            len(known) for known in knowers_of_each(run, world.storylines, last)
        ),
        "activities": sum(each.activities for each in life.residents) / len(life.residents),
        "fewest_activities": life.fewest_activities,
        "places": sum(each.places for each in life.residents) / len(life.residents),
        "fewest_places": life.fewest_places,
        "work_share": life.work_share,
    }


COLUMNS = (
    "calls",
    "prompt_tokens",
    "read_tokens",
    "reply_tokens",
    "seconds",
    "conversations",
    "lines",
    "thoughts",
    "know_of_storylines",
    "activities",
    "places",
)


def without_each(name: str, lang: Lang) -> dict[str, Figures]:
    """The figures with all measures of thrift that are usual, without each of them, and without
    any.
    """
    measures = [name for name, setting in Thrift.model_fields.items() if setting.default]
    variants: dict[str, dict[str, bool]] = (
        {"all": {}}
        | {f"without {each}": {each: False} for each in measures}
        | {"none": dict.fromkeys(measures, False)}
    )
    return {
        variant: measure(name, lang, {"thrift": changes}) for variant, changes in variants.items()
    }


def main(name: str = "ville", lang: Lang = "en", which: str = str(SEED)) -> None:
    if which != "each":
        for figure, value in measure(name, lang, seed=int(which)).items():
            print(f"{figure:40} {value:.4g}")
        return
    print(f"| measures | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for variant, figures in without_each(name, lang).items():
        print(
            f"| {variant} | {' | '.join(f'{figures[column]:.0f}' for column in COLUMNS)} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
