"""The settings that the user has given to a command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hometown.cli.options import Options
from hometown.paths import CONFIG

if TYPE_CHECKING:
    from hometown.config import Layer

BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def read_settings(options: Options) -> list[Layer]:
    """The user's settings, weakest first. Models that the user names are permitted from now on.

    BLAS is told its number of threads, which it reads when NumPy is imported.
    """
    from hometown.config import combine, read_layer
    from hometown.model.permission import names_of_user, permit

    layers = [
        read_layer(file)
        for file in (CONFIG, options.config)
        if file and (file is not CONFIG or file.exists())
    ]
    given = {
        name: value
        for name, value in (("shards", options.shards), ("ray", options.ray))
        if value is not None
    }
    layers += [{"machine": given}] if given else []
    settings = combine(layers)
    os.environ.update(dict.fromkeys(BLAS, str(settings.machine.threads)))
    permit([*names_of_user(settings), options.llm or "", options.embedding or ""])
    return list(layers)
