"""The commands that change a run's rules, its residents, or a resident's knowledge. Their work is
imported when they are called.
"""

from pathlib import Path
from typing import Annotated

from hometown.cli.declare import Argument, command
from hometown.cli.options import (
    LLM_OF_RUN,
    PATH,
    TIME_OF_EFFECT,
    ExistingRun,
    Folders,
    ModelOptions,
    Moment,
    ProposalOptions,
    SettingsFile,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.text import N_


@command(
    "law",
    about=N_(
        "Change a running town's rules: its recipes, goods, objects, needs, shops and "
        "duties.\n\n"
        "PATCH is JSON, or a file with JSON, in the form of the society's files "
        "(docs/society.md): it changes the entries that it names, and null deletes an "
        "entry. From WORDS, the run's model drafts a patch, which you confirm. Before "
        "the change is entered, the town is simulated for some days by its rules "
        "alone, with the change and without it, and the shortages that the change "
        "would cause are listed. A change that causes a shortage is entered only with "
        "--force."
    ),
    example=N_(
        '  hometown law spring \'{"recipes": {"mill": {"minutes": 90}}}\'\n'
        "  hometown law spring closed_on_sundays.json --at 20250406-00:00\n"
        '  hometown law spring "from tomorrow the mill is closed on Sundays"'
    ),
    helps={
        "at": TIME_OF_EFFECT,
        "llm": LLM_OF_RUN,
        "trial": N_(
            "days for which the change is tried by the town's rules, without a model; 0 "
            "for no trial (14)"
        ),
    },
)
def law(
    run: ExistingRun,
    patch: Annotated[tuple[str, ...], Argument("PATCH|WORDS", is_repeated=True)],
    *,
    proposal: ProposalOptions,
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Change the rules of a run's society."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.law import ProposalRequest, enter_law

    return enter_law(
        " ".join(patch), ProposalRequest(run, proposal, models.llm or "", folders, layers, text)
    )


@command(
    "move-in",
    about=N_(
        "Add a resident to an existing run.\n\n"
        "FILE describes the resident in the form of a world's own residents/*.json; "
        "its name is the resident's id, and texts are needed only in the run's "
        "language. From WORDS, the run's model drafts the resident, and you confirm "
        "the draft. A new resident needs a home in town, a bed of their own there (a "
        "missing one is placed) and a name that no other resident has. In a town with "
        "a society, they join the household of the people with whom they live, and "
        "bring no goods; before they are entered, the town is simulated with one more "
        "resident to feed, as for a law. All residents are told. The new resident "
        "lives in town from that step on, with the memories in the file."
    ),
    example=N_(
        "  hometown move-in spring mira.json\n"
        '  hometown move-in spring mira.json --at 20250406-15:00 --say "Mira has come '
        'to live with Wang Fang."\n'
        '  hometown move-in spring "Mira Voss, a weaver of 34, moves in with Wang Fang"'
    ),
    aliases=("settle",),
    helps={
        "at": TIME_OF_EFFECT,
        "force": N_("apply even if the simulation predicts that the town cannot feed one more"),
        "llm": LLM_OF_RUN,
        "say": N_("announcement to the residents (the arrival, in words)"),
        "trial": N_(
            "days for which one more resident is tried by the town's rules, without a "
            "model; 0 for no trial (14)"
        ),
    },
)
def move_in(
    run: ExistingRun,
    resident: Annotated[tuple[str, ...], Argument("FILE|WORDS", is_repeated=True)],
    *,
    proposal: ProposalOptions,
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Add a resident to an existing run."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.law import ProposalRequest, add_resident

    return add_resident(
        " ".join(resident), ProposalRequest(run, proposal, models.llm or "", folders, layers, text)
    )


@command(
    "learn",
    about=N_(
        "Let a resident know what is in files: a diary, a book, a manual.\n\n"
        "Each FILE is cut into passages at the ends of sentences, which the resident "
        "remembers as known before, and recalls like any memory, with the file and the "
        "passage as their source. They are never forgotten. Plain text (.txt, .md, in "
        "UTF-8) may have 4 MB; .html, .pdf, .docx and .epub may have 32 MB, and need "
        "packages of their own. A passage has at most 400 characters (160 in Chinese), "
        "and a resident knows at most 2,000 of them. What it knows already is not "
        "entered again."
    ),
    example=N_(
        '  hometown learn spring "Lin Yue" baking.md diary.txt\n'
        "  hometown resume spring --step 72\n"
        '  hometown ask spring "Lin Yue: How long does rye bread have to rise?"'
    ),
    helps={"at": TIME_OF_EFFECT},
    metavars={"files": "FILE …"},
)
def learn(
    run: ExistingRun,
    resident: Annotated[str, Argument('"WHO"')],
    files: Annotated[tuple[Path, ...], Argument("FILE", PATH, is_repeated=True)],
    *,
    at: Moment = None,
    config: SettingsFile = None,
    folders: Folders,
    text: Text,
) -> int:
    """Let a resident learn files."""
    layers = read_settings(config)
    from hometown.cli.learn import learn_files

    return learn_files(run, resident, files, at, folders, layers, text)
