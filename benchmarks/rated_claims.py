"""Compare the rules of the table of beliefs with a reader: `python -m benchmarks.rated_claims`.

The sample (`data/bench/claims.jsonl.xz`) holds spoken lines, and residents with some of their
memories, of runs that the rules were not made with, each with a claim: half of them mention it by
the rules, the others are those that share the most words with it.

`--draw FOLDER NAME …` draws the sample anew from the runs of a folder, without ratings.
`--booklet FOLDER` writes it for a reader, without the verdicts of the rules. `--add READER ANSWERS`
stores a reader's answers, a line `NUMBER ANSWER` for each item. `--table` writes the table of
docs/science.md.
"""

from __future__ import annotations

import argparse
import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from random import Random

from pydantic import TypeAdapter

from benchmarks.claim_items import (
    ClaimItem,
    ShownMemory,
    draw_items,
    is_known_answer,
    judge_by_rule,
)
from benchmarks.minds_table import with_table
from hometown.bench.items import BENCH
from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.markdown import format_table
from hometown.paths import DATA
from hometown.storage.run import RunFile
from hometown.world.conversation import Line

SAMPLE = BENCH / "claims.jsonl.xz"
PAGE = DATA.parent / "docs" / "science.md"

PER_QUESTION = 100
"""Number of items of each kind in each language."""

PER_CLAIM = 15
"""Largest number of items of a kind beside one claim, of those that mention it and of the others."""

RESAMPLES = 1000
"""Samples from which an interval is computed."""

LEAST_KAPPA = 0.7
"""Cohen's κ from which a rule counts as good."""

QUESTIONS = {"line": "a line asserts, denies", "resident": "from whom"}
"""The questions to a reader, by the kind of an item."""

COLUMNS = ["question", "language", "reader", "equal answers", "κ", "0.7"]

INTRODUCTION = """\
# Claims ({lang})

A file of answers has one line for each item: its number, a space, and the answer, as in `17 asserts`.

**Line**: somebody says the line that is marked with `>`, in a conversation whose lines before it are
shown. Answer with one word:

- `asserts`: a listener who had never heard of the claim would learn from this line, in its context,
  that there is such a thing. The wording may be another, and a detail may differ or be missing.
- `denies`: the line is about the claim, and says that it is not so, doubts it, or says that the
  speaker knows nothing of it.
- `no`: the line is not about the claim, or tells nothing of it, such as a question that only repeats
  what another has just said.

**Resident**: some of a resident's memories are shown, in order of time. If one comes from a
conversation, the lines that they heard in it follow. From whom did they first learn of the claim, as
far as these memories show? Answer with one word:

- the id of a person, as it stands before the lines or in the list: the first other person who told
  them of it, or whose words they overheard or read.
- `nobody`: a memory is about the claim, but nobody told them: they knew it before the first day, saw
  it, thought or did it themselves, or brought it up themselves.
- `no`: none of the memories is about the claim.
"""


@frozen
class RatedClaim:
    """An item of the sample, with the answers of readers."""

    item: ClaimItem
    ratings: dict[str, str]


_RATED = TypeAdapter(RatedClaim)


