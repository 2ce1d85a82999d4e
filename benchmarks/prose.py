"""How the stand-in's talk reads: `python -m benchmarks.prose [LANG] [STEPS]`, in the Ville, in both
languages and over the two days of the demo by default; or of a run: `--run NAME`. With `--booklet
FOLDER --against NAME`, the conversations of that run and of the stand-in's are mixed for readers.

A conversation's lines are read back with the phrase bank. Figures: conversations a day; lines and
questions a conversation; the share of questions whose answer is the first thing that the next line
says, a returned greeting and lines of those who leave the answer to the one asked apart; the share of conversations among those at a gathering that are
about it; sentences that a resident says twice to the same person; how often the most frequent
phrase of a town's day is said in the same act; the share of distinct lines; full names of
participants that a summary repeats; and the share of residents who know each of the world's stories
in the end.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.booklets import write_booklet
from benchmarks.towns import new_run
from hometown.history.names import Names
from hometown.history.occasions import occasions
from hometown.history.reader import RunReader
from hometown.history.spread import knowers_of_each
from hometown.language import LANGS, Lang
from hometown.paths import RESULTS
from hometown.scripted.acts import is_answered
from hometown.scripted.exchanging import PASSING
from hometown.scripted.phrases import Bank, bank
from hometown.world.conversation import Conversation
from hometown.world.load import load_world

STEPS = 228
"""The steps of the demo."""

BOOKLET_SEEDS = 3
"""Runs of the stand-in from which a booklet's conversations are drawn."""

RITUALS = ("greet", "again", "introduce", "part", "bye")
"""Beginnings of the acts of greeting and parting, which everybody repeats."""


def measure(run: RunReader) -> dict[str, float]:
    """Return the figures of a run."""
    words, last = bank(run.manifest.lang), run.last_step()
    talks = run.conversations(1, last)
    days = last * run.manifest.stride / (24 * 60)
    lines = [line for talk in talks for line in talk.lines]
    turns = [[line for line in talk.lines if not _passes(line.text, words)] for talk in talks]
    asked = [pair for each in turns for pair in pairwise(each) if _asks(pair[0].text)]
    answered = sum(
        is_answered(words.recognise(question.text), words.recognise(answer.text))
        for question, answer in asked
    )
    about = [_is_about_occasion(talk, words) for talk in _at_gatherings(run, talks)]
    names = Names.of(run)
    stories = names.storylines
    known = knowers_of_each(run, stories, last)
    return {
        "conversations a day": len(talks) / days,
        "lines a conversation": len(lines) / len(talks),
        "questions a conversation": sum(_asks(line.text) for line in lines) / len(talks),
        "questions answered at once": answered / max(1, len(asked)),
        "about the occasion": sum(about) / max(1, len(about)),
        "sentences repeated to the same person": _count_repeated(talks, words),
        "most frequent phrase of a day": max(_phrase_counts(talks, words).values(), default=0),
        "distinct lines": len({line.text for line in lines}) / max(1, len(lines)),
        "full names repeated in a summary": sum(
            max(0, talk.summary.count(names.person(who)) - 1)
            for talk in talks
            for who in talk.people
        )
        / len(talks),
        "knowers of a story": sum(map(len, known)) / max(1, len(known) * len(run.residents)),
    }


def _asks(text: str) -> bool:
    return "?" in text or "？" in text


def _passes(text: str, words: Bank) -> bool:
    """Return True for a line that only leaves the answer to another in a group."""
    moves = words.recognise(text)
    return bool(moves) and all(move.act in PASSING for move in moves)


def _at_gatherings(run: RunReader, talks: Iterable[Conversation]) -> list[Conversation]:
    """Return the conversations at the places of gatherings while they last."""
    held = [met.occasion for met in occasions(run, run.last_step()) if met.occasion.gathers]
    return [
        talk
        for talk in talks
        if any(
            talk.address == occasion.address and occasion.start <= talk.started < occasion.end
            for occasion in held
        )
    ]


def _is_about_occasion(talk: Conversation, words: Bank) -> bool:
    """Return True if a question for those at a gathering is asked."""
    acts = (move.act for line in talk.lines for move in words.recognise(line.text))
    return any(
        "at-gathering" in words.exchanges[act[4:]].needs for act in acts if act.startswith("ask:")
    )


def _count_repeated(talks: Iterable[Conversation], words: Bank) -> int:
    """Return the number of phrases, greetings and partings apart, that a resident says again in the
    hearing of the same person in another conversation.
    """
    said: set[tuple[str, str, str]] = set()
    repeated = 0
    for talk in talks:
        here = {
            (line.speaker, other, move.text.format_map(move.slots))
            for other in talk.people
            for line in talk.lines_for(other)
            for move in words.recognise(line.text)
            if not move.act.startswith(RITUALS)
            if other != line.speaker and "{" not in move.text
        }
        repeated += len(here & said)
        said |= here
    return repeated


def _phrase_counts(talks: Iterable[Conversation], words: Bank) -> Counter[tuple[str, str, str]]:
    """Return how often each phrase is said in the same act on each day, greetings and partings
    apart.
    """
    return Counter(
        (f"{talk.started:%m-%d}", move.act, move.text)
        for talk in talks
        for line in talk.lines
        for move in words.recognise(line.text)
        if not move.act.startswith(RITUALS)
    )


async def live(
    folder: Path, lang: Lang, steps: int, world: str = "ville", seed: int = 0
) -> RunReader:
    """Simulate a world and return its run."""
    run, game = await new_run(folder, load_world(world, lang), steps=steps, seed=seed)
    with run:
        for _ in range(steps):
            await game.step()
    return RunReader.open(folder, "bench")


def write_booklet_against(folder: Path, other: RunReader, steps: int) -> None:
    """Write a booklet of a run's conversations and of the stand-in's in the same world."""
    lang, world = other.manifest.lang, other.manifest.world
    ours: list[Conversation] = []
    for seed in range(BOOKLET_SEEDS):
        with (
            tempfile.TemporaryDirectory() as place,
            asyncio.run(live(Path(place), lang, steps, world, seed)) as run,
        ):
            ours += run.conversations(1, run.last_step())
    write_booklet(folder, lang, other.conversations(1, other.last_step()), ours)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prose", description=__doc__)
    parser.add_argument("lang", nargs="?", choices=LANGS)
    parser.add_argument("steps", nargs="?", type=int, default=STEPS)
    parser.add_argument("--run", help="name of a run below results/checkpoints")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the runs")
    parser.add_argument("--booklet", type=Path, help="folder for a booklet of conversations")
    parser.add_argument("--against", help="name of the run whose conversations to compare with")
    args = parser.parse_args(argv)
    if args.booklet:
        with RunReader.open(args.results, args.against) as other:
            write_booklet_against(args.booklet, other, args.steps)
        return
    if args.run:
        with RunReader.open(args.results, args.run) as reader:
            _print(args.run, measure(reader))
        return
    for lang in [args.lang] if args.lang else LANGS:
        with (
            tempfile.TemporaryDirectory() as folder,
            asyncio.run(live(Path(folder), lang, args.steps)) as run,
        ):
            _print(lang, measure(run))


def _print(title: str, figures: dict[str, float]) -> None:
    print(title)
    for name, value in figures.items():
        print(f"  {name:40} {value:8.3f}")


if __name__ == "__main__":
    main()
