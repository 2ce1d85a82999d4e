"""What a run came to, read from its database."""

from __future__ import annotations

from pathlib import Path

from modules.cli.text import Text
from modules.memory.concept import MEMORY_TYPES
from modules.replay.loops import loops
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.storage.run import Run

REPETITIONS = 5
"""Residents that repeat themselves, of whom a summary tells at most."""

LONGEST = 60
"""Characters of what they repeat."""


def print_digests(name: str, results: Path) -> int:
    """Step and digest of every step of a run, a line each, from step 0 on."""
    with Run.open(results, name) as run:
        for step in run.steps():
            print(step.step, step.digest)
    return 0


def print_summary(run: Run, text: Text, worlds: Path) -> None:
    """Who, what and how much; the last line is the digest of the last step. `worlds` is where the names are looked up."""
    last, manifest, names = run.last, run.manifest, Names.of(run.manifest, worlds)
    print(f"\n{text('summary', name=manifest.name)}")
    print(text("residents", count=len(manifest.residents), names=text("and").join(names.person(who) for who in manifest.residents)))
    print(_memories(run, text))
    talks, lines = _counts(run, "SELECT count(*), coalesce(sum(json_array_length(lines)), 0) FROM conversations")
    print(text("conversations", count=talks, lines=lines))
    print(_calls(run, text))
    for line in _repetitions(run, names, text):
        print(line)
    seconds = sum(sum(one.get("milliseconds", {}).values()) for one in run.stats()) / 1000
    begun, now = f"{manifest.start:%Y-%m-%d %H:%M}", f"{last.time:%Y-%m-%d %H:%M}"
    print(text("time", start=begun, now=now, steps=last.step, seconds=f"{seconds:.1f}"))
    print(text("file", file=run.file))
    print(text("digest", digest=last.digest))


def _memories(run: Run, text: Text) -> str:
    counts: dict[str, int] = dict(run.database.execute("SELECT type, count(*) FROM memories GROUP BY type"))
    types = text("and").join(text(kind, count=counts.get(kind, 0)) for kind in MEMORY_TYPES)
    return text("memories", count=sum(counts.values()), types=types)


def _calls(run: Run, text: Text) -> str:
    """Two lines: the calls, and how many of them had to fall back, by kind."""
    count, tokens = _counts(run, "SELECT count(*), coalesce(sum(prompt_tokens + reply_tokens), 0) FROM calls")
    (retried,) = _counts(run, "SELECT count(*) FROM calls WHERE outcome = 'retried'")
    kinds: dict[str, int] = dict(run.database.execute("SELECT kind, count(*) FROM calls WHERE outcome = 'fallback' GROUP BY kind ORDER BY 2 DESC, 1"))
    fallbacks = sum(kinds.values())
    named = text("kinds", kinds=text("and").join(f"{kind} {number}" for kind, number in kinds.items())) if kinds else ""
    share = f"{fallbacks / count if count else 0:.1%}"
    return text("calls", count=count, retried=retried, tokens=tokens) + "\n" + text("fallbacks", count=fallbacks, share=share, kinds=named)


def _repetitions(run: Run, names: Names, text: Text) -> list[str]:
    """Who repeats itself most, a line each."""
    found = loops(RunReader(run), run.last.step)[:REPETITIONS]
    return [text(f"repeats_{one.kind}", name=names.person(one.who), times=one.times, text=_short(one.text)) for one in found]


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"


def _counts(run: Run, query: str) -> tuple[int, ...]:
    row: tuple[int, ...] = run.database.execute(query).fetchone()
    return row