def main(argv: Sequence[str]) -> int:
    """Print the agreement of rules and readers, or draw a sample, write it, or add ratings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rated_claims", description=__doc__)
    parser.add_argument("--draw", nargs="+", metavar="FOLDER NAME", help="draw a new sample")
    parser.add_argument("--booklet", type=Path, metavar="FOLDER", help="write the booklets")
    parser.add_argument("--add", nargs=2, metavar=("READER", "ANSWERS"), help="store answers")
    parser.add_argument("--lang", choices=("en", "zh"), help="language of the answers")
    parser.add_argument("--table", action="store_true", help="write the table of docs/science.md")
    given = parser.parse_args(argv)
    if given.draw:
        write_sample(draw_sample([Path(run) for run in given.draw]))
    sample = read_sample()
    if given.booklet:
        for lang in ("en", "zh"):
            write_booklet(given.booklet / f"claims_{lang}.md", items_of(sample, lang), lang)
    if given.add:
        reader, answers = given.add
        sample = add_ratings(sample, given.lang, reader, Path(answers))
        write_sample(sample)
    if given.table:
        write_agreement(sample)
    print(*agreement_table(sample), sep="\n")
    return 0


def draw_sample(runs: Sequence[Path]) -> list[RatedClaim]:
    """Return `PER_QUESTION` items of each kind in each language, drawn from runs, which are given by
    the folders of their databases.
    """
    drawn: list[ClaimItem] = []
    for folder in runs:
        with RunFile.open(folder.parent.parent, folder.name) as file:
            run = RunReader(file)
            drawn += draw_items(run, Names.of(run))
    draw = Random(1)
    return [
        RatedClaim(item, {})
        for lang in ("en", "zh")
        for kind in ("line", "resident")
        for item in _balance(
            [each for each in drawn if (each.lang, each.kind) == (lang, kind)], draw
        )
    ]


def _balance(items: Sequence[ClaimItem], draw: Random) -> list[ClaimItem]:
    """Return `PER_QUESTION` items: half of them mention their claim, if there are as many, in equal
    parts of each verdict; the rest are the most similar of the others. No line of a speaker
    stands twice beside one claim.
    """
    unique = list({(each.claim, each.who, each.text): each for each in items}.values())
    draw.shuffle(unique)
    verdicts = defaultdict[str, list[ClaimItem]](list)
    for item in sorted(unique, key=lambda item: -item.shared):
        verdict = judge_by_rule(item)
        verdicts["told" if verdict in item.residents else verdict].append(item)
    others = _limit(verdicts.pop("no", []))
    groups = [_limit(group) for group in verdicts.values()]
    turns = [item for each in zip_longest(*groups) for item in each if item is not None]
    chosen = turns[: PER_QUESTION // 2]
    chosen += others[: PER_QUESTION - len(chosen)]
    draw.shuffle(chosen)
    return chosen


def _limit(items: Iterable[ClaimItem]) -> list[ClaimItem]:
    """Return the first `PER_CLAIM` items beside each claim."""
    count = Counter[str]()
    kept = []
    for item in items:
        count[item.claim] += 1
        if count[item.claim] <= PER_CLAIM:
            kept.append(item)
    return kept


def read_sample(file: Path = SAMPLE) -> list[RatedClaim]:
    """Return the rated claims, in a fixed order."""
    return [
        _RATED.validate_json(row) for row in lzma.decompress(file.read_bytes()).splitlines() if row
    ]


def write_sample(sample: Sequence[RatedClaim], file: Path = SAMPLE) -> None:
    """Write the rated claims; the same claims give the same bytes."""
    rows = [_RATED.dump_json(each) for each in sample]
    file.write_bytes(lzma.compress(b"\n".join(rows), preset=9))


def items_of(sample: Sequence[RatedClaim], lang: Lang) -> list[RatedClaim]:
    """Return the items in a language."""
    return [each for each in sample if each.item.lang == lang]


def write_booklet(file: Path, items: Sequence[RatedClaim], lang: Lang) -> None:
    """Write the items for a reader, without verdicts."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pages = [f"## {number}\n\n{_show_item(each.item)}" for number, each in enumerate(items, 1)]
    people = sorted({who for each in items for who in each.item.residents})
    intro = f"{INTRODUCTION.format(lang=lang)}\nIds: {', '.join(people)}"
    file.write_text("\n\n".join([intro, *pages]) + "\n", "utf-8")


def _show_item(item: ClaimItem) -> str:
    """Return an item as a reader sees it."""
    known = f" (one who knew it at the start: *{item.known}*)" if item.known else ""
    claim = f"Claim: *{item.claim}*{known}"
    if item.kind == "line":
        return f"**Line.** {claim}\n\n{_list_lines(item.lines)}> {item.who}: {item.text}"
    shown = [_show_memory(item, memory) for memory in item.memories]
    return "\n\n".join([f"**Resident** {item.who}. {claim}", *shown])


