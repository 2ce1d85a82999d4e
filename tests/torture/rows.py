"""The rows of the table: each does something to runs, and tells how often and with which outcome.
What is lost is raised as Lost.
"""

from __future__ import annotations

from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from benchmarks.soak import soak
from hometown.language import LANGS, Lang
from hometown.world.clones import populate
from hometown.world.load import load_world
from tests.support.any_json import AnyJson
from tests.torture import (
    any_day,
    boundary,
    broken_pictures,
    bursts,
    crash,
    damage,
    edits,
    experiments,
    faults,
    hostile_input,
    llama_bursts,
    llama_files,
    mad,
    network_drives,
    page_sessions,
    pauses,
    read_only,
    routes,
    simulation,
    strangers,
    suspend,
    visitors,
)
from tests.torture import crowd as crowds
from tests.torture.cases import Lost, case
from tests.torture.identities import handled
from tests.torture.interviews import asked

LATENCY = 0.05
"""Seconds that a reply takes on average in the long form."""

MANY, FEW = (200, 2000), (20, 60)
"""Clients and half-open connections, in the long and in the short form."""


@dataclass(frozen=True)
class Scale:
    """An empty folder, the number of the first case, how many cases there are to be, and whether
    time is short.
    """

    folder: Path
    first: int
    count: int
    short: bool


Row = tuple[int, str]
"""How many cases, and their outcome."""


def kills(scale: Scale) -> Row:
    return _kills(scale, crash.TOWN)


def kills_of_a_society(scale: Scale) -> Row:
    return _kills(scale, crash.SOCIETY)


def _kills(scale: Scale, town: tuple[str, ...]) -> Row:
    toll = crash.killed(
        scale.folder, scale.count, scale.first, 0.0 if scale.short else LATENCY, town
    )
    told = f"{_runs(toll.runs)}, {len(toll.ended)} kinds of kill; no kept reply was requested again, and {toll.again} of {toll.requests} that were on their way"
    return toll.kills, told


def kills_of_experiments(scale: Scale) -> Row:
    experiments.lived(scale.folder / "whole")
    toll = experiments.killed(scale.folder, scale.folder / "whole", scale.count, scale.first)
    return (
        toll.kills.total(),
        f"of {toll.experiments} experiments, at {len(toll.kills)} kinds of moment; tables, networks, figures and report are the same bytes",
    )


def stops(scale: Scale) -> Row:
    toll = suspend.suspended(
        scale.folder, scale.count, scale.first, seconds=0.0 if scale.short else LATENCY
    )
    return (
        toll.stops,
        f"of {_runs(toll.runs)} by SIGSTOP, for seconds to days by their clocks; no server was blamed",
    )


def jumps(scale: Scale) -> Row:
    toll = suspend.suspended(
        scale.folder,
        scale.count,
        scale.first,
        seconds=0.0 if scale.short else LATENCY,
        argv=crash.SOCIETY,
        row="jumps",
    )
    return (
        toll.stops,
        f"of the clock, by seconds to years, during {_runs(toll.runs)} of a society; no server was blamed, and nothing was lived differently",
    )


def honest(scale: Scale) -> Row:
    toll = suspend.suspended(scale.folder, scale.count, scale.first, honest=True, seconds=LATENCY)
    return (
        toll.stops,
        f"of {_runs(toll.runs)} by SIGSTOP, for {suspend.PAUSE:g} s where {suspend.PATIENCE:g} s of silence end a run; no server was blamed",
    )


def signals(scale: Scale) -> Row:
    toll = bursts.stopped(scale.folder, scale.count, scale.first, 0.0 if scale.short else LATENCY)
    return toll.bursts, (
        f"bursts of up to {bursts.MOST} signals: {toll.starts} as a process starts, {toll.silent} while a server never answers; all ended, and lost no step"
    )


