"""Compare the rules of the bench with readers: `python -m benchmarks.rated_replies`.

The sample (`data/bench/rated.jsonl.xz`) holds replies of several minds to all kinds of prompt in both
languages, with the faults that each reader found. A part of it is held out: no rule was changed for
its replies or for others to the same prompts, and it gives the final figures.

`--booklet FOLDER` writes the sample for another reader, without ratings, rules and names of minds;
`--add READER SHEET` stores that reader's filled sheet.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from hometown.bench.items import BENCH
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES, faults_of
from hometown.frozen import frozen
from hometown.records import Message
from hometown.shares import Share
from hometown.study.grounding import Verdict
from hometown.study.judging.agreement import agreement

SAMPLE = BENCH / "rated.jsonl.xz"

QUESTIONS = {
    "unusable": "Is it not in the form asked for: fields, number of entries, values on offer?",
    "wrong_language": "Is a text of it in another language than the prompt asks for?",
    "echo": "Does it recite the prompt or its instructions instead of answering?",
    "repetition": "Does it repeat itself, or what was said before?",
    "empty_talk": "Does it say nothing, or only phrases that fit everywhere?",
    "speaks_for_others": "Does a spoken line speak as somebody else, or tell what people do?",
    "contradiction": "Does it contradict times, places, people, facts or tasks that are given?",
    "invented_people": "Does it name people whom the prompt does not know?",
    "ignores_last_line": "Is it a spoken line that does not answer the last one?",
    "leaves_persona": "Does it leave the persona, or the third person where that was asked for?",
    "broken_words": "Does it have broken words, signs in place of words, or a broken-off end?",
}
"""The question to a reader about each score."""

_VERDICTS: dict[bool, Verdict] = {True: "invented", False: "supported"}
"""Verdicts of a rule or a reader that found a fault, or none."""


@frozen
class RatedReply:
    """A reply of the sample.

    Attributes:
        id: hash of the prompt and the reply.
        mind: name of the model, or of those who wrote the reply.
        is_held_out: whether the reply serves for final figures only.
        ratings: names of the rules that should find a fault, by reader.
    """

    id: str
    mind: str
    reply: ScoredReply
    is_held_out: bool
    ratings: dict[str, list[str]]


def main(argv: Sequence[str]) -> int:
    """Print the agreement of rules and readers, or write a booklet, or add ratings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rated_replies", description=__doc__)
    parser.add_argument("--booklet", type=Path, metavar="FOLDER", help="write the booklet")
    parser.add_argument("--add", nargs=2, metavar=("READER", "SHEET"), help="store ratings")
    given = parser.parse_args(argv)
    sample = read_sample()
    if given.booklet:
        write_booklet(given.booklet, sample)
        return 0
    if given.add:
        reader, sheet = given.add
        sample = add_ratings(sample, reader, Path(sheet))
        write_sample(sample)
    print(*agreement_lines(sample), sep="\n")
    return 0


def read_sample(file: Path = SAMPLE) -> list[RatedReply]:
    """Return the rated replies, in a fixed order."""
    rows = map(orjson.loads, lzma.decompress(file.read_bytes()).splitlines())
    return [
        RatedReply(
            row["id"],
            row["mind"],
            ScoredReply(
                [Message(**message) for message in row["messages"]],
                row["schema"],
                row["reply"],
                row["lang"],
                row["kind"],
            ),
            row["held_out"],
            row["ratings"],
        )
        for row in rows
    ]


def write_sample(sample: Sequence[RatedReply], file: Path = SAMPLE) -> None:
    """Write the rated replies; the same replies give the same bytes."""
    rows = [
        orjson.dumps(
            {
                "id": each.id,
                "kind": each.reply.kind,
                "lang": each.reply.lang,
                "mind": each.mind,
                "held_out": each.is_held_out,
                "messages": [
                    {"role": message.role, "content": message.content}
                    for message in each.reply.messages
                ],
                "schema": each.reply.schema,
                "reply": each.reply.text,
                "ratings": each.ratings,
            }
        )
        for each in sample
    ]
    file.write_bytes(lzma.compress(b"\n".join(rows), preset=9))


