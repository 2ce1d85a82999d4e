"""The summary of a run, read from its database."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.cli.texts import Text
from hometown.history.loops import loops
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.memory.concept import MEMORY_TYPES
from hometown.memory.type_names import FILE
from hometown.model.stats import seconds_lived, sum_counts
from hometown.prompt.errand_matching import STEPS
from hometown.prompt.tasks import DECOMPOSE
from hometown.storage.run import RunFile
from hometown.text import catalogue

NAMED = 50
"""The maximum number of residents that a summary names."""

REPETITIONS = 5
"""The maximum number of repetitions in a summary."""

MENDINGS = 6
"""The maximum number of repairs by kind and rule in a summary."""

LONGEST = 60
"""The printed characters of a repeated text."""


def print_summary(run: RunFile, text: Text, names: Names) -> None:
    """Print the summary of a run in the user's language; its last line is the digest of the last
    step.
    """
    last, manifest = run.last, run.manifest
    print(f"\n{text('summary', name=manifest.name)}")
    residents = RunReader(run).residents
    print(text("residents", count=len(residents), names=_name_list(residents, names, text)))
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


def _name_list(residents: Sequence[str], names: Names, text: Text) -> str:
    """Return the names of the residents, up to `NAMED`."""
    named = text("and").join(names.person(who) for who in residents[:NAMED])
    return (
        text("and_more", names=named, count=len(residents) - NAMED)
        if len(residents) > NAMED
        else named
    )


def _memories(run: RunFile, text: Text) -> str:
    counts: dict[str, int] = dict(
        run.database.execute("SELECT type, count(*) FROM memories GROUP BY type")
    )
    names = catalogue(text.lang, FILE)
    types = text("and").join(
        text("memories_of_type", count=counts.get(kind, 0), names=names[kind])
        for kind in MEMORY_TYPES
    )
    return text("memories", count=sum(counts.values()), types=types)


def _calls(run: RunFile, text: Text) -> str:
    """Return the lines about calls and their replies, about tokens if any were counted, and about
    fallbacks by kind.
    """
    count, tokens = _counts(
        run, "SELECT count(*), coalesce(sum(prompt_tokens + reply_tokens), 0) FROM calls"
    )
    replies = RunReader(run).replies()
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
        text("calls", count=count, requests=replies.requests, tokens=tokens),
        text("replies", raw=replies.raw, corrected=replies.corrected, unusable=replies.unusable),
        *_tokens(run, text),
        text("fallbacks", count=fallbacks, share=share, kinds=named),
    ]
    return "\n".join(lines)


def _tokens(run: RunFile, text: Text) -> list[str]:
    """Return the lines about tokens, as servers counted them, and about unused calls, if any."""
    total = sum_counts(run.stats())
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


def _routines(run: RunFile, text: Text) -> str:
    """Return the line about entries of the schedule that were repeated from an earlier day, with
    their share of all entries that are not done by rule.
    """
    reused = sum_counts(run.stats()).reused
    (asked,) = _counts(
        run, f"SELECT count(*) FROM calls WHERE kind IN ('{DECOMPOSE.kind}', '{STEPS.kind}')"
    )
    return text("reused", count=reused, share=f"{reused / (reused + asked) if reused else 0:.1%}")


def _mendings(run: RunReader, text: Text) -> str:
    """Return the line about repaired replies, with the most frequent kinds and rules."""
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


def _society(run: RunFile, names: Names, text: Text) -> list[str]:
    """Return the lines about a society, in a town that has one."""
    if names.world is None or names.world.book is None:
        return []
    from hometown.cli.society_summary import describe_society

    return describe_society(run, names, names.world, names.world.book, text)


def _repetitions(run: RunFile, names: Names, text: Text) -> list[str]:
    """Return a line for each of the residents with the most repetitions."""
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


def _counts(run: RunFile, query: str) -> tuple[int, ...]:
    row: tuple[int, ...] = run.database.execute(query).fetchone()
    return row
