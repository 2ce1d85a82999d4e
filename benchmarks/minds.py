"""Try models on the bench: `python -m benchmarks.minds MODEL… [--prompts N] [--sealed] [--lang LANG]`,
or score replies that are kept elsewhere: `python -m benchmarks.minds --check FILE…`.

`--brief`, the form of three minutes that CI runs, also checks that every prompt names what it asks
for (`obeying_model.py`); `--templates` tries other templates than those of data/prompts.

`--table` writes the table of docs/models.md from the replies that trials have kept; with `--check`,
it scores these files as the replies of the mind `--mind`.

A file of replies has one object a line, with `messages`, `schema` and `reply`. Of each file, the
share of replies is printed that any rule calls faulty, and with `--show` the faults. Models are
tried as by `hometown model try`, several in one table.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.minds_table import (
    keep_scores,
    read_scores,
    score_replies,
    score_trial,
    write_table,
)
from benchmarks.obeying_model import list_bad_prompts
from hometown.bench.model_bench import Trial
from hometown.bench.replies import read_replies
from hometown.bench.rules import faults_of
from hometown.bench.trying import PromptChoice
from hometown.cli.model_trial import try_models
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.errors import BadInput
from hometown.language import LANGS
from hometown.model.llm import Completion, Request
from hometown.paths import RESULTS, TRIALS
from hometown.prompt.render import PROMPT_FOLDER
from hometown.shares import Share


def main(argv: Sequence[str]) -> int:
    """Try models, or check replies, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minds", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--prompts", type=int, default=60, help="number of prompts, 0 for all (60)")
    parser.add_argument("--sealed", action="store_true", help="sealed prompts, too")
    parser.add_argument("--lang", choices=LANGS)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS / TRIALS)
    parser.add_argument("--check", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--show", action="store_true", help="print the faults found by --check")
    parser.add_argument("--brief", action="store_true", help="the form of three minutes")
    parser.add_argument("--templates", type=Path, default=PROMPT_FOLDER, metavar="FOLDER")
    parser.add_argument(
        "--at-least", type=int, metavar="PERCENT", help="least share of all replies to be usable"
    )
    parser.add_argument("--table", action="store_true", help="write the table of docs/models.md")
    parser.add_argument("--mind", default="written by hand", help="who wrote the replies")
    given = parser.parse_args(argv)
    if given.table:
        fill_table(given.results, given.check, given.mind)
        return 0
    try:
        for file in given.check:
            check(file, show=given.show)
    except (BadInput, OSError) as error:
        parser.error(str(error))
    bad = list(list_bad_prompts(given.templates)) if given.brief else []
    for line in bad:
        print(f"{line} usable by the prompt alone")
    if not given.models:
        return int(bool(bad))
    choice = PromptChoice(
        given.prompts, is_brief=given.brief, with_sealed=given.sealed, lang=given.lang
    )
    layers = read_settings(given.config)
    code = try_models(
        given.models,
        choice,
        layers,
        given.results,
        Text("en"),
        given.templates,
        least_overall=given.at_least,
    )
    return max(code, int(bool(bad)))


def check(file: Path, *, show: bool) -> None:
    """Print the share of replies in a file that any rule calls faulty, and that of each rule."""
    found, faulty = Counter[str](), 0
    replies = read_replies(file)
    for number, reply in enumerate(replies, 1):
        faults = faults_of(reply)
        faulty += bool(faults)
        found.update(faults.keys())
        if show and faults:
            print(f"{number} {reply.kind}: {faults}")
    print(f"{file.name}: {len(replies)} replies, faulty {Share(faulty, len(replies))}")
    for name, count in found.most_common():
        print(f"  {name} {Share(count, len(replies))}")


def fill_table(results: Path, files: Sequence[Path], mind: str) -> None:
    """Score all kept replies, store the counts, and write the table."""
    for folder in sorted(results.glob("*/")):
        trial = Trial(Kept(folder.name), results)
        keep_scores(score_trial(trial, folder.name.removeprefix("gguf-").removesuffix(".gguf")))
    replies = [reply for file in files for reply in read_replies(file)]
    keep_scores(score_replies(replies, mind, "0.1"))
    write_table(read_scores())


class Kept:
    """A model of which only the kept replies are used."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Raise an error, as nothing is asked."""
        raise NotImplementedError(self.name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
