"""Compare the rules of the bench with readers: `python -m benchmarks.rated_replies`.

The sample (`data/bench/rated.jsonl.xz`) holds replies of several minds to all kinds of prompt in both
languages, with the faults that each reader found. A part of it is held out: no rule was changed for
its replies or for others to the same prompts, and it gives the final figures.

`--booklet FOLDER` writes the sample for another reader, without ratings, rules and names of minds;
`--add READER SHEET` stores that reader's filled sheet. `--table` writes the table of docs/models.md,
and stores which scores are measured.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import orjson

from benchmarks.minds_table import PAGE, with_table
from hometown.bench.items import BENCH
from hometown.bench.reader_agreement import ReaderAgreement, is_measured, store_agreements
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES, faults_of
from hometown.bench.score_tables import RULE_NAMES
from hometown.frozen import frozen
from hometown.markdown import format_table
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

ANY = "any"
"""Name of the score that counts a reply with any fault."""

BLIND_READERS = ("B", "C")
"""The readers who know no rule."""

RESAMPLES = 1000
"""Samples from which an interval is computed."""

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
    parser.add_argument("--table", action="store_true", help="write the table of docs/models.md")
    parser.add_argument("--add", nargs=2, metavar=("READER", "SHEET"), help="store ratings")
    given = parser.parse_args(argv)
    sample = read_sample()
    if given.booklet:
        write_booklet(given.booklet, sample)
        return 0
    if given.table:
        write_agreement(sample)
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
    rules = faults_by_rule(sample)
    readers = list(dict.fromkeys(reader for each in sample for reader in each.ratings))
    for part, is_held_out in (("seen", False), ("held out", True)):
        some = [each for each in sample if each.is_held_out == is_held_out]
        for reader in readers:
            yield f"{part}, {len(some)} replies: rules and reader {reader}: found by each, κ"
            yield from map(_line, compare(some, rules, ratings_of(some, reader)))
    for number, one in enumerate(readers):
        for other in readers[number + 1 :]:
            yield f"all, {len(sample)} replies: readers {one} and {other}: found by each, κ"
            yield from map(
                _line, compare(sample, ratings_of(sample, one), ratings_of(sample, other))
            )
    yield "replies in which any rule finds a fault"
    for mind in dict.fromkeys(each.mind for each in sample):
        faulty = [bool(rules[each.id]) for each in sample if each.mind == mind]
        yield f"  {mind} {Share(sum(faulty), len(faulty))}"


def score_name(score: str) -> str:
    """Return the name of a score in the table."""
    return RULE_NAMES.get(score, "any fault")


def _line(found: ReaderAgreement) -> str:
    return f"  {found.score} {found.by_rule} {found.by_reader} {kappa_in_words(found)}"


def kappa_in_words(found: ReaderAgreement) -> str:
    """Return κ with its interval, as in "0.65 (0.40–0.83)"; "–" if there is none."""
    if found.kappa is None or found.low is None or found.high is None:
        return "–"
    return f"{found.kappa:.2f} ({found.low:.2f}–{found.high:.2f})".replace("-", "−")


def faults_by_rule(sample: Sequence[RatedReply]) -> dict[str, Collection[str]]:
    """Return the names of the rules that find a fault, by reply."""
    return {each.id: faults_of(each.reply).keys() for each in sample}


def ratings_of(sample: Sequence[RatedReply], reader: str) -> dict[str, Collection[str]]:
    """Return the names of the rules that should find a fault by a reader, by reply."""
    return {each.id: each.ratings[reader] for each in sample}


def compare(
    sample: Sequence[RatedReply],
    first: Mapping[str, Collection[str]],
    second: Mapping[str, Collection[str]],
) -> Iterator[ReaderAgreement]:
    """Yield the agreement of two raters for each score, with an interval of 95 % by a bootstrap of
    prompts, since replies to one prompt resemble each other.
    """
    for score in (ANY, *RULES):
        by_prompt = defaultdict[object, list[tuple[bool, bool]]](list)
        for each in sample:
            a, b = first[each.id], second[each.id]
            pair = (bool(a), bool(b)) if score == ANY else (score in a, score in b)
            by_prompt[each.reply.messages].append(pair)
        groups = list(by_prompt.values())
        pairs = [pair for group in groups for pair in group]
        low, high = _interval(groups)
        yield ReaderAgreement(
            score,
            sum(a for a, _ in pairs),
            sum(b for _, b in pairs),
            kappa_of(pairs),
            low,
            high,
        )


def _interval(groups: Sequence[Sequence[tuple[bool, bool]]]) -> tuple[float | None, float | None]:
    """Return the bounds of κ over samples of the groups, drawn with replacement."""
    draw = Random(1)
    found = sorted(
        kappa
        for _ in range(RESAMPLES)
        if (
            kappa := kappa_of(
                [pair for group in draw.choices(groups, k=len(groups)) for pair in group]
            )
        )
        is not None
    )
    if len(found) < RESAMPLES // 2:
        return None, None
    return found[len(found) // 40], found[-1 - len(found) // 40]


def kappa_of(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's κ of two raters who did or did not find a fault; None if neither varies."""
    return agreement([(_VERDICTS[a], _VERDICTS[b]) for a, b in pairs]).kappa


def agreements_held_out(sample: Sequence[RatedReply]) -> dict[str, tuple[ReaderAgreement, ...]]:
    """Return the agreement of the rules with the readers who know no rule, by score, on the replies
    held out.
    """
    some = [each for each in sample if each.is_held_out]
    rules = faults_by_rule(some)
    found = [list(compare(some, rules, ratings_of(some, reader))) for reader in BLIND_READERS]
    return {each[0].score: tuple(each) for each in zip(*found, strict=True)}


def write_agreement(sample: Sequence[RatedReply], page: Path = PAGE) -> None:
    """Store the agreement on the replies held out, and write the table of docs/models.md."""
    held_out = agreements_held_out(sample)
    store_agreements(held_out)
    seen = [each for each in sample if not each.is_held_out]
    rules = faults_by_rule(seen)
    columns = [
        "score",
        *(f"seen: κ with {reader}" for reader in BLIND_READERS),
        "held out: found by rule, by B, by C",
        *(f"held out: κ with {reader}" for reader in BLIND_READERS),
        "all: κ of B with C",
        "verdict",
    ]
    known = [list(compare(seen, rules, ratings_of(seen, reader))) for reader in BLIND_READERS]
    readers = compare(sample, *(ratings_of(sample, reader) for reader in BLIND_READERS))
    rows = []
    for both, (score, found), again in zip(
        zip(*known, strict=True), held_out.items(), readers, strict=True
    ):
        counts = ", ".join(
            str(each) for each in (found[0].by_rule, *(each.by_reader for each in found))
        )
        rows.append(
            (
                score_name(score),
                *map(kappa_in_words, both),
                counts,
                *map(kappa_in_words, found),
                kappa_in_words(again),
                "measured" if is_measured(found) else "not measured",
            )
        )
    table = "\n".join(format_table(columns, rows))
    page.write_text(with_table(page.read_text("utf-8"), "agreement of rules", table), "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
