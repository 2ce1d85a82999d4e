"""Collect the items of the bench: `python -m benchmarks.bench_items [KIND…]` writes data/bench.

With kinds of prompt, only their items are collected anew; all others stay as they are.

The scripted model lives days in the towns that ship, answers interviews, judges answers and drafts
laws and newcomers, in both languages. Of every prompt that it is asked, short and long ones are
picked from as many residents as possible, and some of them are made adversarial: a text in them
tries to lead the model astray. Clashes of agreements, staged happenings and what residents do about
these are written by hand, with their right choices.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, cast

import orjson

from benchmarks.bench_clashes import collect_clashes, right_choice
from benchmarks.bench_director import collect_directions, collect_strangers
from benchmarks.bench_happenings import collect_happenings, find_effects, find_weights
from benchmarks.bench_texts import EVENTS, LAWS, LEADING, NEWCOMERS, QUESTIONS, VOICES
from benchmarks.bench_world_edits import collect_world_edits
from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.bench.items import ADVERSARIAL, BENCH, BenchItem, load_items, make_item, save_items
from hometown.config import combine
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.model.llm import Completion, Request
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.clashes import CLASH, ClashVars
from hometown.prompt.director_prompt import DIRECTOR_MOVE
from hometown.prompt.happening_drafts import HAPPENING
from hometown.prompt.measures import MEASURE
from hometown.prompt.night_gist import NIGHT_GIST
from hometown.prompt.prompt import Variables
from hometown.prompt.stranger_drafts import STRANGER
from hometown.prompt.world_edits import WORLD_EDIT
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.interview import Interviewer
from hometown.study.judging.judge import read_sheet, verify_answer
from hometown.study.judging.readings import Sheet
from hometown.study.laws.drafting import draft_law
from hometown.study.laws.settlers import draft_settler
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.world import World

WORLDS = ("minitown", "ville", "farmstead", "cloudvale")

SHORT, LONG, LED_ASTRAY = 8, 8, 6
"""Items of each trait, for each kind of prompt and language."""

BY_HAND = frozenset({CLASH.kind, HAPPENING.kind, MEASURE.kind})
"""Kinds of prompt whose items are written by hand."""


class Recorder:
    """The scripted model, which keeps the variables of all prompts that it is asked."""

    name = "scripted"

    def __init__(self) -> None:
        self._model = ScriptedModel()
        self.asked: dict[str, list[Variables]] = defaultdict(list)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.asked[request.kind].append(request.variables)
        return await self._model.complete(request, seed=seed)


def _tuned(world: World, **settings: Any) -> Settings:
    return combine([settings], world.settings)


async def collect(
    lang: Lang, folder: Path, kinds: Sequence[str]
) -> Mapping[str, Sequence[Variables]]:
    """Return the prompts of some kinds that residents of all towns were asked in a language."""
    asked: dict[str, Sequence[Variables]] = {}
    if DIRECTOR_MOVE.kind in kinds:
        asked[DIRECTOR_MOVE.kind] = await collect_directions(lang, folder)
    if STRANGER.kind in kinds:
        asked[STRANGER.kind] = await collect_strangers(lang, folder)
    if WORLD_EDIT.kind in kinds:
        asked[WORLD_EDIT.kind] = await collect_world_edits(lang, folder)
    if NIGHT_GIST.kind in kinds:
        asked[NIGHT_GIST.kind] = await _sleep(lang, folder)
    if set(kinds) - BY_HAND - asked.keys():
        asked |= (await _live_in_all_towns(lang, folder)).asked
    if CLASH.kind in kinds:
        asked[CLASH.kind] = await collect_clashes(lang, folder)
    if {HAPPENING.kind, MEASURE.kind} & set(kinds):
        asked |= await collect_happenings(lang, folder)
    return {kind: asked[kind] for kind in sorted(kinds)}


async def _live_in_all_towns(lang: Lang, folder: Path) -> Recorder:
    """Return the recorder of days lived in all towns."""
    recorder = Recorder()
    town = load_world("minitown", lang)
    day = 2 * STEPS_A_DAY
    with await _live(folder / "day", town, day, recorder, {}, _interventions(town)) as run:
        await _question(run, town, recorder)
    dear = {"thrift": dict.fromkeys(Settings().thrift.model_dump(), False)}
    (await _live(folder / "dear", town, day, recorder, dear)).close()
    habits = {"llm": {"freedom": "habits"}}
    (await _live(folder / "habits", town, day, recorder, habits)).close()
    (await _live(folder / "ville", load_world("ville", lang), 66, recorder, {})).close()
    for name in ("farmstead", "cloudvale"):
        society = load_world(name, lang)
        with await _live(folder / name, society, STEPS_A_DAY, recorder, {}) as run:
            await _legislate(run, society, recorder)
    return recorder


async def _sleep(lang: Lang, folder: Path) -> list[Variables]:
    """Return the questions for the gist of each of three nights that the residents sleep."""
    recorder, nights = Recorder(), {"faculties": {"consolidate": True}}
    town, steps = load_world("minitown", lang), 3 * STEPS_A_DAY + 24
    (await _live(folder / "asleep", town, steps, recorder, nights)).close()
    return recorder.asked[NIGHT_GIST.kind]


async def _live(
    folder: Path,
    world: World,
    steps: int,
    recorder: Recorder,
    layer: dict[str, Any],
    interventions: Sequence[Intervention] = (),
) -> RunFile:
    """Return the run of a town that has lived so many steps."""
    run, game = await new_run(
        folder, world, steps=steps, settings=_tuned(world, **layer), model=recorder
    )
    run.ask(interventions)
    for _ in range(steps):
        await game.step()
    return run


def _interventions(world: World) -> list[Intervention]:
    """Return inner voices and events, spread over two days."""
    people, rooms = list(world.personas), [at for at, arena in world.arenas.items() if arena.public]
    voices = [
        Intervention("tell", who, voice, step=52 + 9 * number + at)
        for number, voice in enumerate(VOICES[world.lang])
        for at, who in enumerate(people)
    ]
    events = [
        Intervention("event", room, event, step=55 + 16 * number + 3 * at)
        for number, event in enumerate(EVENTS[world.lang])
        for at, room in enumerate(rooms[:4])
    ]
    return [*voices, *events]


async def _question(run: RunFile, world: World, recorder: Recorder) -> None:
    """Interview all residents, and have their answers ranked and verified."""
    interviewer = Interviewer.on(run, world, recorder, combine([], world.settings))
    at = run.last.step - 30
    for number, question in enumerate(QUESTIONS[world.lang]):
        answers = {who: (await interviewer.ask(who, question, at)).text for who in world.personas}
        for who, answer in answers.items():
            await verify_answer(interviewer, who, question, answer, at, number)
            shown = dict(list(answers.items())[:3]) | {who: answer}
            await read_sheet(interviewer, Sheet(1, who, question, question, shown, {}), at, number)


async def _legislate(run: RunFile, world: World, recorder: Recorder) -> None:
    interviewer = Interviewer.on(run, world, recorder, combine([], world.settings))
    for draft, words in ((draft_law, LAWS), (draft_settler, NEWCOMERS)):
        for each in words[world.lang]:
            try:
                await draft(interviewer, each)
            except BadInput:
                continue  # the scripted model found nothing in it; the prompt was asked


def pick(kind: str, lang: Lang, asked: Sequence[Variables]) -> Iterator[BenchItem]:
    """Yield the items of one kind: of different residents, the shortest and the longest prompts,
    and adversarial ones made of those between.
    """
    items = {
        item.id: item
        for item in (make_item(kind, lang, "", _world_of(each, lang), each) for each in asked)
    }
    by_length = sorted(items.values(), key=lambda item: (_measure_length(item), item.id))
    half = len(by_length) // 2
    short, long = _spread(by_length[:half]), _spread(by_length[half:][::-1])
    for each in short[:SHORT]:
        yield make_item(kind, lang, "short", each.world, each.parse())
    for each in long[:LONG]:
        yield make_item(kind, lang, "long", each.world, each.parse())
    rest = short[SHORT:] + long[LONG:] or short
    for number in range(LED_ASTRAY):
        yield lead_astray(rest[number * len(rest) // LED_ASTRAY], number)


@cache
def _homes(lang: Lang) -> dict[str, str]:
    """Return the worlds of all residents by id; no two worlds share one."""
    return {who: name for name in WORLDS for who in load_world(name, lang).personas}


def _world_of(variables: Variables, lang: Lang) -> str:
    """Return the id of the world that the resident asked lives in."""
    return _homes(lang)[variables.situation.me.id]


def _measure_length(item: BenchItem) -> int:
    """Return the length of the variables of an item, without the situation of a resident whom the
    prompt does not show.
    """
    values = orjson.loads(item.variables)
    if item.prompt.persona == "nobody":
        del values["situation"]
    return len(orjson.dumps(values))


def _spread(items: Sequence[BenchItem]) -> list[BenchItem]:
    """Return items so that the residents asked take turns."""
    by_resident: dict[str, list[BenchItem]] = defaultdict(list)
    for item in items:
        by_resident[item.parse().situation.me.id].append(item)
    return [item for turn in zip_longest(*by_resident.values()) for item in turn if item]


def lead_astray(item: BenchItem, number: int) -> BenchItem:
    """Return an item with a leading text in place of a text that residents hear, read or remember."""
    values, text = (
        orjson.loads(item.variables),
        LEADING[item.lang][number % len(LEADING[item.lang])],
    )
    _replace_text(values, text)
    altered = BenchItem(
        item.id, item.kind, item.lang, ADVERSARIAL, item.world, orjson.dumps(values)
    )
    return make_item(item.kind, item.lang, ADVERSARIAL, item.world, altered.parse())


def _replace_text(values: dict[str, Any], text: str) -> None:
    """Replace the text that is likeliest to come from others."""
    if new := values.get("new"):
        new["what"] = f"{new['what']} {text}"
        return
    for name in ("question", "words", "topic", "what", "text"):
        if values.get(name):
            values[name] = f"{values[name]} {text}"
            return
    for name in ("lines", "matters", "happenings", "memories", "chats"):
        if parts := values.get(name):
            last = parts[-1]
            if isinstance(last, dict) and "text" in last:
                last["text"] = text
                return
            if isinstance(last, list) and isinstance(last[-1], str):
                last[-1] = text
                return
    values["situation"]["currently"] += f" {text}"


def save_choices(kind: str, choices: Mapping[str, Sequence[object]]) -> None:
    """Write the reference choices of a kind of prompt, by item, in place of earlier ones."""
    file = BENCH / "choices.json"
    kinds = json.loads(file.read_text("utf-8")) | {kind: choices}
    parts = []
    for name, items in kinds.items():
        rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(row)}" for key, row in items.items())
        parts.append(f"  {json.dumps(name)}: {{\n{rows}\n  }}")
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def _find_choices(kind: str) -> dict[str, Sequence[object]]:
    """Return the right choices in the stored items of a kind that is written by hand, by item; an
    item without a plainly right one is left out.
    """
    find: dict[str, Callable[[BenchItem], Sequence[object]]] = {
        CLASH.kind: _find_agreements,
        HAPPENING.kind: find_weights,
        MEASURE.kind: find_effects,
    }
    items = (item for lang in LANGS for item in load_items(lang) if item.kind == kind)
    choices = {item.id: find[kind](item) for item in items}
    return {item: right for item, right in choices.items() if right}


def _find_agreements(item: BenchItem) -> list[int]:
    right = right_choice(cast(ClashVars, item.parse()))
    return [right] if right else []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_items", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kinds of prompt; all by default")
    kinds = parser.parse_args().kinds or list(PROMPTS)
    if unknown := set(kinds) - set(PROMPTS):
        parser.error(f"no kinds of prompt: {', '.join(sorted(unknown))}")
    for lang in LANGS:
        with tempfile.TemporaryDirectory() as folder:
            asked = asyncio.run(collect(lang, Path(folder), kinds))
        items = {item.id: item for kind in kinds for item in pick(kind, lang, asked[kind])}
        others = [item for item in load_items(lang) if item.kind not in kinds]
        save_items(lang, sorted((*others, *items.values()), key=lambda item: item.kind))
        counts = ", ".join(f"{kind} {len(each)}" for kind, each in asked.items())
        print(f"{lang}: {len(items)} items of {counts}", flush=True)
    load_items.cache_clear()
    for kind in sorted(BY_HAND & set(kinds)):
        save_choices(kind, _find_choices(kind))


if __name__ == "__main__":
    main()
