"""Happenings and what residents do about them, for the bench, written by hand in both languages
(`bench_happenings.json`): a user stages few in a lived day, and the stand-in judges by words alone.

Each happening has the course that a careful reader drafts, and the weights that such a reader would
accept; each act has its acceptable effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, time
from functools import cache
from pathlib import Path
from typing import cast

from pydantic import TypeAdapter

from benchmarks.towns import new_run
from hometown.agent.mind import Mind
from hometown.bench.items import BenchItem
from hometown.frozen import frozen
from hometown.game import Game
from hometown.language import Lang
from hometown.prompt.happening_drafts import (
    HAPPENING,
    HappeningReply,
    HappeningVars,
    Reach,
    as_course,
)
from hometown.prompt.measures import MEASURE, Effect, MeasureVars
from hometown.prompt.prompt import Situation, Variables
from hometown.world.load import load_world
from hometown.world.world import World

HAPPENINGS_FILE = Path(__file__).with_suffix(".json")


@frozen
class DraftNumbers:
    """The fields of a draft that are the same in all languages."""

    weight: int
    reach: Reach
    minutes: int
    effort: int
    help_minutes: int
    grows: int
    closes: bool
    repair_hours: int


@frozen
class DraftWords:
    """The fields of a draft that are worded."""

    means: tuple[str, ...]
    helpers: str
    over: str
    damage: str
    mending: str


@frozen
class Act:
    """What a resident does about a happening, with the effects that a careful reader accepts."""

    who: str
    effects: tuple[Effect, ...]
    texts: dict[Lang, str]


@frozen
class StagedHappening:
    """A happening that a user stages at `hour`, with its draft and the acceptable weights."""

    world: str
    place: str
    hour: int
    texts: dict[Lang, str]
    weights: tuple[int, ...]
    course: DraftNumbers
    words: dict[Lang, DraftWords]
    acts: tuple[Act, ...]

    def draft(self, lang: Lang) -> HappeningReply:
        """Return the draft in a language."""
        numbers, words = self.course, self.words[lang]
        return HappeningReply(
            weight=numbers.weight,
            reach=numbers.reach,
            minutes=numbers.minutes,
            effort=numbers.effort,
            means=list(words.means),
            helpers=words.helpers,
            help_minutes=numbers.help_minutes,
            grows=numbers.grows,
            closes=numbers.closes,
            over=words.over,
            damage=words.damage,
            mending=words.mending,
            repair_hours=numbers.repair_hours,
        )


@cache
def load_happenings() -> tuple[StagedHappening, ...]:
    """Return the happenings, with their drafts and acts."""
    adapter = TypeAdapter(tuple[StagedHappening, ...])
    return adapter.validate_json(HAPPENINGS_FILE.read_bytes())


async def collect_happenings(lang: Lang, folder: Path) -> dict[str, list[Variables]]:
    """Return the prompts that draft the courses of all happenings, and those that judge all acts,
    by kind.
    """
    asked: dict[str, list[Variables]] = {HAPPENING.kind: [], MEASURE.kind: []}
    for name in dict.fromkeys(each.world for each in load_happenings()):
        world = load_world(name, lang)
        run, game = await new_run(folder / f"staged-{name}", world, steps=1)
        with run:
            await game.step()
            for each in load_happenings():
                if each.world == name:
                    asked[HAPPENING.kind].append(_ask_for_course(each, game, lang))
                    asked[MEASURE.kind] += _ask_for_effects(each, game, lang)
    return asked


def _ask_for_course(each: StagedHappening, game: Game, lang: Lang) -> HappeningVars:
    situation = game.view(each.place, game.begin_step())
    return HappeningVars(_move_to(each, situation, game.world), each.texts[lang])


def _ask_for_effects(each: StagedHappening, game: Game, lang: Lang) -> Iterator[MeasureVars]:
    course = as_course(each.draft(lang), each.texts[lang], lang)
    clause = each.texts[lang].rstrip(" .!。！")
    context = game.look(game.begin_step())
    for act in each.acts:
        situation = _move_to(each, Mind(act.who, context).situation, game.world)
        yield MeasureVars(
            situation, clause, course.means, course.helpers, act.texts[lang], situation.where
        )


def _move_to(each: StagedHappening, situation: Situation, world: World) -> Situation:
    """Return a situation at the place and the hour of a happening."""
    now = datetime.combine(situation.now.date(), time(each.hour))
    return replace(situation, now=now, where=world.place_name(each.place))


def find_weights(item: BenchItem) -> list[int]:
    """Return the acceptable weights of the happening of an item."""
    text = cast(HappeningVars, item.parse()).text
    return list(_happening_of(text, item.lang).weights)


def find_effects(item: BenchItem) -> list[str]:
    """Return the acceptable effects of the act of an item."""
    asked = cast(MeasureVars, item.parse())
    acts = _happening_of(asked.happening, item.lang).acts
    return list(next(act.effects for act in acts if asked.what.startswith(act.texts[item.lang])))


def write_reply(item: BenchItem) -> str:
    """Return the reply of a careful reader to an item of either kind, as JSON."""
    if item.kind == MEASURE.kind:
        return MEASURE.reply(effect=find_effects(item)[0]).model_dump_json()
    text = cast(HappeningVars, item.parse()).text
    return _happening_of(text, item.lang).draft(item.lang).model_dump_json()


def _happening_of(text: str, lang: Lang) -> StagedHappening:
    """Return the happening with which a text begins; an adversarial one goes on."""
    return next(
        each for each in load_happenings() if text.startswith(each.texts[lang].rstrip(" .!。！"))
    )
