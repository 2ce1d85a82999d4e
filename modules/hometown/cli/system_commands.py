"""The commands that concern this machine: a first hour on it, the server of the page, its fitness
for a run, and its models. Their work is imported when they are called.
"""

from pathlib import Path
from typing import Annotated

from hometown.cli import values
from hometown.cli.completion import complete_model
from hometown.cli.declare import Argument, Option, command
from hometown.cli.options import (
    LLM_OF_RUN,
    PATH,
    Clones,
    Embedding,
    Folders,
    Json,
    Language,
    ModelOptions,
    Residents,
    SettingsFile,
    WorldId,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.defaults import DEFAULT_WORLD
from hometown.paths import RESULTS, TRIALS
from hometown.text import N_

DEFAULT_PORT = 5000
LOCALHOST = "127.0.0.1"

MINDS = RESULTS / TRIALS
"""The folder of the replies of models on trial."""


Port = Annotated[
    int, Option("N", values.integer(1, 65535), help=N_("port to listen on, 1 to 65535 (5000)"))
]


@command(
    "start",
    about=N_(
        "Live a first hour on a model that fits this machine, and show it.\n\n"
        "Model servers on this machine are looked for, and the memory. Without a model, the best "
        "that fits is proposed and, if you agree, fetched. Then Minitown lives from 11:00 to "
        "12:00, and the page opens. There are at most three questions; --yes answers them."
    ),
    example=N_("  hometown start\n  hometown start --yes --lang en"),
)
def start(
    *,
    lang: Language = None,
    models: ModelOptions,
    yes: Annotated[bool, Option(help=N_("ask nothing, and take what is proposed"))] = False,
    no_page: Annotated[bool, Option(help=N_("do not open the page"))] = False,
    port: Port = DEFAULT_PORT,
    folders: Folders,
    text: Text,
) -> int:
    """Live a first hour on a model that fits this machine, and show it."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.first_hour_command import Start, start_town

    choices = Start(lang, models.llm, yes, not no_page, port, folders)
    return start_town(choices, layers, text)


@command(
    "replay",
    about=N_(
        "Show runs in a browser, including runs in progress.\n\n"
        "Prints the address of the page; Ctrl-C ends the server."
    ),
    example=N_("  hometown replay --port 5001"),
    helps={"llm": LLM_OF_RUN},
)
def replay(
    *,
    port: Port = DEFAULT_PORT,
    host: Annotated[
        str,
        Option(
            "ADDRESS",
            help=N_(
                "address to listen on (127.0.0.1: only this machine; 0.0.0.0: other devices, too)"
            ),
        ),
    ] = LOCALHOST,
    public: Annotated[
        bool,
        Option(help=N_("allow all visitors to look at all runs; only you can change anything")),
    ] = False,
    behind_proxy: Annotated[
        str,
        Option(
            "ADDRESS",
            values.web_address,
            help=N_(
                "address at which a reverse proxy serves the page, such as "
                "https://town.example; without it, forwarded headers are ignored"
            ),
        ),
    ] = "",
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Show runs in a browser until Ctrl-C or SIGTERM."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.page_server import Binding, serve_page

    return serve_page(
        Binding(host, port, public, behind_proxy), models.llm or "", folders, layers, text
    )


@command(
    "mcp",
    about=N_(
        "Let an assistant read runs, over the Model Context Protocol.\n\n"
        "The assistant starts this command and speaks with it over standard input and output; "
        "with --port, it is served over HTTP on this machine. It can only read, unless --write "
        "is given."
    ),
    example=N_("  hometown mcp\n  hometown mcp --write --port 5002"),
    helps={"llm": LLM_OF_RUN, "port": N_("port to serve HTTP on, 1 to 65535 (standard input)")},
)
def mcp(
    *,
    write: Annotated[
        bool,
        Option(help=N_("let it begin, continue, fork and change runs, and question residents")),
    ] = False,
    port: Annotated[int | None, Option("N", values.integer(1, 65535))] = None,
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Serve an assistant until its connection, or Ctrl-C, ends it."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.assistant_server import serve_assistant

    return serve_assistant(folders, layers, models.llm or "", text, may_write=write, port=port or 0)


@command(
    "doctor",
    about=N_("Check whether a run would work here, and how long a day would take."),
    example=N_("  hometown doctor --llm ollama:qwen3:8b --json"),
)
def doctor(
    *,
    json: Json = False,
    embedding: Embedding = None,
    models: ModelOptions,
    world: WorldId = None,
    lang: Language = None,
    residents: Residents = None,
    clone: Clones = None,
    folders: Folders,
    text: Text,
) -> int:
    """Check whether a run would work here, and estimate the time of a day."""
    layers = read_settings(models.config, models.llm, embedding)
    from hometown.cli.doctor import print_examination
    from hometown.cli.user_language import locale_language
    from hometown.doctor.diagnosis import plan_examination
    from hometown.world.load import load_world

    planned = plan_examination(
        load_world(world or DEFAULT_WORLD, lang or locale_language(), folders.worlds),
        residents or (),
        clone or 0,
        models.llm or "",
        embedding or "",
        layers,
        folders.results,
        text.lang,
    )
    return print_examination(planned, as_json=json)


@command(
    "model list",
    about=N_(
        "List recommended models, with the memory that they need.\n\nThe network is not used."
    ),
    example=N_("  hometown model list"),
)
def list_models(*, config: SettingsFile = None, text: Text) -> int:
    """Print the recommended models."""
    layers = read_settings(config)
    from hometown.cli.models import print_models

    return print_models(layers, text)


@command(
    "model get",
    about=N_(
        "Fetch a recommended model: through Ollama where that runs, otherwise as a "
        "GGUF file for --llm gguf:MODEL.\n\n"
        "An interrupted download is continued, and its checksum is verified."
    ),
    example=N_("  hometown model get qwen3-4b"),
)
def get_model(
    model: Annotated[str, Argument("MODEL", complete=complete_model)],
    *,
    gguf: Annotated[bool, Option(help=N_("fetch the GGUF file even if Ollama runs"))] = False,
    config: SettingsFile = None,
    text: Text,
) -> int:
    """Fetch a recommended model."""
    layers = read_settings(config)
    from hometown.cli.models import report_fetch

    return report_fetch(model, layers, text, as_file=gguf)


@command(
    "model try",
    about=N_(
        "Try a model on prompts of the towns, and show how well it does and why.\n\n"
        "Rules look for replies that are of another form or language, recite the prompt, repeat "
        "themselves, or contradict what was given. Replies are kept: an interrupted trial is "
        "continued, and only changed prompts are asked again. Exit code 1 if a limit is missed."
    ),
    example=N_(
        "  hometown model try gguf:smollm2-135m\n"
        "  hometown model try ollama:qwen3:8b --prompts 0 --lang zh"
    ),
)
def try_on_bench(
    model: Annotated[str, Argument("MODEL", complete=complete_model)],
    *,
    prompts: Annotated[
        int, Option("N", values.integer(0, 100_000), help=N_("number of prompts, 0 for all (60)"))
    ] = 60,
    brief: Annotated[
        bool, Option(help=N_("only what a morning needs most, in one language: three minutes"))
    ] = False,
    sealed: Annotated[
        bool, Option(help=N_("sealed prompts as well: for final figures, never for tuning"))
    ] = False,
    thinking: Annotated[
        bool,
        Option(help=N_("plans and reflections, without and with thinking: does it pay?")),
    ] = False,
    at_least: Annotated[
        int | None,
        Option("PERCENT", values.integer(0, 100), help=N_("least share of usable replies")),
    ] = None,
    lang: Language = None,
    config: SettingsFile = None,
    results: Annotated[
        Path, Option("FOLDER", PATH, help=N_("folder of the kept replies (results/minds)"))
    ] = MINDS,
    text: Text,
) -> int:
    """Try a model on prompts of the towns, and show how well it does."""
    layers = read_settings(config, model)
    from hometown.bench.trying import PromptChoice
    from hometown.cli.model_trial import try_models

    choice = PromptChoice(prompts, brief, sealed, lang, thinking)
    return try_models([model], choice, layers, results, text, least_unmended=at_least)
