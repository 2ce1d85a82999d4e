"""The commands that read a run's records: they compare, verify, check, repair, export and draw
them, and list digests and wishes. Their work is imported when they are called.
"""

import sys
from functools import partial
from typing import Annotated

from hometown.cli.completion import complete_recording, complete_run
from hometown.cli.declare import Argument, Option, Program, command
from hometown.cli.options import (
    PAST_MOMENT,
    ExistingRun,
    Folders,
    Json,
    Moment,
    Name,
    OutputFile,
    SettingsFile,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.language import Lang
from hometown.text import N_, Phrase


@command(
    "compare",
    about=N_(
        "Compare two runs: the first difference with its cause, and their figures side "
        "by side.\n\n"
        "Prints Markdown, or JSON with --json. Both runs may be in progress."
    ),
    example=N_(
        '  hometown fork spring@72 --name party --tell "Isabella: cancel the party"\n'
        "  hometown compare spring party > comparison.md"
    ),
)
def compare(
    run: ExistingRun,
    other: Annotated[str, Argument("OTHER", complete=complete_run)],
    *,
    json: Json = False,
    folders: Folders,
    text: Text,
) -> int:
    """Print where two runs part and their figures, as Markdown or as JSON, and return 0."""
    read_settings()
    import orjson

    from hometown.storage.run import RunFile
    from hometown.study.comparison import as_json, compare_runs, format_comparison

    with (
        RunFile.open(folders.results, run) as first,
        RunFile.open(folders.results, other) as second,
    ):
        comparison = compare_runs(first, second, folders.worlds)
    print(
        orjson.dumps(as_json(comparison), option=orjson.OPT_INDENT_2).decode()
        if json
        else format_comparison(comparison, text.lang)
    )
    return 0


@command(
    "digest",
    about=N_("Print the digest of every step of a run."),
    example=N_("  hometown digest spring"),
)
def digest(run: ExistingRun, *, folders: Folders) -> int:
    """Print the digest of every step of a run, step by step, and return 0."""
    read_settings()
    from hometown.storage.run import RunFile

    with RunFile.open(folders.results, run) as opened:
        for step, each in enumerate(opened.digests()):
            print(step, each)
    return 0


@command(
    "recorded",
    about=N_(
        "List the recorded towns, or put one among your runs.\n\n"
        "They show how a town lives with a capable mind. No model on this machine wrote their "
        "replies. A recorded town can be watched, exported, verified and forked like any run; "
        "resume lets it live on as a new run, on the model that you name with --llm."
    ),
    example=N_(
        "  hometown recorded\n"
        "  hometown recorded recorded-en\n"
        "  hometown resume recorded-en --llm ollama:qwen3:8b --step 36"
    ),
)
def recorded(
    name: Annotated[str | None, Argument("NAME", complete=complete_recording)] = None,
    *,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """List the recorded towns, or put one among the runs, and return 0."""
    read_settings()
    from hometown.cli.recorded_towns import open_recorded_town, print_recorded_towns

    if name is None:
        print_recorded_towns(text)
    else:
        open_recorded_town(name, folders, program, text)
    return 0


@command(
    "verify",
    about=N_(
        "Verify that a run matches its own records.\n\n"
        "No model is needed. Exit code 0 if it does, 1 if not."
    ),
    example=N_("  hometown verify spring"),
)
def verify(run: ExistingRun, *, folders: Folders, text: Text) -> int:
    """Verify a run against its own records."""
    read_settings()
    from hometown.cli.signals import run_stoppable
    from hometown.cli.verification import print_verification, watch_steps
    from hometown.upkeep_interface import verify_by_name

    watch = partial(watch_steps, text=text)
    found = run_stoppable(verify_by_name(run, folders.results, folders.worlds, watch))
    print_verification(found, text)
    return 0 if found.matches else 1


@command(
    "check",
    about=N_("Show how much of a run is intact.\n\nExit code 0 if all of it is, 1 if not."),
    example=N_("  hometown check spring"),
)
def check(run: ExistingRun, *, folders: Folders, text: Text, program: Program) -> int:
    """Show how much of a run is intact."""
    read_settings()
    from hometown.cli.check import print_soundness
    from hometown.upkeep_interface import check_run

    soundness = check_run(run, results=folders.results)
    print_soundness(run, soundness, folders, program, text)
    return 0 if soundness.sound else 1


@command(
    "repair",
    about=N_(
        "Create a new run from the intact part of a damaged one.\n\n"
        "The damaged file is only read. Without --name, the new run is called "
        "NAME-repaired."
    ),
    example=N_("  hometown repair spring --name spring-2"),
    helps={"name": N_("name of the new run (NAME-repaired)")},
)
def repair(
    run: ExistingRun,
    *,
    name: Name = None,
    config: SettingsFile = None,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a new run from the intact part of a damaged one."""
    layers = read_settings(config)
    from hometown.cli.check import print_recovery
    from hometown.cli.signals import run_stoppable
    from hometown.config import combine
    from hometown.upkeep_interface import rescue_by_name

    work = rescue_by_name(run, name or "", combine(layers), folders.results)
    print_recovery(run, run_stoppable(work), folders, program, text)
    return 0


@command(
    "wishes",
    about=N_(
        "Show what has become of the wishes whispered to residents.\n\n"
        "For each inner voice: who heard it, how far it has come and why, until it was carried "
        "out, refused, forgotten or overtaken by events. The run may be in progress."
    ),
    example=N_('  hometown tell spring "Klaus: Tell Maria how you feel"\n  hometown wishes spring'),
)
def wishes(run: ExistingRun, *, json: Json = False, folders: Folders, text: Text) -> int:
    """Print the wishes of a run with their course, as text or as JSON."""
    read_settings()
    from hometown.cli.wish_report import show_wishes

    return show_wishes(run, folders, text, as_json=json)


WithTables = Annotated[
    bool,
    Option(
        help=N_(
            "also write memories, conversations, actions, calls, trajectories, the director's "
            "moves and who believes what as CSV, and as Parquet where pyarrow is installed"
        )
    ),
]
WithHtml = Annotated[
    bool,
    Option(
        help=N_(
            "also write replay.html: the run and its page in one file that opens with a "
            "double-click, without a network"
        )
    ),
]
WithNotes = Annotated[
    bool,
    Option(
        help=N_(
            "also write notes: Markdown files about residents, places, days and "
            "conversations, which link to each other, for programs like Obsidian"
        )
    ),
]
WithEpub = Annotated[
    bool,
    Option(
        help=N_(
            "also write book.epub, for readers of electronic books: the residents, then "
            "each day as a diary and as a newspaper"
        )
    ),
]
WithPdf = Annotated[
    bool,
    Option(help=N_("also write the same book as book.pdf, ready to print on pages of A5")),
]


@command(
    "export",
    about=N_(
        "Export a run as files.\n\n"
        "Writes results/compressed/NAME: movement.json, frame by frame, for players; "
        "simulation.md, a diary of the town; spread.json, who learned which news when "
        "and from whom; gazette.md and gazette.html, the newspaper of each day, to "
        "read and to print. The run may be in progress."
    ),
    example=N_("  hometown export spring --html"),
)
def export(
    run: ExistingRun,
    *,
    tables: WithTables = False,
    html: WithHtml = False,
    notes: WithNotes = False,
    epub: WithEpub = False,
    pdf: WithPdf = False,
    folders: Folders,
    text: Text,
) -> int:
    """Write a run as files, print their paths and return 0. Raises BadInput where a file cannot be
    written.
    """
    from hometown.export.write import export_run

    written = export_run(
        folders.results,
        run,
        folders.worlds,
        tables=tables,
        html=html,
        notes=notes,
        epub=epub,
        pdf=pdf,
        notify=partial(_note, lang=text.lang),
    )
    print(*written, sep="\n")
    return 0


def _note(note: Phrase, lang: Lang) -> None:
    print(note.localize(lang), file=sys.stderr)


@command(
    "picture",
    about=N_(
        "Draw a moment of a run as a PNG file.\n\n"
        "It shows the map with all residents, and beside it their activities, their "
        "moods and the goods in store. The run may be in progress."
    ),
    example=N_("  hometown picture spring --at 14:00"),
    helps={"at": PAST_MOMENT},
)
def picture(
    run: ExistingRun, *, at: Moment = None, out: OutputFile = None, folders: Folders, text: Text
) -> int:
    """Draw a moment of a run as a PNG file, by default below the results, print its path and return
    0. Raises BadInput if the run's world cannot be read or the file cannot be written.
    """
    read_settings()
    from hometown.cli.picture_file import check_picture_name, save_picture
    from hometown.reading import Run
    from hometown.world.intervention_time import step_before

    check_picture_name(out)
    with Run.open(run, results=folders.results, worlds=folders.worlds) as opened:
        step = step_before(at, opened.start, opened.stride, opened.steps)
        usual = f"{opened.name}-{opened.time_of(step):%Y%m%d-%H%M}.png"
        file = out or folders.results / "pictures" / usual
        save_picture(file, opened.picture(step))
    print(text("picture: {file}", file=file))
    return 0
