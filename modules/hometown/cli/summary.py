"""The summary of a run, read from its database."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.cli.texts import Text
from hometown.history.call_counts import count_mendings, count_replies
from hometown.history.held_goods import town_at
from hometown.history.loops import loops
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.memory.concept import MEMORY_TYPES
from hometown.memory.type_names import counted_type_name
from hometown.model.stats import seconds_lived, sum_counts
from hometown.prompt.errand_matching import STEPS
from hometown.prompt.mending import MENDING_NAMES
from hometown.prompt.tasks import DECOMPOSE
from hometown.storage.run import RunFile
from hometown.text import N_, excerpt, ngettext, npgettext

REPETITION_LINES = {
    "line": N_("repetition     {name} said {times} times: {text}"),
    "activity": N_("repetition     {name} began {times} times in a row: {text}"),
    "thought": N_("repetition     {name} thought {times} times: {text}"),
}

NAMED = 50
"""The maximum number of residents that a summary names."""

REPETITIONS = 5
"""The maximum number of repetitions in a summary."""

MENDINGS = 6
"""The maximum number of repairs by kind and rule in a summary."""

LONGEST = 60
"""The maximum number of printed characters of a repeated text."""


def print_summary(run: RunFile, text: Text, names: Names) -> None:
    """Print the summary of a run in the user's language; its last line is the digest of the last
    step.
    """
    last, manifest = run.last, run.manifest
    print("\n" + text("Summary of {name}", name=manifest.name))
    residents = RunReader(run).residents
    print(
        text(
            "residents      {count}: {names}",
            count=len(residents),
            names=_name_list(residents, names, text),
        )
    )
    print(_memories(run, text))
    print(_conversations(run, text))
    print(_calls(run, text))
    if manifest.settings.thrift.routines_reused:
        print(_routines(run, text))
    print(_mendings(RunReader(run), text))
    for line in (*_society(run, names, text), *_repetitions(run, names, text)):
        print(line)
    begun, now = f"{manifest.start:%Y-%m-%d %H:%M}", f"{last.time:%Y-%m-%d %H:%M}"
    print(
        text(
            ngettext(
                "time           {start} to {now}, {count} step in {seconds} s",
                "time           {start} to {now}, {count} steps in {seconds} s",
                last.step,
                start=begun,
                now=now,
                seconds=f"{seconds_lived(run.stats()):.1f}",
            )
        )
    )
    print(text("run            {file}", file=run.file))
    print(text("digest {digest}", digest=last.digest))


def count_conversations(run: RunFile) -> tuple[int, ...]:
    """Return the number of a run's conversations, and that of their lines."""
    return _counts(
        run, "SELECT count(*), coalesce(sum(json_array_length(lines)), 0) FROM conversations"
    )


def _conversations(run: RunFile, text: Text) -> str:
    conversations, lines = count_conversations(run)
    return text(
        ngettext(
            "conversations  {conversations}, {count} line",
            "conversations  {conversations}, {count} lines",
            lines,
            conversations=conversations,
        )
    )


def _name_list(residents: Sequence[str], names: Names, text: Text) -> str:
    """Return the names of the residents, the first `NAMED` and the number of the others."""
    named = text(", ").join(names.person(who) for who in residents[:NAMED])
    return (
        text("{names} and {count} more", names=named, count=len(residents) - NAMED)
        if len(residents) > NAMED
        else named
    )


def _memories(run: RunFile, text: Text) -> str:
    counts: dict[str, int] = dict(
        run.database.execute("SELECT type, count(*) FROM memories GROUP BY type")
    )
    types = text(", ").join(
        text("{count} {names}", count=count, names=counted_type_name(kind, count, text.lang))
        for kind in MEMORY_TYPES
        for count in [counts.get(kind, 0)]
    )
    return text("memories       {count}: {types}", count=sum(counts.values()), types=types)