def write_booklet(folder: Path, sample: Sequence[RatedReply]) -> None:
    """Write a booklet of all prompts and replies, and an empty sheet for the ratings."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = [f"- `{name}`: {question}" for name, question in QUESTIONS.items()]
    pages = [
        "\n\n".join(
            [
                f"## {number}",
                *map(_shown, each.reply.messages),
                f"**Reply:**\n\n{each.reply.text}",
            ]
        )
        for number, each in enumerate(sample, 1)
    ]
    intro = "For each reply, write the names of all that hold into the sheet, with spaces between:"
    text = "\n\n".join([intro, "\n".join(questions), *pages])
    (folder / "booklet.md").write_text(text + "\n", "utf-8")
    sheet = ["number,faults", *(f"{number}," for number, _ in enumerate(sample, 1))]
    (folder / "sheet.csv").write_text("\n".join(sheet) + "\n", "utf-8")


def _shown(message: Message) -> str:
    """Return a message of a prompt, without the paragraph of rules that all prompts share."""
    _, _, rest = message.content.partition("\n\n")
    return f"*{message.role}*\n\n{rest if message.role == 'system' else message.content}"


def add_ratings(sample: Sequence[RatedReply], reader: str, sheet: Path) -> list[RatedReply]:
    """Return the sample with the ratings of a reader's sheet.

    Raises:
        ValueError: the sheet misses a reply, or names a fault that is none.
    """
    with sheet.open(encoding="utf-8", newline="") as file:
        found = {int(row["number"]): row["faults"].split() for row in csv.DictReader(file)}
    unknown = {name for names in found.values() for name in names} - QUESTIONS.keys()
    if unknown or sorted(found) != list(range(1, len(sample) + 1)):
        raise ValueError(
            f"{sheet}: {sorted(unknown) or f'{len(found)} rows'}; it should have a row for each of"
            f" the {len(sample)} replies, with faults among {', '.join(QUESTIONS)}"
        )
    return [
        replace(each, ratings={**each.ratings, reader: sorted(found[number])})
        for number, each in enumerate(sample, 1)
    ]


def agreement_lines(sample: Sequence[RatedReply]) -> Iterator[str]:
    """Yield Cohen's κ for each score: of the rules with each reader, of readers with each other,
    and the share of each mind's replies in which any rule finds a fault.
    """
    by_rule = {each.id: faults_of(each.reply).keys() for each in sample}
    readers = list(dict.fromkeys(reader for each in sample for reader in each.ratings))
    for part, is_held_out in (("seen", False), ("held out", True)):
        some = [each for each in sample if each.is_held_out == is_held_out]
        for reader in readers:
            yield f"{part}, {len(some)} replies: rules and reader {reader}: found by each, κ"
            yield from _kappas([(by_rule[each.id], each.ratings[reader]) for each in some])
    for number, one in enumerate(readers):
        for other in readers[number + 1 :]:
            yield f"all, {len(sample)} replies: readers {one} and {other}: found by each, κ"
            yield from _kappas([(each.ratings[one], each.ratings[other]) for each in sample])
    yield "replies in which any rule finds a fault"
    for mind in dict.fromkeys(each.mind for each in sample):
        faulty = [bool(by_rule[each.id]) for each in sample if each.mind == mind]
        yield f"  {mind} {Share(sum(faulty), len(faulty))}"


def kappa_of(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's κ of two raters who did or did not find a fault; None if neither varies."""
    return agreement([(_VERDICTS[a], _VERDICTS[b]) for a, b in pairs]).kappa


def _kappas(found: Sequence[tuple[Collection[str], Collection[str]]]) -> Iterator[str]:
    pairs: Mapping[str, list[tuple[bool, bool]]] = {
        "any": [(bool(a), bool(b)) for a, b in found],
        **{name: [(name in a, name in b) for a, b in found] for name in RULES},
    }
    for name, each in pairs.items():
        kappa = kappa_of(each)
        counts = f"{sum(a for a, _ in each)} {sum(b for _, b in each)}"
        yield f"  {name} {counts} {'–' if kappa is None else f'{kappa:.2f}'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
