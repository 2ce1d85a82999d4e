"""The work of `hometown league`: models live the same hours, and one page compares them. A league
that was stopped is continued.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from hometown.backends import split_spec
from hometown.cli.contacts import contacts, print_servers
from hometown.cli.league_options import LeagueOptions
from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.config import Layer, combine, merge_layers
from hometown.defaults import DEFAULT_SEED, DEFAULT_STRIDE
from hometown.errors import BadInput, HometownError, OutputLost, collect_faults
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.model.llama.gguf_files import find_file
from hometown.model.permission import models_in
from hometown.own_commands import list_command
from hometown.settings import Settings
from hometown.study.experiment.running import alone
from hometown.study.experiment.spec import TownSpec
from hometown.study.experiment.work_pools import open_pool
from hometown.study.league.card import Card, card_name, read_card, read_cards, write_card
from hometown.study.league.card_figures import measure_card
from hometown.study.league.card_picture import write_picture
from hometown.study.league.league_entries import STAND_IN, League, LeagueEntry, enter, live_entry
from hometown.study.league.league_page import write_page
from hometown.text import Phrase
from hometown.world.intervention_time import MOMENT

WORLD = "minitown"
"""The world that is lived where none is named."""


def hold_league(
    models: Sequence[str],
    options: LeagueOptions,
    lang: Lang,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
) -> int:
    """Let models live, print their cards and the page as they are done, and return the exit code:
    that of the last model that failed, while the others go on.

    Raises:
        BadInput: An option is not possible; nothing was lived.
    """
    shown, here = _read_shown(options, folders.results), combine(layers)
    league = _describe(options, lang, layers, folders.results)
    entries = [enter(league, model, folders.worlds) for model in _list_models(models, here)]
    asked = [*(entry.model for entry in entries), *models_in(here)]
    print_servers(contacts(asked, league.embedding, here), text)
    code = 0
    with alone(league.folder):
        for entry in entries:
            try:
                card = _live(entry, folders.worlds, here, text.lang)
            except OutputLost:
                raise
            except HometownError as error:
                print(error.localize(text.lang), file=sys.stderr, flush=True)
                code = error.exit_code
                continue
            cards = [card, *(each for each in read_cards(league.folder) if each != card), *shown]
            page = write_page(cards, league.folder, text.lang)
            print(text("page: {file}", file=page), flush=True)
    return code


def _describe(options: LeagueOptions, lang: Lang, layers: Sequence[Layer], results: Path) -> League:
    """Return the league that the options describe, under the user's settings of a town."""
    nothing: Layer = {}
    settings = reduce(merge_layers, layers, nothing)
    return League(
        town=TownSpec(
            world=options.world or WORLD,
            lang=lang,
            residents=list(options.residents or ()),
            start=f"{options.start:{MOMENT}}" if options.start else None,
            until=str(options.hours * 60 // DEFAULT_STRIDE),
        ),
        seed=DEFAULT_SEED if options.seed is None else options.seed,
        embedding=options.embedding or "hash",
        settings={name: part for name, part in settings.items() if name != "machine"},
        farmstead_days=options.farmstead,
        results=results,
    )


def _read_shown(options: LeagueOptions, results: Path) -> list[Card]:
    """Return the cards of others, and those of runs.

    Raises:
        BadInput: A file is no card, or there is no such run.
    """
    cards = [read_card(file) for file in options.card]
    for name in options.run:
        with RunReader.open(results, name) as run:
            cards.append(measure_card(run, "run"))
    return cards


def _list_models(models: Sequence[str], here: Settings) -> list[str]:
    """Return the models that take part, the stand-in first, since it takes no time.

    Raises:
        BadInput: With a line for each model that cannot take part, as far as is known before it is
            loaded.
    """
    faults: list[Phrase] = []
    names: dict[str, str] = {}
    every = list(dict.fromkeys([STAND_IN, *models]))
    for model in every:
        with collect_faults(faults):
            _check_model(model, here)
        other = names.setdefault(card_name(model), model)
        if other != model:
            faults.append(
                Phrase(
                    "{model!r} and {other!r} have the same name for files: rename one of them",
                    model=model,
                    other=other,
                )
            )
    if faults:
        raise BadInput(faults)
    return every


def _check_model(model: str, here: Settings) -> None:
    """Raise BadInput for a model that no backend has, or whose file is missing."""
    if model == "auto":
        raise BadInput(
            "a league compares models by their names: name one in place of auto; {command} names some",
            command=list_command(),
        )
    if model != STAND_IN:
        backend, name = split_spec(model)
        if backend == "gguf":
            find_file(name, here)


def _live(entry: LeagueEntry, worlds: Path, here: Settings, lang: Lang) -> Card:
    """Return the card of a model that has lived, and write it with its picture."""
    print(entry.model, flush=True)
    with open_pool(entry.parts[0][0], 1, here) as pool:
        card = live_entry(entry, worlds, here, pool)
    write_picture(card, entry.league.folder, lang)
    print(write_card(card, entry.league.folder), flush=True)
    return card
