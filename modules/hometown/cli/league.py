"""The work of `hometown league`: models live the same hours, and one page compares them. A league
that was stopped is continued.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from hometown.cli.contacts import contacts, print_servers
from hometown.cli.league_options import LeagueOptions
from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.config import Layer, combine, merge_layers
from hometown.defaults import DEFAULT_SEED
from hometown.errors import HometownError
from hometown.language import Lang
from hometown.league_interface import WORLD, League
from hometown.model.permission import models_in


def hold_league(
    models: Sequence[str],
    options: LeagueOptions,
    lang: Lang,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
) -> int:
    """Let models live, print cards and page as they are done, and return the last failure's code.

    Raises:
        BadInput: An option is not possible; nothing was lived.
    """
    nothing: Layer = {}
    settings, here = reduce(merge_layers, layers, nothing), combine(layers)
    embedding = options.embedding or "hash"
    league = League.prepare(
        models,
        world=options.world or WORLD,
        lang=lang,
        start=options.start,
        hours=options.hours,
        residents=options.residents or (),
        seed=DEFAULT_SEED if options.seed is None else options.seed,
        embedding=embedding,
        farmstead_days=options.farmstead,
        cards=options.card,
        runs=options.run,
        settings=dict(settings),
        results=folders.results,
        worlds=folders.worlds,
    )
    print_servers(contacts([*league.models, *models_in(here)], embedding, here), text)

    def show(model: str, result: Path | HometownError | None) -> None:
        """Print the model that begins, its card and the page, or its error."""
        if isinstance(result, HometownError):
            print(result.localize(text.lang), file=sys.stderr, flush=True)
        else:
            print(result or model, flush=True)
            if result:
                print(text("page: {file}", file=league.page), flush=True)

    report = league.run(lang=text.lang, progress=show)
    return [0, *(error.exit_code for error in report.errors.values())][-1]
