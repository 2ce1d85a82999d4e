"""The work of `hometown start`: finds or fetches a model that fits this machine, lives an hour of
a small town with it, and opens the page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from hometown.cli.models import report_fetch
from hometown.cli.options import Folders, SessionOptions, TownOptions
from hometown.cli.signals import run_stoppable
from hometown.cli.simulation import Simulation
from hometown.cli.stoppable_session import live_session
from hometown.cli.texts import Text
from hometown.cli.user_language import locale_language
from hometown.config import Layer, combine
from hometown.doctor.first_hour import (
    HOUR,
    NAME,
    NO_WAY,
    START,
    STRIDE,
    WORLD,
    Offer,
    describe_search,
    find_offer,
)
from hometown.errors import BadInput, ModelUnavailable
from hometown.language import Lang
from hometown.own_commands import list_command
from hometown.settings import Settings
from hometown.storage.run_names import free_name
from hometown.text import N_


@dataclass(frozen=True)
class Start:
    """The choices of the user: those that are None are asked for."""

    lang: Lang | None
    llm: str | None
    has_agreed: bool
    opens_page: bool
    port: int
    folders: Folders


def start_town(choices: Start, layers: Sequence[Layer], text: Text) -> int:
    """Live the first hour, show it and return the exit code. Raises BadInput if there is no
    terminal to ask in, or no model and the user does not want the rules to play.
    """
    if not (choices.has_agreed or sys.stdin.isatty()):
        raise BadInput("there is no terminal to ask in: add --yes to take what is proposed")
    lang = choices.lang or _ask_language(choices, text)
    settings = combine(list(layers))
    offer = (
        Offer(choices.llm) if choices.llm else _agree(_find(settings, lang, text), choices, text)
    )
    if offer.to_fetch:
        report_fetch(
            offer.to_fetch.name, layers, text, as_file=not offer.spec.startswith("ollama:")
        )
    if offer.address:
        offer.use_server()
        print(
            text(
                "{model} is at {address}: for later commands, set OPENAI_BASE_URL or "
                "machine.openai_base_url to that.",
                model=offer.spec,
                address=offer.address,
            )
        )
    code = live_session(_first_hour(choices, offer, lang), list(layers), text)
    if code or not choices.opens_page:
        return code
    from hometown.cli.page_server import Binding, serve_page

    binding = Binding("127.0.0.1", choices.port, is_public=False, proxy="")
    return serve_page(binding, "", choices.folders, layers, text, opens_browser=sys.stdout.isatty())


def _first_hour(choices: Start, offer: Offer, lang: Lang) -> Simulation:
    return Simulation(
        name=free_name(choices.folders.results, NAME),
        town=TownOptions(world=WORLD, lang=lang, start=START, stride=STRIDE),
        session=SessionOptions(llm=offer.spec, step=HOUR // STRIDE),
        folders=choices.folders,
        program="hometown",
    )


def _find(settings: Settings, lang: Lang, text: Text) -> Offer | None:
    """Return the best model that is there or can be fetched, None if there is none, and print the
    search and the servers that failed.

    Raises:
        ModelUnavailable: A server that the user has named fails, and no other has a model.
    """
    for line in describe_search(settings):
        print(line.localize(text.lang), flush=True)
    found = run_stoppable(find_offer(settings, lang))
    if found.failures and found.offer is None:
        raise ModelUnavailable([line for failure in found.failures for line in failure.lines])
    for failure in found.failures:
        print(failure.localize(text.lang), flush=True)
    return found.offer


def _agree(offer: Offer | None, choices: Start, text: Text) -> Offer:
    """Return the offer if the user agrees, or the scripted model if they agree to that. Raises
    BadInput if they agree to neither.
    """
    if offer is None:
        print(NO_WAY.localize(text.lang))
    elif offer.to_fetch:
        size = f"{offer.to_fetch.bytes / 1e9:.1f}"
        if _says_yes(
            N_(
                "No model is there. Fetch {model} ({size} GB), which fits, and live an hour "
                "with it?"
            ),
            choices,
            text,
            model=offer.spec,
            size=size,
        ):
            return offer
    elif _says_yes(N_("{model} is there. Live an hour with it?"), choices, text, model=offer.spec):
        return offer
    if _says_yes(N_("Live the hour by rules, without a language model?"), choices, text):
        return Offer("scripted")
    raise BadInput(
        "no model was chosen: name one with --llm; {command} names some", command=list_command()
    )


def _ask_language(choices: Start, text: Text) -> Lang:
    """Return the language of the town; that of the user's system unless they say otherwise."""
    usual = locale_language()
    if choices.has_agreed:
        return usual
    answer = _answer(text("Language of the town, en or zh [{usual}]: ", usual=usual))
    return "zh" if answer in ("zh", "中文") else "en" if answer == "en" else usual


def _says_yes(question: str, choices: Start, text: Text, **values: object) -> bool:
    """Return True if the user agrees; without an answer they do."""
    print(text(question, **values), end=" ", flush=True)
    if choices.has_agreed:
        print("--yes")
        return True
    return _answer("[Y/n] ") in ("", "y", "yes", "是", "好")


def _answer(question: str) -> str:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().casefold()