def llama(scale: Scale) -> Row:
    toll = llama_bursts.stopped(scale.folder, scale.count, scale.first)
    return toll.points.total(), (
        f"bursts of up to {bursts.MOST} signals on SmolLM2 and llama.cpp: {toll.points['load']} as"
        f" it starts; none of {toll.kept} replies was lost, and no process stayed"
    )


def identities(scale: Scale) -> Row:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        toll = handled(scale.folder, scale.count, scale.first)
    return (
        toll.kinds.total(),
        f"runs copied, renamed, restored and linked in {len(toll.kinds)} ways: {toll.lived} lived as named, {toll.refused} refused",
    )


def drives(scale: Scale) -> Row:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        toll = network_drives.carried(scale.folder, scale.count, scale.first)
    return sum(toll.lives.values()), (
        f"lives of {_runs(toll.runs)}, {toll.lives['drive']} on network drives and"
        f" {toll.lives['disk']} on a local disk, {toll.kills.kills} of them killed; no"
        f" write-ahead log on a drive, and {toll.refused} refused there while they had one"
    )


def interviews(scale: Scale) -> Row:
    toll = asked(scale.folder, scale.count, scale.first)
    return (
        toll.total(),
        f"with servers that are dead in {len(toll)} ways; told in lines, and the run was only read",
    )


def gguf(scale: Scale) -> Row:
    toll = llama_files.spoil_files(scale.folder, scale.count, scale.first)
    return toll.kinds.total(), (
        f"GGUF files spoiled in {len(toll.kinds)} ways, {toll.real} of them with llama.cpp itself: {toll.refused} refused in a line, {toll.lived} lived on;"
        " no process stayed"
    )


def worlds(scale: Scale) -> Row:
    toll = simulation.simulated_worlds(scale.folder, scale.count, scale.first)
    return (
        toll.worlds,
        f"lived to their end in {toll.lives} lives, with {sum(toll.faults.values())} faults of {len(toll.faults)} kinds",
    )


def power(scale: Scale) -> Row:
    toll = faults.power_failures(scale.folder, scale.count, scale.first)
    return toll.faults, "moments; what was not synced was dropped, torn and reordered"


def disks(scale: Scale) -> Row:
    toll = faults.call_by_call(scale.folder, faults.TOWN, scale.count, scale.first)
    return (
        toll.faults,
        f"calls to the disk over a whole step failed once each, of {len(faults.KINDS)} kinds; {toll.stopped} stopped the run, and all continued",
    )


def damages(scale: Scale) -> Row:
    original = damage.Original.made(scale.folder / "whole")
    toll = damage.damaged(original, scale.folder / "damaged", scale.count, scale.first)
    told = f"{toll.found} detected, {toll.harmless} harmless, {toll.rescued} recovered, {toll.hopeless} without their step 0; no command fell over"
    return toll.tries, told


def envelopes(scale: Scale) -> Row:
    toll = boundary.odd_envelopes(scale.count, scale.first)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(toll.calls.items()))
    return (
        toll.tried,
        f"of {boundary.names(toll.backends)}, each for ever; calls: {outcomes}; no run ended",
    )


def replies(scale: Scale) -> Row:
    toll = boundary.mad_replies(scale.count, scale.first)
    return (
        toll.tried,
        f"of {boundary.names(toll.backends)}: {toll.usable} were usable, {toll.tried - toll.usable} failed attempts at their call; no run ended",
    )


def towns(scale: Scale) -> Row:
    tried = 0
    for madness in range(scale.first, scale.first + scale.count):
        lang: Lang = "zh" if madness % 3 == 0 else "en"
        with case("towns", madness):
            said = mad.lived(
                scale.folder / str(madness),
                madness,
                steps=12,
                lang=lang,
                share=(0.6, 0.2, 1.0)[madness % 3],
                residents=3,
            ).said
        tried += sum(said.values())
    return tried, f"mad replies, lived with by {scale.count} towns, whose laws hold"


def any_json(scale: Scale) -> Row:
    calls = 0
    for lang in LANGS:
        village = load_world("ville", lang)
        cast = populate(village, list(village.personas)[: scale.count])
        calls += any_day.lived(scale.folder / lang, cast, AnyJson(), steps=36, stride=30).total()
    return (
        calls,
        f"a day of {scale.count} on random JSON, in both languages; none requested again, no fallback",
    )


