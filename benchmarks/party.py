"""Whether people come together: `python -m benchmarks.party [WORLD] [LANG] [SEEDS]`, the first
gathering of a world's storylines, over 10 seeds by default.

From the beginning of the run to noon of the day after the gathering: in how many runs its hosts ask
people and prepare; how many of those who promised to come are there within ten minutes of its
beginning; whether three or more talk together there; in how many prompts of those who know of it
it is named while it lasts, and its moment in those of guests at it; how many promises and
appointments for it have its place and hours; and whether guests speak of it the morning after. One
of those who promised hears an inner voice that would keep them at home: whether it does, and then
whether anybody remembers to have waited for them or that they called off. Shares are given with
their 95 % intervals, over the people, or the runs, of all seeds.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.befalling import Tally
from benchmarks.towns import STRIDE, new_run
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE
from hometown.game import Game
from hometown.history.causes import CALL_PREFIX, Log
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.prompt.clashes import CLASH
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.reflections import FOCUS, INSIGHTS
from hometown.world import keys
from hometown.world.effects import Began, Promised, Rescheduled
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.occasion import Occasion
from hometown.world.world import Storyline, World

TEMPTED = {
    "en": "You want to rest at {home} at {time:%H:%M}",
    "zh": "今天{time:%H:%M}你想待在{home}休息",
}
"""What the inner voice says."""

DEFERRED = frozenset(prompt.kind for prompt in (CONVERSATION_SUMMARY, FOCUS, INSIGHTS, CLASH))
"""The kinds of prompts that tell of how things stood in the step before they are asked."""

VOICES = (0, 60)
"""Minutes after the beginning of the gathering for which an inner voice speaks, each half an hour
before: what it leads to lasts an hour.
"""


async def live(folder: Path, world: World, story: Storyline, seed: int) -> str:
    """Lives until noon of the day after a gathering, and returns who was kept from it, "" for
    nobody.
    """
    assert story.gathering is not None
    noon = story.gathering.end.replace(hour=12, minute=0) + timedelta(days=1)
    steps = round((noon - world.start) / timedelta(minutes=STRIDE))
    run, game = await new_run(folder, world, steps=steps, seed=seed)
    kept = ""
    with run:
        for _ in range(steps):
            for at in (story.gathering.start + timedelta(minutes=minutes) for minutes in VOICES):
                if game.state.clock.now == at - timedelta(minutes=30):
                    kept = kept or _who_promised(game, story)
                    run.ask(
                        [Intervention("tell", kept, _temptation(world, kept, at))] if kept else []
                    )
            await game.step()
    return kept


def _who_promised(game: Game, story: Storyline) -> str:
    occasion = game.state.occasion(story.id)
    return (
        next((guest.who for guest in occasion.guests if guest.part == "comes"), "")
        if occasion
        else ""
    )


def _temptation(world: World, who: str, at: datetime) -> str:
    return TEMPTED[world.lang].format(
        home=world.place_name(world.personas[who].home).split(",")[0], time=at
    )


def party(world: World, story: Storyline, seed: int, tally: Tally) -> None:
    """One gathering, and what led to it."""
    with tempfile.TemporaryDirectory() as folder:
        kept = asyncio.run(live(Path(folder), world, story, seed))
        with RunReader.open(Path(folder), "bench") as run:
            occasion = run.row(keys.OCCASION.of(story.id), run.last_step())
            assert isinstance(occasion, Occasion)
            count(run, world, occasion, kept, tally)
            count_prompts(run, world, occasion, story, tally)
            count_entries(run, occasion, story, tally)


def count(run: RunReader, world: World, occasion: Occasion, kept: str, tally: Tally) -> None:
    """Adds what came of it."""
    promised = [guest for guest in occasion.guests if guest.part == "comes" and guest.who != kept]
    asked = [
        guest for guest in occasion.guests if guest.part != "gives" and occasion.gives(guest.by)
    ]
    in_time = sum(guest.came is not None and not occasion.is_late(guest) for guest in promised)
    tally.add("runs in which people are asked to it", bool(asked), 1)
    tally.add("the town that knows of it when it begins", len(occasion.guests), len(world.personas))
    tally.add(
        "those who know of it and promise to come", len(promised) + bool(kept), len(occasion.guests)
    )
    tally.add("runs in which it is prepared", prepared(run, occasion), 1)
    tally.add("those who promised and are there in time", in_time, len(promised))
    tally.add("runs in which three or more talk there", crowd(run, occasion) > 0, 1)
    guest = occasion.guest(kept)
    is_absent = bool(kept) and (guest is None or guest.came is None)
    if kept:
        tally.add("guests whom an inner voice keeps away", is_absent, 1)
    if is_absent:
        remembered = missed(run, occasion) | called_off(run)
        tally.add("absences that somebody remembers", kept in remembered, 1)


def prepared(run: RunReader, occasion: Occasion) -> bool:
    """Whether somebody who gives it does something at its place in the hour before it that is for
    it.
    """
    begun = (logged.effect for _, logged in run.run.effects() if logged.cause == "rule:appointment")
    return any(
        isinstance(effect, Began)
        and occasion.gives(effect.who)
        and occasion.what in effect.action.activity
        for effect in begun
    )


def crowd(run: RunReader, occasion: Occasion) -> int:
    """Conversations of three or more at its place while it lasts."""
    talks = run.conversations(1, run.last_step())
    return sum(
        len(talk.people) > 2
        and talk.address == occasion.address
        and occasion.start <= talk.started < occasion.end
        for talk in talks
    )


def missed(run: RunReader, occasion: Occasion) -> set[str]:
    """Whom somebody remembers to have waited for."""
    made = run.memories(1, run.last_step(), ("thought",))
    return {
        memory.concept.object
        for memory in made
        if memory.concept.predicate == "missed" and occasion.what in memory.concept.text
    }


def called_off(run: RunReader) -> set[str]:
    """Return those of whom others remember that they have called something off."""
    made = run.memories(1, run.last_step(), ("event",))
    return {
        memory.concept.subject
        for memory in made
        if memory.concept.predicate == CALLED_OFF_PREDICATE and memory.concept.subject != memory.who
    }


def count_prompts(
    run: RunReader, world: World, occasion: Occasion, story: Storyline, tally: Tally
) -> None:
    """Adds the prompts that name a gathering while it lasts and on the morning after, and the runs
    in which a guest speaks of it then.
    """
    log, last = Log(run), run.last_step()
    for step in range(1, last + 1):
        for who, calls in log.prompts(step).items():
            for call, messages in calls:
                kind = call.removeprefix(CALL_PREFIX).split("#")[0]
                arose = step - 1 if kind in DEFERRED and step > 1 else step
                text = "".join(each["content"] for each in messages)
                count_prompt(run, world, occasion, story, who, arose, text, tally)
    talks = (
        talk for talk in run.conversations(1, last) if talk.started.date() > occasion.end.date()
    )
    spoken = any(story.is_mentioned_in(line.text) for talk in talks for line in talk.lines)
    tally.add("runs in which it is spoken of the morning after", spoken, 1)


def count_prompt(
    run: RunReader,
    world: World,
    occasion: Occasion,
    story: Storyline,
    who: str,
    step: int,
    text: str,
    tally: Tally,
) -> None:
    """Adds a resident's prompt, which tells of how things stand at the beginning of a step."""
    now, guest = run.moment(step - 1), occasion.guest(who)
    if guest is None or guest.since >= now:
        return
    has_come, is_named = guest.came is not None and guest.came < now, occasion.what in text
    if occasion.is_on(now):
        tally.add("prompts while it lasts that name it", is_named, 1)
        if has_come and world.maze.arena_at(run.position(who, step)) == occasion.address:
            moments = story.gathering.moments if story.gathering else ()
            tally.add(
                "prompts of guests there that name its moment",
                any(each in text for each in moments),
                1,
            )
    elif has_come and now.date() > occasion.end.date():
        tally.add("prompts of guests the morning after that name it", is_named, 1)


