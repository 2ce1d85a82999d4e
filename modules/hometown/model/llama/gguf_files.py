"""Finds GGUF files: at the given path, in the folder of models, or at the path in the settings."""

from __future__ import annotations

from importlib.util import find_spec
from math import inf
from pathlib import Path

from hometown.errors import BadInput, reason_of
from hometown.model.llama.header import Header, read_header
from hometown.model.llama.llama_server import LlamaServer, missing_package, server_for
from hometown.model.llama.process import LlamaOptions
from hometown.model.recommended import recommended
from hometown.own_commands import get_command, list_command
from hometown.paths import MODELS
from hometown.settings import Settings

GGUF = "gguf:"

CACHED_TOKENS = 20_000
"""Tokens of earlier prompts that are kept in RAM: the latest of two dozen residents. `python -m
benchmarks.machines` assumes the same number.
"""

LONGEST_TEXT = 2048
"""Tokens of a text to embed, at most."""


def find_file(name: str, settings: Settings) -> Path:
    """Return the file of `gguf:NAME`, a path, a file's name, or the name of a recommended model:
    the first that exists of the path, the recommended model's place, the file of that name in the
    folder of models, and the path in the settings if it has that name. Raises BadInput if there is
    none.

    The name of a recommended model always means its own file, even if the working directory has one
    of that name. A run that names a path finds a file of that name in the other places, too, in
    case it was moved there.
    """
    given, configured = Path(name).expanduser(), Path(settings.machine.gguf).expanduser()
    known = [
        model.place for model in recommended().values() if given.name in (model.name, model.file)
    ]
    typed = [] if name in recommended() else [given]
    places = [
        *typed,
        *known,
        MODELS / given.name,
        *([configured] if configured.name == given.name else []),
    ]
    for place in places:
        if place.is_file():
            return place.absolute()
    raise BadInput(
        "gguf:{name}: there is no such file, and no {file} in {models}; {list} shows models, {get} fetches one,"
        " and the setting machine.gguf says where a file is that was moved",
        name=name,
        file=given.name,
        models=MODELS,
        list=list_command(),
        get=get_command(),
    )


def open_server(
    name: str, settings: Settings, *, embedding: bool = False
) -> tuple[LlamaServer, Header]:
    """Return the server of `gguf:NAME`, not yet started, and the header of its file. Raises
    BadInput if the file cannot be served.
    """
    file = find_file(name, settings)
    if find_spec("xllamacpp") is None:
        raise BadInput([missing_package(GGUF + name)])
    try:
        header = read_header(file)
    except (OSError, ValueError) as error:
        reason = error.args[0] if isinstance(error, ValueError) else reason_of(error)
        raise BadInput(
            "gguf:{name}: {file} can't be used as a GGUF file: {reason}",
            name=name,
            file=file,
            reason=reason,
        ) from None
    if header.is_embedding != embedding:
        raise BadInput(
            "gguf:{name}: the file holds an embedding model, not a language model; use it with --embedding"
            if header.is_embedding
            else "gguf:{name}: the file holds a language model, not an embedding model; use it with --llm",
            name=name,
        )
    return server_for(GGUF + name, _order(file, header, settings, embedding)), header


def _order(file: Path, header: Header, settings: Settings, embedding: bool) -> LlamaOptions:
    machine = settings.machine
    # Texts one after the other get the same vectors in every batch.
    slots = 1 if embedding else machine.slots
    context = int(min(LONGEST_TEXT if embedding else settings.llm.num_ctx, header.context or inf))
    needed = header.size + header.cache_bytes(slots * context)
    return LlamaOptions(
        str(file),
        slots,
        context,
        needed,
        machine.llama_threads,
        machine.gpu_layers,
        embedding,
        header.cache_bytes(CACHED_TOKENS),
    )
