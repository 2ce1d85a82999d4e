"""Lives one day of minitown on a model, and writes a report to share: `make accept MODEL=ollama:qwen3:8b`.

The report is results/accept/<model>.md (<model>.zh-CN.md for a Chinese town). A day that was interrupted goes on;
one that is over is only reported again.
"""

from __future__ import annotations

import platform
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

from modules import __version__
from modules.cli import start
from modules.cli.command import Parser, guarded
from modules.cli.text import locale_language
from modules.model.calls import Call
from modules.model.language import COMPLAINT
from modules.paths import RESULTS
from modules.replay.markdown import heading, plain, table
from modules.replay.names import Names, model_name
from modules.replay.reader import RunReader
from modules.storage.names import file_of
from modules.text import catalogue
from modules.world.effects import Promised
from modules.world.rows import Promise
from modules.world.talk import Talk
from modules.world.world import LANGS, Lang

WORLD, UNTIL = "minitown", "24:00"
SAMPLES = 3


def main(argv: list[str]) -> int:
    """The exit code of the day; whatever was lived is reported."""
    return guarded(lambda: _main(argv), locale_language())


def _main(argv: list[str]) -> int:
    parser = Parser("accept.py", "Lives one day of minitown on a model and writes a report to share.", "en")
    parser.add_argument("--llm", metavar="MODEL", required=True)
    parser.add_argument("--lang", choices=LANGS, default=locale_language())
    parser.add_argument("--embedding", metavar="MODEL", default="hash")
    parser.add_argument("--until", metavar="HH:MM", default=UNTIL)
    parser.add_argument("--results", metavar="FOLDER", type=Path, default=RESULTS)
    said = parser.parse(argv)
    name = run_name(said.llm, said.lang)
    begun = ["--resume"] if file_of(said.results, name).exists() else ["--world", WORLD, "--until", said.until]
    town = ["--lang", said.lang, "--llm", said.llm, "--embedding", said.embedding, "--results", str(said.results)]
    code = start.main(["--name", name, *begun, *town])
    if file_of(said.results, name).exists():
        path = report_path(said.results, said.llm, said.lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        with RunReader.open(said.results, name) as run:
            path.write_text("\n".join(Report(run).lines()) + "\n", "utf-8")
        print(path)
    return code


def file_word(model: str) -> str:
    """A model's name as part of a file's.

    >>> file_word("ollama:qwen3:8b"), file_word("huggingface:/models/Qwen3-4B")
    ('ollama-qwen3-8b', 'huggingface-models-Qwen3-4B')
    """
    return re.sub(r"[^\w.]+", "-", model).strip("-.")


def run_name(model: str, lang: Lang) -> str:
    """The run's name: the end of a long model's name tells more than its beginning."""
    return f"accept-{file_word(model)[-50:]}-{lang}"


def report_path(results: Path, model: str, lang: Lang) -> Path:
    return results / "accept" / (file_word(model) + (".zh-CN.md" if lang == "zh" else ".md"))


class Report:
    """How one model did, as Markdown in the run's language. Nothing in it tells where it ran."""

    def __init__(self, run: RunReader) -> None:
        self.run, self.manifest = run, run.manifest
        self.names = Names.of(run.manifest)
        self.last = run.last_step()
        self.calls = list(run.run.calls())
        self.talks = run.talks(0, self.last)
        self.words = catalogue(run.manifest.lang, "accept")

    def lines(self) -> Iterator[str]:
        """The whole report."""
        yield heading(1, plain(self._say("title", model=model_name(self.manifest))))
        yield ""
        yield from table([self.words["figure"], self.words["value"]], self._figures())
        yield from ("", heading(2, self.words["by_prompt"]), "")
        yield from table(self.words["prompt_columns"].split("|"), self._by_prompt())
        yield from ("", heading(2, self.words["talks"]))
        for talk in samples(self.talks):
            yield from self._talk(talk)

    def _say(self, key: str, **values: object) -> str:
        return self.words[key].format(**values)

    def _figures(self) -> Iterator[tuple[str, str]]:
        manifest, calls = self.manifest, self.calls
        seconds = sum(sum(one.get("milliseconds", {}).values()) for one in self.run.run.stats()) / 1000
        written = sum(call.reply_tokens for call in calls)
        due, kept = self._promises()
        yield self.words["town"], f"{manifest.world}, {len(manifest.residents)}, {manifest.lang}, {manifest.embedding}"
        yield self.words["lived"], self._say("steps", last=self.last, planned=self.run.planned_end(), minutes=f"{seconds / 60:.1f}")
        yield self.words["calls"], f"{len(calls)}"
        yield self.words["tokens"], self._say("both_tokens", read=sum(call.prompt_tokens for call in calls), written=written)
        yield self.words["rate"], f"{written / max(seconds, 1e-9):.1f}"
        for outcome in ("retried", "fallback"):
            yield self.words[outcome], share(sum(call.outcome == outcome for call in calls), len(calls))
        yield self.words["drift"], share(sum(map(drifted, calls)), len(calls))
        lines = [line.text for talk in self.talks for line in talk.lines]
        yield self.words["talks"], self._say("talks_held", talks=len(self.talks), lines=len(lines))
        yield self.words["repeated"], share(repeats(lines), len(lines))
        yield self.words["stuck"], share(sum(talk.ended_by == "repetition" for talk in self.talks), len(self.talks))
        yield self.words["honoured"], share(kept, due)
        yield self.words["versions"], f"Hometown {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"

    def _by_prompt(self) -> Iterator[tuple[str, ...]]:
        for kind in sorted({call.kind for call in self.calls}):
            calls = [call for call in self.calls if call.kind == kind]
            outcomes = Counter(call.outcome for call in calls)
            wrong = Counter(attempt.error for call in calls for attempt in call.attempts if attempt.error)
            usual = wrong.most_common(1)[0][0][:80] if wrong else ""
            ms = sum(call.ms for call in calls) / len(calls)
            yield kind, f"{len(calls)}", f"{outcomes['retried']}", f"{outcomes['fallback']}", f"{sum(map(drifted, calls))}", f"{ms:.0f}", plain(usual)

    def _promises(self) -> tuple[int, int]:
        """How many agreements were due by the end of the run, and at how many of them those who agreed met."""
        made = {
            (one.talk, one.what, one.start): one
            for one in chain.from_iterable(logged.effect.promises.items for _, logged in self.run.run.effects() if isinstance(logged.effect, Promised))
        }
        end = self.run.moment(self.last)
        due = [one for one in made.values() if one.start + timedelta(minutes=one.minutes) <= end]
        return len(due), sum(map(self._met, due))

    def _met(self, promise: Promise) -> bool:
        """Whether all who agreed were at one place, the one that was named if any was, as some step within the time began."""
        return any(self._together(step, promise) for step in range(1, self.last + 1) if within(self.run.moment(step - 1), promise))

    def _together(self, step: int, promise: Promise) -> bool:
        if self.names.world is None:
            return False
        tiles = self.run.positions(step)
        places = {self.names.world.maze.arena_at(tiles[who]) for who in promise.people}
        return len(places) == 1 and promise.address in ("", *places)

    def _talk(self, talk: Talk) -> Iterator[str]:
        opener, partner = self.names.person(talk.opener), self.names.person(talk.partner)
        yield ""
        yield heading(3, plain(f"{talk.started:%H:%M}, {opener} – {partner}, {self.names.place(talk.address)}"))
        yield ""
        for line in talk.lines:
            yield f"- **{plain(self.names.person(line.speaker))}**: {plain(line.text)}"
        yield ""
        yield f"*{plain(talk.summary)}*"


def within(moment: datetime, promise: Promise) -> bool:
    return promise.start <= moment <= promise.start + timedelta(minutes=promise.minutes)


def samples(talks: Sequence[Talk]) -> list[Talk]:
    """Some talks from all over the day, not chosen for their beauty: the first, the middle and the last."""
    if len(talks) <= SAMPLES:
        return list(talks)
    return [talks[at * (len(talks) - 1) // (SAMPLES - 1)] for at in range(SAMPLES)]


def drifted(call: Call) -> bool:
    """Whether a reply to this call came in the wrong language."""
    return any(complaint in attempt.error for attempt in call.attempts for complaint in COMPLAINT.values())


def repeats(lines: Sequence[str]) -> int:
    """How many lines had been said before, word for word."""
    return len(lines) - len({" ".join(line.split()).casefold() for line in lines})


def share(part: int, whole: int) -> str:
    """
    >>> share(1, 8), share(0, 0)
    ('1 / 8 (12.5%)', '0')
    """
    return f"{part} / {whole} ({part / whole:.1%})" if whole else "0"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
