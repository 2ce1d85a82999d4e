"""The table of docs/models.md: how well minds answer the prompts of the towns. `python -m
benchmarks.minds --table` writes it from the replies that trials have kept.

Only counts are stored (`data/bench/scores.json`), so that the table can be written again where the
replies are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from hometown.bench.items import BENCH, load_items
from hometown.bench.model_bench import Trial, Verdict
from hometown.bench.reader_agreement import measured_scores
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES, faults_of
from hometown.bench.score_tables import RULE_NAMES
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.markdown import format_table, literal
from hometown.paths import ROOT
from hometown.shares import Share

SCORES = BENCH / "scores.json"
PAGE = ROOT / "docs" / "models.md"

SHOWN_RULES = tuple(rule for rule in RULES if rule in measured_scores())
"""The rules that have a column of their own."""


@frozen
class Score:
    """Counts over the replies of a mind in one language.

    Attributes:
        mind: name of the model, or of those who wrote the replies.
        prompts: version of the prompts.
        unmended: replies that the town could use as they came.
        alive: usable replies without a fault.
        faults: replies with a fault, by rule.
        choices: replies that choose as the reference does, and those for which it has a choice.
        spoilt: replies with broken words that the grammar or the mending made; None if unknown.
    """

    mind: str
    lang: Lang
    prompts: str
    replies: int
    unmended: int
    alive: int
    faults: dict[str, int]
    choices: tuple[int, int] = (0, 0)
    spoilt: int | None = None


_SCORES = TypeAdapter(tuple[Score, ...])


def score_trial(trial: Trial, mind: str) -> Iterator[Score]:
    """Yield the scores of the kept replies of a trial, by language."""
    for lang in LANGS:
        verdicts = list(_kept_verdicts(trial, lang))
        if verdicts:
            compared = [each.is_agreeing for each in verdicts if each.is_agreeing is not None]
            yield Score(
                mind,
                lang,
                trial.file.stem,
                len(verdicts),
                sum(each.is_unmended for each in verdicts),
                sum(each.is_alive for each in verdicts),
                dict(sorted(Counter(name for each in verdicts for name in each.faults).items())),
                (sum(compared), len(compared)),
                sum(bool(each.spoilt) for each in verdicts),
            )


def _kept_verdicts(trial: Trial, lang: Lang) -> Iterator[Verdict]:
    kept = trial.kept_texts()
    for item in load_items(lang):
        if item.id in kept:
            yield trial.judge(item, kept[item.id])


def score_replies(replies: Sequence[ScoredReply], mind: str, prompts: str) -> Iterator[Score]:
    """Yield the scores of replies that are kept with their prompts, by language."""
    for lang in LANGS:
        found = [faults_of(reply) for reply in replies if reply.lang == lang]
        if found:
            yield Score(
                mind,
                lang,
                prompts,
                len(found),
                sum("unusable" not in faults for faults in found),
                sum(not faults for faults in found),
                dict(sorted(Counter(name for faults in found for name in faults).items())),
            )


def read_scores(file: Path = SCORES) -> tuple[Score, ...]:
    """Return the stored scores; none if the file is missing."""
    return _SCORES.validate_json(file.read_bytes()) if file.exists() else ()


def keep_scores(scores: Iterable[Score], file: Path = SCORES) -> None:
    """Store scores, in place of those of the same minds, languages and prompts."""
    known: Mapping[tuple[str, str, str], Score] = {
        (each.mind, each.lang, each.prompts): each for each in (*read_scores(file), *scores)
    }
    rows = [asdict(each) for each in known.values()]
    file.write_bytes(orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


def table_of_scores(scores: Sequence[Score]) -> str:
    """Return the scores as a table in Markdown, with intervals."""
    columns = [
        "mind",
        "prompts",
        "replies",
        "usable",
        "without fault",
        *(RULE_NAMES[rule] for rule in SHOWN_RULES),
        "broken words made by grammar or mending",
        "choices as in the reference",
    ]
    rows = [
        (
            literal(f"{each.mind}, {each.lang}"),
            each.prompts,
            str(each.replies),
            *(
                str(Share(count, each.replies))
                for count in (
                    each.unmended,
                    each.alive,
                    *(each.faults.get(rule, 0) for rule in SHOWN_RULES),
                )
            ),
            "–" if each.spoilt is None else str(each.spoilt),
            str(Share(*each.choices)),
        )
        for each in scores
    ]
    return "\n".join(format_table(columns, rows))


def write_table(scores: Sequence[Score], page: Path = PAGE) -> None:
    """Write the table into the page, between its marks."""
    text = with_table(page.read_text("utf-8"), "scores of minds", table_of_scores(scores))
    page.write_text(text, "utf-8")


def with_table(text: str, name: str, table: str) -> str:
    """Return the text of a page with a table in place of the one of that name.

    >>> with_table("<!-- counts -->\\nold\\n<!-- end of counts -->", "counts", "new")
    '<!-- counts -->\\n\\nnew\\n\\n<!-- end of counts -->'
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name.partition(' ')[0]} -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{table}\n\n{end}{rest.split(end)[1]}"