def _show_memory(item: ClaimItem, memory: ShownMemory) -> str:
    """Return a memory with its source, as far as the run records it."""
    since = "before the first day" if memory.step == 0 else f"step {memory.step}"
    is_of_other = memory.subject != item.who and memory.subject in item.residents
    source = f"; perceived: what {memory.subject} does or says" if is_of_other else ""
    heard = f"\n\nHeard in its conversation:\n\n{_list_lines(memory.lines)}" if memory.lines else ""
    return f"> {memory.text} ({memory.type}, {since}{source}){heard}"


def _list_lines(lines: Sequence[Line]) -> str:
    """Return the lines of a conversation as a list."""
    return "".join(f"- {line.speaker}: {line.text}\n" for line in lines)


def add_ratings(
    sample: Sequence[RatedClaim], lang: Lang, reader: str, answers: Path
) -> list[RatedClaim]:
    """Return the sample with a reader's answers for a language.

    Raises:
        ValueError: an item has no answer, or one that it cannot have.
    """
    rows = re.findall(r"^\s*(\d+)[\s.:]+(\S+)", answers.read_text("utf-8"), re.MULTILINE)
    given = {int(number): answer.strip("`*") for number, answer in rows}
    items = items_of(sample, lang)
    missing = [number for number in range(1, len(items) + 1) if number not in given]
    wrong = [
        f"{number} {given[number]}"
        for number, each in enumerate(items, 1)
        if number in given and not is_known_answer(each.item, given[number])
    ]
    if missing or wrong:
        raise ValueError(f"{answers}: no answer for {missing}, not possible: {wrong}")
    rated = iter(given[number] for number in range(1, len(items) + 1))
    return [
        replace(each, ratings=each.ratings | {reader: next(rated)})
        if each.item.lang == lang
        else each
        for each in sample
    ]


def kappa_of(pairs: Sequence[tuple[str, str]]) -> float:
    """Return Cohen's κ of two raters' answers (Cohen 1960); 1 if all are one and the same.

    >>> kappa_of([("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")])
    0.5
    """
    answers = {answer for pair in pairs for answer in pair}
    count = len(pairs)
    equal = sum(one == other for one, other in pairs) / count
    chance = sum(
        sum(one == answer for one, _ in pairs) * sum(other == answer for _, other in pairs)
        for answer in answers
    ) / (count * count)
    return (equal - chance) / (1 - chance) if chance < 1 else 1.0


def _interval(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Return the interval of 95 % of κ over samples of the items, drawn with replacement."""
    draw = Random(1)
    found = sorted(kappa_of(draw.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    return found[RESAMPLES // 40], found[-1 - RESAMPLES // 40]


def compare_answers(
    sample: Sequence[RatedClaim], lang: Lang, kind: str, reader: str
) -> list[tuple[str, str]]:
    """Return the answers of the rules and of a reader to the items that the reader rated."""
    return [
        (judge_by_rule(each.item), each.ratings[reader])
        for each in sample
        if (each.item.lang, each.item.kind) == (lang, kind) and reader in each.ratings
    ]


def agreement_table(sample: Sequence[RatedClaim]) -> Iterator[str]:
    """Yield the lines of the table of agreement, or the sentence that there is none yet."""
    readers = sorted({reader for each in sample for reader in each.ratings})
    if not readers:
        yield "No reader has judged them yet, so the agreement is not known."
        return
    rows = [
        (question, lang, reader, *_describe_agreement(pairs))
        for lang in ("en", "zh")
        for kind, question in QUESTIONS.items()
        for reader in readers
        if (pairs := compare_answers(sample, lang, kind, reader))
    ]
    yield from format_table(COLUMNS, rows)


def _describe_agreement(pairs: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
    """Return the equal answers, κ with its interval, and whether it is `LEAST_KAPPA` or more."""
    low, high = _interval(pairs)
    kappa = kappa_of(pairs)
    equal = sum(one == other for one, other in pairs)
    return (
        f"{equal} of {len(pairs)}",
        f"{kappa:.2f} ({low:.2f}–{high:.2f})".replace("-", "−"),
        "reached" if kappa >= LEAST_KAPPA else "missed",
    )


def write_agreement(sample: Sequence[RatedClaim], page: Path = PAGE) -> None:
    """Write the table of docs/science.md."""
    table = "\n".join(agreement_table(sample))
    page.write_text(with_table(page.read_text("utf-8"), "agreement about claims", table), "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