def _calls(run: RunFile, text: Text) -> str:
    """Return the lines about calls and their replies, about tokens if any were counted, and about
    fallbacks by kind.
    """
    count, tokens = _counts(
        run, "SELECT count(*), coalesce(sum(prompt_tokens + reply_tokens), 0) FROM calls"
    )
    replies = count_replies(run.database)
    kinds: dict[str, int] = dict(
        run.database.execute(
            "SELECT kind, count(*) FROM calls WHERE outcome = 'fallback' GROUP BY kind ORDER BY 2 DESC, 1"
        )
    )
    fallbacks = sum(kinds.values())
    named = (
        text(
            ": {kinds}", kinds=text(", ").join(f"{kind} {number}" for kind, number in kinds.items())
        )
        if kinds
        else ""
    )
    share = f"{fallbacks / count if count else 0:.1%}"
    lines = [
        text(
            ngettext(
                "model calls    {calls}, in {requests}, {count} token",
                "model calls    {calls}, in {requests}, {count} tokens",
                tokens,
                calls=count,
                requests=ngettext("{count} request", "{count} requests", replies.requests),
            )
        ),
        text(
            "replies        {raw} used as they came, {corrected} mended, {unusable} unusable",
            raw=replies.raw,
            corrected=replies.corrected,
            unusable=replies.unusable,
        ),
        *([_trials(replies.trials, text)] if replies.trials else []),
        *_tokens(run, text),
        text("fallbacks      {count} ({share}){kinds}", count=fallbacks, share=share, kinds=named),
    ]
    return "\n".join(lines)


def _trials(count: int, text: Text) -> str:
    return text(
        ngettext(
            "trials         {count} request, to find out how the model is asked",
            "trials         {count} requests, to find out how the model is asked",
            count,
        )
    )


def _tokens(run: RunFile, text: Text) -> list[str]:
    """Return the lines about tokens, as servers counted them, and about unused calls, if any."""
    total = sum_counts(run.stats())
    unused = (
        [
            text(
                "made ahead     {calls}, {tokens}",
                calls=ngettext("{count} unused call", "{count} unused calls", total.unused),
                tokens=npgettext(
                    "progress", "{count} token", "{count} tokens", total.unused_tokens
                ),
            )
        ]
        if total.unused
        else []
    )
    if not total.prompt_tokens:
        return unused
    rates = (
        text(
            " ({reading} read and {writing} written a second)",
            reading=f"{total.reading:.0f}",
            writing=f"{total.writing:.0f}",
        )
        if total.reading and total.writing
        else ""
    )
    return [
        text(
            "tokens         {read} read, {cached} from a cache, {written} written{rates}",
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
    return text(
        ngettext(
            "routines       {count} stretch of a plan done as on an earlier day ({share})",
            "routines       {count} stretches of a plan done as on an earlier day ({share})",
            reused,
            share=f"{reused / (reused + asked) if reused else 0:.1%}",
        )
    )


def _mendings(run: RunReader, text: Text) -> str:
    """Return the line about repaired replies, with the most frequent kinds and rules."""
    found = count_mendings(run.database, 0, run.last_step())
    shown = [
        text(
            "{kind} {count}× {rule}",
            kind=each.kind,
            count=each.count,
            rule=text(MENDING_NAMES.get(each.rule, each.rule)),
        )
        for each in found[:MENDINGS]
    ]
    return text(
        "repairs        {count}{kinds}",
        count=sum(each.count for each in found),
        kinds=text(": {kinds}", kinds=text(", ").join(shown)) if shown else "",
    )


def _society(run: RunFile, names: Names, text: Text) -> list[str]:
    """Return the lines about a society; none in a town without one."""
    reader = RunReader(run)
    world = town_at(reader, names, reader.last_step())
    if world is None or world.book is None:
        return []
    from hometown.cli.society_summary import describe_society

    return describe_society(reader, names, world, world.book, text)


def _repetitions(run: RunFile, names: Names, text: Text) -> list[str]:
    """Return a line for each of the residents with the most repetitions."""
    repetitions = loops(RunReader(run), run.last.step)[:REPETITIONS]
    return [
        text(
            REPETITION_LINES[loop.kind],
            name=names.person(loop.who),
            times=loop.times,
            text=excerpt(loop.text, LONGEST),
        )
        for loop in repetitions
    ]


def _counts(run: RunFile, query: str) -> tuple[int, ...]:
    row: tuple[int, ...] = run.database.execute(query).fetchone()
    return row
