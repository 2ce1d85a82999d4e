"""The commands that concern this machine: its models, its fitness for a run, and the server of the
page. Their work is imported when they are called.
"""

from typing import Annotated

from hometown.cli import values
from hometown.cli.declare import Argument, Option, command
from hometown.cli.options import (
    Clones,
    Embedding,
    Folders,
    Json,
    Language,
    ModelOptions,
    Residents,
    SettingsFile,
    WorldId,
    complete_model,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings

DEFAULT_PORT = 5000
LOCALHOST = "127.0.0.1"


@command("start", about="first_hour", helps={"llm": "llm", "yes": "yes_start"})
def start(
    *,
    lang: Language = None,
    models: ModelOptions,
    yes: Annotated[bool, Option()] = False,
    no_page: Annotated[bool, Option()] = False,
    port: Annotated[int, Option("N", values.integer(1, 65535))] = DEFAULT_PORT,
    folders: Folders,
    text: Text,
) -> int:
    """Live a first hour on a model that fits this machine, and show it."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.first_hour import Start, start_town

    choices = Start(lang, models.llm, yes, not no_page, port, folders)
    return start_town(choices, layers, text)


@command("replay", helps={"llm": "llm_own"})
def replay(
    *,
    port: Annotated[int, Option("N", values.integer(1, 65535))] = DEFAULT_PORT,
    host: Annotated[str, Option("ADDRESS")] = LOCALHOST,
    public: Annotated[bool, Option()] = False,
    behind_proxy: Annotated[str, Option("ADDRESS", values.web_address)] = "",
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


@command("doctor")
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
    from hometown.cli.doctor import PlannedRun, diagnose

    request = PlannedRun(world, lang, residents or (), clone or 0, models.llm, embedding, folders)
    return diagnose(request, layers, text.lang, as_json=json)


@command("model list")
def list_models(*, config: SettingsFile = None, text: Text) -> int:
    """Print the recommended models."""
    layers = read_settings(config)
    from hometown.cli.models import print_models

    return print_models(layers, text)


@command("model get")
def get_model(
    model: Annotated[str, Argument("MODEL", complete=complete_model)],
    *,
    gguf: Annotated[bool, Option()] = False,
    config: SettingsFile = None,
    text: Text,
) -> int:
    """Fetch a recommended model."""
    layers = read_settings(config)
    from hometown.cli.models import fetch_model

    return fetch_model(model, layers, text, as_file=gguf)
