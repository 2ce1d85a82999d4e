"""The commands that question residents and run experiments. Their work is imported when they are
called.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hometown.cli.completion import complete_model
from hometown.cli.declare import Argument, Option, command
from hometown.cli.league_options import LeagueOptions
from hometown.cli.options import (
    LLM_OF_RUN,
    PAST_MOMENT,
    PATH,
    ExistingRun,
    ExperimentOptions,
    Folders,
    Json,
    Language,
    ModelOptions,
    Name,
    OutputFile,
    QuestionOptions,
    RayAddress,
    SettingsFile,
    Shards,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.defaults import DEFAULT_LICENCE
from hometown.text import N_

if TYPE_CHECKING:
    from hometown.study.deposit.subject import DepositSubject


@command(
    "ask",
    about=N_(
        "Ask a resident anything, as of any step.\n\n"
        "The first question names the resident; further questions continue the "
        "conversation. Each answer cites the memories that it rests on. The run is "
        "only read, and may be in progress."
    ),
    example=N_(
        '  hometown ask spring "Maria: Did you hear of a party?" "Who told you?" --at '
        "100\n"
        "  hometown ask spring --questionnaire believability --residents Maria,Klaus"
    ),
    helps={
        "at": PAST_MOMENT,
        "llm": LLM_OF_RUN,
        "residents": N_(
            "residents who are asked: their names, parts of names or ids, or their number (all)"
        ),
    },
    metavars={"questions": '"WHO: QUESTION" …'},
)
def ask(
    run: ExistingRun,
    asked: QuestionOptions,
    *,
    models: ModelOptions,
    json: Json = False,
    folders: Folders,
    text: Text,
) -> int:
    """Ask residents, after any step of a run, and print their answers."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.ask import ask_residents

    return ask_residents(run, asked, models.llm or "", folders, layers, text, as_json=json)


@command(
    "experiment",
    about=N_(
        "Run an experiment: simulate, interview, measure, report.\n\n"
        "FILE describes the experiment (docs/science.md). Its tables, figures and "
        "report are written to a folder below results/experiments. The same command "
        "continues an experiment that was stopped."
    ),
    example=N_("  hometown experiment data/experiments/rumour.yaml"),
    helps={
        "llm": N_("language model: auto, scripted, or BACKEND:MODEL (that in FILE)"),
        "name": N_(
            "name of the experiment, and of its folder below results/experiments (that in FILE)"
        ),
        "ray": N_(
            "Ray cluster on which the runs are simulated and interviewed, as HOST:PORT, or auto "
            "(that of this machine); its machines share the folder of the results. With "
            "--shards: the cluster of the shards (processes of this machine)"
        ),
    },
)
def experiment(
    file: Annotated[Path, Argument("FILE", PATH)],
    *,
    name: Name = None,
    asked: ExperimentOptions,
    models: ModelOptions,
    shards: Shards = None,
    ray: RayAddress = None,
    folders: Folders,
    text: Text,
) -> int:
    """Run, or only plan, the experiment that a file describes."""
    layers = read_settings(models.config, models.llm, shards=shards, ray=ray)
    from hometown.cli.experiment import run_experiment
    from hometown.study_interface import Study

    study = Study.read(
        file,
        name=name or "",
        llm=models.llm or "",
        results=folders.results,
        worlds=folders.worlds,
    )
    return run_experiment(study, layers, text, asked)


@command(
    "league",
    about=N_(
        "Let models live the same hours of a town, and compare them on one page.\n\n"
        "Each model gets a card to share, a picture and a file. The rule-based stand-in takes "
        "part in every league. The same command continues a league that was stopped, and adds "
        "further models to it."
    ),
    example=N_(
        "  hometown league ollama:qwen3:4b ollama:qwen3:8b\n"
        "  hometown league gguf:qwen3-4b --farmstead 2 --card friend.json"
    ),
    helps={
        "world": N_("id of a world (minitown)"),
        "embedding": N_(
            "embedding, the same for all: hash, e5, ollama:MODEL, openai:MODEL, or "
            "huggingface:PATH_OR_NAME (hash)"
        ),
    },
    metavars={"models": "MODEL …"},
)
def league(
    models: Annotated[
        tuple[str, ...], Argument("MODEL", complete=complete_model, is_repeated=True)
    ] = (),
    *,
    lang: Language = None,
    options: LeagueOptions,
    config: SettingsFile = None,
    folders: Folders,
    text: Text,
) -> int:
    """Let models live the same hours, and compare them."""
    layers = read_settings(config, *models, options.embedding)
    from hometown.cli.league import hold_league

    return hold_league(models, options, lang or text.lang, folders, layers, text)


Authors = Annotated[
    tuple[str, ...] | None,
    Option(
        '"NAME <ORCID>"',
        typed="--author",
        is_repeated=True,
        help=N_("an author, with or without an ORCID; can be repeated"),
    ),
]


@command(
    "archive",
    about=N_(
        "Write an experiment or a run into one ZIP file, to be deposited in an archive.\n\n"
        "It holds the runs, their tables and codebook, scripts that compute the figures "
        "anew, the prompts, each run as a page, the environment, checksums, a citation, "
        "and metadata as an RO-Crate. NAME is that of a finished experiment, or else of "
        "a run."
    ),
    example=N_(
        '  hometown archive lie --author "Josiah Carberry <0000-0002-1825-0097>" --licence CC0-1.0'
    ),
    helps={"out": N_("the file (NAME.zip below results/deposits)")},
)
def archive(
    name: Annotated[str, Argument("NAME")],
    *,
    author: Authors = None,
    licence: Annotated[
        str,
        Option(
            "LICENCE",
            help=N_("licence of the data: an SPDX id, or an address (CC-BY-4.0)"),
        ),
    ] = DEFAULT_LICENCE,
    out: OutputFile = None,
    folders: Folders,
    text: Text,
) -> int:
    """Write the deposit of an experiment or a run, and print its path."""
    read_settings()
    from tqdm import tqdm

    from hometown.study.deposit.crate import make_terms
    from hometown.study.deposit.deposit import archive_subject
    from hometown.study.deposit.subject import find_subject

    terms = make_terms(licence, author or ())
    subject = find_subject(folders.results, name)
    _warn_of_exposure(subject, text)
    with tqdm(desc=name, unit="file", disable=None) as bar:
        file = archive_subject(
            subject,
            terms,
            out,
            folders.results,
            folders.worlds,
            text.lang,
            lambda _: bar.update(),
        )
    print(text("{file}, under the licence {licence}", file=file, licence=licence))
    return 0


def _warn_of_exposure(subject: "DepositSubject", text: Text) -> None:
    """Print the folders and the answers of people that a deposit makes public."""
    for model in subject.exposed_models:
        print(
            text(
                "the deposit names the model as it was typed, with its folder: {model}",
                model=model,
            )
        )
    for path in subject.files_of_people:
        print(
            text(
                "{path} has what real people answered or ranked: publish it only if they have agreed",
                path=path,
            )
        )


@command(
    "cite",
    about=N_(
        "Print how to cite an experiment or a run: a sentence that identifies it, and "
        "entries for BibTeX, with those of Hometown and of the paper."
    ),
    example=N_("  hometown cite lie > lie.bib"),
)
def cite(
    name: Annotated[str, Argument("NAME")],
    *,
    author: Authors = None,
    folders: Folders,
    text: Text,
) -> int:
    """Print the citation of an experiment or a run."""
    read_settings()
    from hometown.study.deposit.citation import cite_subject
    from hometown.study.deposit.subject import find_subject

    print(cite_subject(find_subject(folders.results, name), author or (), text.lang))
    return 0
