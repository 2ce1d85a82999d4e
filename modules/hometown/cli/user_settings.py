"""The settings that the user has given to a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hometown.paths import CONFIG

if TYPE_CHECKING:
    from hometown.config import Layer

BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def read_settings(
    config: Path | None = None,
    *models: str | None,
    shards: int | None = None,
    ray: str | None = None,
) -> list[Layer]:
    """Return the user's settings, weakest first, and permit the models that the user names.

    BLAS is told its number of threads, which it reads when NumPy is imported.

    Args:
        config: The user's file of settings, besides the usual one.
        models: Language models and embeddings of the command line.
        shards: The number of shards of the command line.
        ray: The Ray cluster of the command line.
    """
    from hometown.config import combine, read_layer
    from hometown.model.permission import names_of_user, permit

    layers = [
        read_layer(file)
        for file in (CONFIG, config)
        if file and (file is not CONFIG or file.exists())
    ]
    machine = {
        name: value for name, value in (("shards", shards), ("ray", ray)) if value is not None
    }
    layers += [{"machine": machine}] if machine else []
    settings = combine(layers)
    os.environ.update(dict.fromkeys(BLAS, str(settings.machine.threads)))
    permit([*names_of_user(settings), *(model or "" for model in models)])
    return list(layers)