def count_entries(run: RunReader, occasion: Occasion, story: Storyline, tally: Tally) -> None:
    """Adds the promises of a gathering, and the appointments for it, at its place and hours."""
    promises: set[tuple[str, str, datetime]] = set()
    entries: set[tuple[str, str, datetime]] = set()
    for _, logged in run.run.effects():
        effect = logged.effect
        if isinstance(effect, Promised):
            promises |= {
                (effect.who, item.address, item.start)
                for item in effect.promises.items
                if story.is_mentioned_in(item.what)
            }
        elif isinstance(effect, Rescheduled):
            midnight = datetime.combine(effect.schedule.date, datetime.min.time())
            entries |= {
                (effect.who, entry.address, midnight + timedelta(minutes=entry.start))
                for entry in effect.schedule.entries
                if entry.kind == "appointment" and occasion.what == entry.activity
            }
    for name, found in (("promises", promises), ("appointments", entries)):
        kept = sum(
            address == occasion.address and occasion.is_on(start) for _, address, start in found
        )
        tally.add(f"{name} of it at its place and hours", kept, len(found))


def main(name: str = "ville", lang: Lang = "en", seeds: str = "10") -> None:
    world, tally = load_world(name, lang), Tally()
    story = next(story for story in world.storylines if story.gathering)
    for seed in range(1, int(seeds) + 1):
        party(world, story, seed, tally)
        print(f"{name} {lang}: {seed} of {seeds} seeds", *tally.lines(), sep="\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
