"""The work of `hometown wishes`: the outcomes of the wishes whispered to residents."""

from __future__ import annotations

import orjson

from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes import WishStepView, WishView
from hometown.history.wish_threads import list_wishes
from hometown.text import N_

EVENTS = {
    "heard": N_("came to mind"),
    "planned": N_("planned"),
    "left": N_("not planned"),
    "begun": N_("begun"),
    "sought": N_("approached"),
    "missed": N_("did not meet them"),
    "talked": N_("did not come up in a conversation"),
    "done": N_("carried out"),
    "refused": N_("refused"),
    "forgotten": N_("forgotten"),
    "overtaken": N_("overtaken by events"),
}
"""The events in the course of a wish, as they are printed."""


def show_wishes(name: str, folders: Folders, text: Text, *, as_json: bool) -> int:
    """Print the wishes of a run with their course, as text or as JSON, and return 0."""
    with RunReader.open(folders.results, name) as run:
        found = list_wishes(run)
        if as_json:
            print(orjson.dumps(found, option=orjson.OPT_INDENT_2).decode())
            return 0
        if not found:
            print(text("Nobody has heard an inner voice in this run."))
        names = Names.of(run.run, folders.worlds)
        for wish in found:
            _print_wish(run, wish, names.person(wish["who"]), text)
    return 0


def _print_wish(run: RunReader, wish: WishView, who: str, text: Text) -> None:
    """Print one wish: who has it, its words, and its course."""
    print(f"{who}: {wish['text']}")
    for step in wish["steps"]:
        print(f"  {_describe(run, step, text)}")


def _describe(run: RunReader, step: WishStepView, text: Text) -> str:
    """Return an event in one line: the time, the kind, and the reason."""
    moment = run.moment(step["tick"] // run.ticks)
    event = text(EVENTS[step["event"]])
    return f"{moment:%Y-%m-%d %H:%M}  {event}" + (f": {step['why']}" if step["why"] else "")
