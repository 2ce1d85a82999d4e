"""The powers of each way to use Hometown, which `tools.write_docs` writes as the table of
`docs/assistants.md`: from commands, the page, Python and an assistant.

A power that a way lacks has a reason. `tests/docs/test_assistants.py` compares the names with the
program: every command, public method and tool has to be listed, and none that is not there.
"""

from __future__ import annotations

from hometown.frozen import frozen

HEAD = "| task | command | page | Python | assistant |\n|---|---|---|---|---|\n"

BY_COMMAND = "by the command"
PERSON_DECIDES = "a person decides"
READS_INSTEAD = "reads instead"
WRITES_FILES = "writes files"


@frozen
class Missing:
    """A way that lacks a power, for a reason."""

    reason: str


@frozen
class Way:
    """The names by which a way has a power, separated by commas, and a remark."""

    names: str
    remark: str = ""

    @property
    def listed(self) -> list[str]:
        return self.names.split(", ")


@frozen
class Power:
    """One thing that users do, and how they do it in each way. `page` is in words, of which those
    in *…* stand on the page.
    """

    task: str
    commands: Way | Missing
    page: str | Missing
    python: Way | Missing
    tools: Way | Missing


POWERS = (
    Power(
        "list runs",
        Way("replay"),
        "front page",
        Way("runs"),
        Way("list_runs"),
    ),
    Power(
        "open a recorded town",
        Way("recorded"),
        "front page",
        Way("recorded_towns, Run.open_recorded"),
        Missing(BY_COMMAND),
    ),
    Power(
        "read residents, conversations, memories",
        Way("export"),
        "a run's page",
        Way("Run.residents, Town.residents, Run.conversations, Run.memories, Run.table, Town.read"),
        Way("list_residents, list_conversations, list_memories"),
    ),
    Power(
        "search memories by meaning",
        Missing("`hometown ask` answers by them"),
        "*Ask*: under each answer",
        Way("Run.retrieve, Run.vector_store"),
        Way("search_memories"),
    ),
    Power(
        "find out why",
        Missing("needs to be looked at"),
        "*Why?*",
        Way("Run.why, Run.decisions"),
        Way("explain_activity, list_decisions"),
    ),
    Power(
        "trace news and wishes",
        Way("export, wishes", "`spread.json`"),
        "*Spread of news*, *What became of your wishes*",
        Way("Run.spread, Run.beliefs, Run.view"),
        Way("trace_news, list_beliefs, read_page"),
    ),
    Power(
        "read diaries and the newspaper",
        Way("export"),
        "*Diary*, *The day’s newspaper*",
        Way("Run.view, Run.views"),
        Way("read_page, describe_run"),
    ),
    Power(
        "question residents",
        Way("ask"),
        "*Ask*",
        Way("Run.ask, Run.question"),
        Way("ask_resident"),
    ),
    Power(
        "watch a run, see its plots",
        Way("replay"),
        "a run's page, *Insight*",
        Way("Run.player, Run.plot"),
        Missing(READS_INSTEAD),
    ),
    Power(
        "compare runs",
        Way("compare"),
        "*Beside “{name}”*",
        Way("Run.compare"),
        Way("compare_runs"),
    ),
    Power(
        "export files",
        Way("export, picture"),
        "*Picture (PNG)*, *⤓ Markdown*",
        Way("Run.export, Run.picture"),
        Missing(READS_INSTEAD),
    ),
    Power(
        "begin, continue, pause",
        Way("run, resume", "Ctrl-C pauses"),
        "*New town*, *Go on*, *Pause*",
        Way("Town.create, Town.resume, Town.step, Town.live"),
        Way("begin_run, continue_run, pause_run"),
    ),
    Power(
        "fork",
        Way("fork"),
        "*Branch here*",
        Way("Town.fork, Run.fork"),
        Way("fork_run"),
    ),
    Power(
        "intervene",
        Way("tell, set, event, place, remove, leave, arrive"),
        "*Step in*",
        Way(
            "Town.tell, Town.set, Town.event, Town.place, Town.remove, Town.leave, Town.arrive",
            "all of `Run`, too",
        ),
        Way("intervene"),
    ),
    Power(
        "see and withdraw what waits",
        Missing("on the page"),
        "*Interventions*, *Withdraw*",
        Way("Town.waiting, Town.withdraw"),
        Way("list_interventions, withdraw_intervention"),
    ),
    Power(
        "change laws, add residents, teach them",
        Way("law, move-in, learn"),
        "*Change the rules*, *Somebody moves in*, *Learn a file*",
        Way("Town.law, Town.settle, Town.learn, Run.draft"),
        Missing(PERSON_DECIDES),
    ),
    Power(
        "visit a town as a person",
        Way("visit"),
        "*Walk in*",
        Way("Run.visit, Visit.enter, Visit.look, Visit.walk, Visit.say, Visit.give, Visit.leave"),
        Missing("a person speaks"),
    ),
    Power(
        "plan and run experiments",
        Way("experiment"),
        Missing("runs for hours"),
        Way(
            "Study.read, Study.open, Study.plan, Study.run, Study.collect, "
            "Study.add_reference, Study.inspect_logs, Study.tables, Study.table, Study.runs"
        ),
        Missing("runs for hours"),
    ),
    Power(
        "compare models",
        Way("league"),
        Missing("runs for hours"),
        Way("League.prepare, League.run"),
        Missing("runs for hours"),
    ),
    Power(
        "archive and cite",
        Way("archive, cite"),
        Missing(BY_COMMAND),
        Way("Run.archive, Run.cite, Study.archive, Study.cite"),
        Missing(WRITES_FILES),
    ),
    Power(
        "verify, check and repair files",
        Way("digest, verify, check, repair"),
        Missing("the list of runs tells of damage"),
        Way("Run.digests, Run.verify, check_run, repair_run"),
        Missing(WRITES_FILES),
    ),
    Power(
        "create, import, enlarge and check worlds",
        Way("world new, world import, world draw, world districts, world people, world check"),
        "*Worlds*, the editor",
        Way(
            "worlds, WorldFolder.find, WorldFolder.create, WorldFolder.convert, WorldFolder.join, "
            "WorldFolder.check, WorldFolder.overview, WorldFolder.livelihoods, WorldFolder.trial"
        ),
        Way("list_worlds", "to begin in one; a person makes them"),
    ),
    Power(
        "choose models",
        Way("start, doctor, model list, model get, model try"),
        "*New town*",
        Way("diagnose, recommended_models, fetch_model, try_model, register_backend"),
        Way("list_worlds", "names those that are there"),
    ),
)
"""All powers, in the order in which users need them."""


def list_powers() -> str:
    """Return all powers as a table in Markdown."""
    return HEAD + "".join(_row(power) for power in POWERS)


def _row(power: Power) -> str:
    cells = (
        power.task,
        _cell(power.commands, "hometown "),
        power.page.replace("{name}", "NAME") if isinstance(power.page, str) else _cell(power.page),
        _cell(power.python),
        _cell(power.tools),
    )
    return f"| {' | '.join(cells)} |\n"


def _cell(way: Way | Missing, before: str = "") -> str:
    if isinstance(way, Missing):
        return f"– ({way.reason})"
    named = ", ".join(f"`{before}{name}`" for name in way.listed)
    return f"{named} ({way.remark})" if way.remark else named