def fuzzed(scale: Scale) -> Row:
    found = routes.fuzz(scale.folder, scale.count)
    if found.failures:
        raise Lost("the server failed\n" + "\n".join(found.failures[:20]))
    return found.requests, f"requests of {len(list(found.routes()))} routes"


def strangers_towns(scale: Scale) -> Row:
    toll = strangers.received(scale.folder, scale.count, scale.first)
    return (
        toll.codes.total(),
        f"commands on worlds, runs and experiments that name a stranger's server: no connection to it; {toll.own} requests to the user's own",
    )


def paused(scale: Scale) -> Row:
    toll = pauses.paused(scale.folder, scale.count, scale.first)
    return toll.notes.total(), (
        f"of runs, with {len(toll.notes)} kinds of note on who writes them: {toll.ended} ended the"
        " writer, the others nothing; no other process got a signal"
    )


def causes(scale: Scale) -> Row:
    toll = page_sessions.stopped(scale.folder, scale.count, scale.first)
    return toll.codes.total(), (
        f"sessions that the page began, {toll.real} of them Hometown's, ended in {len(toll.codes)}"
        f" ways: {toll.causes} causes were shown, and no log was overwritten"
    )


def unwritable(scale: Scale) -> Row:
    toll = read_only.read_only(scale.folder, scale.count, scale.first)
    return toll.answers.total() + toll.codes.total(), (
        f"requests and commands where folders are read-only: {_statuses(toll.answers)}; exit codes"
        f" {_statuses(toll.codes)}; what was refused has changed nothing"
    )


def crowd(scale: Scale) -> Row:
    clients, half_open = FEW if scale.short else MANY
    toll = crowds.crowded(scale.folder, scale.count, clients, half_open, patient=not scale.short)
    return (
        toll.requests,
        f"by {clients} clients among {toll.half_open} half-open connections; {toll.threads} threads, {toll.megabytes:.0f} MB, {toll.grown:.0f} of them new",
    )


def visited(scale: Scale) -> Row:
    toll = visitors.visited(scale.folder, scale.count, scale.first)
    return (
        toll.answers.total(),
        f"requests of every route by who has not signed in: {_statuses(toll.answers)}; nothing was seen or changed",
    )


def pictures(scale: Scale) -> Row:
    toll = broken_pictures.broken(scale.folder, scale.count, scale.first)
    return (
        toll.pictures,
        f"pictures of a world, cut, noisy or huge, in {toll.answers.total()} requests: {_statuses(toll.answers)}",
    )


def edited(scale: Scale) -> Row:
    toll = edits.edited(scale.folder, scale.count, scale.first)
    return (
        toll.answers.total(),
        f"changes to {scale.count} worlds by {edits.EDITORS} editors and another program at once: {_statuses(toll.answers)}",
    )


def _runs(count: int) -> str:
    """A number of runs in words, such as "1 run"."""
    return f"{count} run" if count == 1 else f"{count} runs"


def _statuses(answers: Counter[int]) -> str:
    """How often there was which status, such as "200: 3, 412: 9"."""
    return ", ".join(f"{status}: {count}" for status, count in sorted(answers.items()))


def hostile(scale: Scale) -> Row:
    toll = hostile_input.attack(scale.folder, scale.count, scale.first)
    return (
        toll.tried,
        f"{toll.runs} runs made to fill memory, {toll.names} names, {toll.patterns} patterns, {toll.files} files without end; {toll.grown:.0f} MB for all",
    )


def days(scale: Scale) -> Row:
    result = soak(scale.count)
    told = (
        f"steps {result.slower:.2f} times as long, memory {result.larger:.2f} times the vectors added;"
        f" verified in {result.verify_seconds:.0f} s of the processor"
    )
    if not result.passed:
        raise Lost(told)
    return scale.count, told
