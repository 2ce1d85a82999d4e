"""The summary of a run, read from its database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hometown.agent.telling import Telling
from hometown.cli.text import Text
from hometown.history.hardship import hardship
from hometown.history.loops import loops
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.memory.concept import MEMORY_TYPES
from hometown.model.stats import recorded, seconds_lived
from hometown.prompt.doing import DECOMPOSE
from hometown.prompt.working import STEPS
from hometown.storage.run import Run
from hometown.text import catalogue

NAMED = 50
"""Residents who are named in a summary at most."""

REPETITIONS = 5
"""Residents that repeat themselves, in a summary at most."""

MENDINGS = 6
"""Kinds of prompt and rules in a summary, at most."""

LONGEST = 60
"""Characters of a repeated text that are printed."""


def print_summary(run: Run, text: Text, worlds: Path) -> None:
    """Prints the summary; its last line is the digest of the last step. `worlds` is where the names
    are looked up.
    """
    last, manifest, names = run.last, run.manifest, Names.of(run, worlds)
    print(f"\n{text('summary', name=manifest.name)}")
    residents = RunReader(run).residents
    print(text("residents", count=len(residents), names=_named(residents, names, text)))
    print(_memories(run, text))
    conversations, lines = _counts(
        run, "SELECT count(*), coalesce(sum(json_array_length(lines)), 0) FROM conversations"
    )
    print(text("conversations", count=conversations, lines=lines))
    print(_calls(run, text))
    if manifest.settings.thrift.routines_reused:
        print(_routines(run, text))
    print(_mendings(RunReader(run), text))
    for line in (*_society(run, names, text), *_repetitions(run, names, text)):
        print(line)
    begun, now = f"{manifest.start:%Y-%m-%d %H:%M}", f"{last.time:%Y-%m-%d %H:%M}"
    print(
        text(
            "time",
            start=begun,
            now=now,
            steps=last.step,
            seconds=f"{seconds_lived(run.stats()):.1f}",
        )
    )
    print(text("file", file=run.file))
    print(text("digest", digest=last.digest))


def _named(residents: Sequence[str], names: Names, text: Text) -> str:
    """The residents by name, as many as one reads."""
    named = text("and").join(names.person(who) for who in residents[:NAMED])
    return (
        text("and_more", names=named, count=len(residents) - NAMED)
        if len(residents) > NAMED
        else named
    )


def _memories(run: Run, text: Text) -> str:
    counts: dict[str, int] = dict(
        run.database.execute("SELECT type, count(*) FROM memories GROUP BY type")
    )
    types = text("and").join(text(kind, count=counts.get(kind, 0)) for kind in MEMORY_TYPES)
    return text("memories", count=sum(counts.values()), types=types)


def _calls(run: Run, text: Text) -> str:
    """The calls, what was read and written if any of it was counted, and how many calls had to fall
    back, by kind: a line each.
    """
    count, tokens = _counts(
        run, "SELECT count(*), coalesce(sum(prompt_tokens + reply_tokens), 0) FROM calls"
    )
    (retried,) = _counts(run, "SELECT count(*) FROM calls WHERE outcome = 'retried'")
    kinds: dict[str, int] = dict(
        run.database.execute(
            "SELECT kind, count(*) FROM calls WHERE outcome = 'fallback' GROUP BY kind ORDER BY 2 DESC, 1"
        )
    )
    fallbacks = sum(kinds.values())
    named = (
        text("kinds", kinds=text("and").join(f"{kind} {number}" for kind, number in kinds.items()))
        if kinds
        else ""
    )
    share = f"{fallbacks / count if count else 0:.1%}"
    lines = [
        text("calls", count=count, retried=retried, tokens=tokens),
        *_tokens(run, text),
        text("fallbacks", count=fallbacks, share=share, kinds=named),
    ]
    return "\n".join(lines)


def _tokens(run: Run, text: Text) -> list[str]:
    """Tokens as servers counted them, with their own speed, if any prompt was counted, and calls
    that were made ahead for nothing, if any were.
    """
    total = recorded(run.stats())
    unused = (
        [text("unused", count=total.unused, tokens=total.unused_tokens)] if total.unused else []
    )
    if not total.prompt_tokens:
        return unused
    rates = (
        text("rates", reading=f"{total.reading:.0f}", writing=f"{total.writing:.0f}")
        if total.reading and total.writing
        else ""
    )
    return [
        text(
            "tokens",
            read=total.read_tokens,
            cached=total.cached_tokens,
            written=total.reply_tokens,
            rates=rates,
        ),
        *unused,
    ]


def _routines(run: Run, text: Text) -> str:
    """How many entries of the schedule were done as on an earlier day, and their share of all that
    were not done by rule.
    """
    reused = recorded(run.stats()).reused
    (asked,) = _counts(
        run, f"SELECT count(*) FROM calls WHERE kind IN ('{DECOMPOSE.kind}', '{STEPS.kind}')"
    )
    return text("reused", count=reused, share=f"{reused / (reused + asked) if reused else 0:.1%}")


def _mendings(run: RunReader, text: Text) -> str:
    """How many replies were mended, and the most frequent kinds and rules."""
    found, rules = run.mendings(0, run.last_step()), catalogue(text.lang, "mending")
    shown = [
        text("mending", kind=each.kind, count=each.count, rule=rules.get(each.rule, each.rule))
        for each in found[:MENDINGS]
    ]
    return text(
        "mended",
        count=sum(each.count for each in found),
        kinds=text("kinds", kinds=text("and").join(shown)) if shown else "",
    )


def _society(run: Run, names: Names, text: Text) -> list[str]:
    """How residents of a society fared, and what became of the work that they thought of: a line
    each.
    """
    reader, world = RunReader(run), names.world
    book = world.book if world else None
    if not world or not book:
        return []
    fared, work = hardship(reader, book, run.last.step), spoken_work(reader, book, run.last.step)
    fallen, missed = (
        text("and").join(map(names.person, fared.collapsed)),
        text("and").join(work.in_words(Telling(world))),
    )
    return [
        text(
            "needs",
            lows=text("and").join(fared.in_words(book, world.lang)),
            collapsed=text("collapsed", names=fallen) if fallen else text("nobody_collapsed"),
        ),
        text(
            "errands",
            count=work.errands,
            share=f"{work.share:.1%}",
            missed=text("kinds", kinds=missed) if missed else "",
        ),
    ]


def _repetitions(run: Run, names: Names, text: Text) -> list[str]:
    """The residents who repeat themselves most, one line each."""
    repetitions = loops(RunReader(run), run.last.step)[:REPETITIONS]
    return [
        text(
            f"repeats_{loop.kind}",
            name=names.person(loop.who),
            times=loop.times,
            text=_short(loop.text),
        )
        for loop in repetitions
    ]


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"


def _counts(run: Run, query: str) -> tuple[int, ...]:
    row: tuple[int, ...] = run.database.execute(query).fetchone()
    return row
