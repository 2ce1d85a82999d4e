"""`hometown visit`: a person visits a town that another process simulates, in a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from hometown.cli.options import Folders
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.errors import BadInput
from hometown.history.names import model_name
from hometown.history.visitor_view import VisitorView
from hometown.text import N_
from hometown.visit_interface import VisitHost

HELP = N_(
    "go PLACE – walk there; NAME: WORDS – speak; WORDS – go on speaking, an empty line ends it;\n"
    "give NAME: THING – hand over; look – look around; leave – leave town"
)


def visit_town(name: str, visitor: str, folders: Folders, text: Text) -> int:
    """Let the user visit a town under a name, until they leave it, and return 0.

    Raises:
        BadInput: The name is impossible, or that of a resident.
        BadRun: No process simulates the run.
    """
    host = VisitHost(name, visitor, folders.results, folders.worlds)
    with host.run:
        print(text("model: {name}", name=model_name(host.run.manifest)))
        Terminal(host, text).live()
    return 0


class Terminal:
    """A visit in a terminal. `partner` is the resident to whom words without a name go, "" for
    none.
    """

    def __init__(self, host: VisitHost, text: Text) -> None:
        self.host, self.text = host, text
        self.partner = ""

    def live(self) -> None:
        """Enter the town, and do what the user writes until they leave or their input ends. Whoever
        is interrupted leaves as well, without waiting for it.
        """
        print(self.text(HELP))
        try:
            self._show(run_stoppable(self.host.enter()))
            for line in _read_lines():
                try:
                    self._do(line)
                except BadInput as error:
                    print(error.localize(self.text.lang))
        except BaseException:
            self.host.visit.leave()
            raise
        run_stoppable(self.host.leave())

    def _do(self, line: str) -> None:
        """Carry out a typed line. Raises BadInput for unknown names and words without a resident."""
        word, _, rest = line.partition(" ")
        other, colon, words = _split_name(line)
        if word == "go" and rest:
            self._show(run_stoppable(self.host.walk(rest)))
        elif word == "give" and rest:
            other, _, thing = _split_name(rest)
            self._show(run_stoppable(self.host.give(other, thing)))
        elif line == "look":
            self._show(self.host.look())
        elif colon and not (self.partner and not self.host.visit.knows(other)):
            self.partner = self.host.visit.resolve_resident(other)
            self._speak(words)
        elif self.partner:
            self._speak(line)
        elif line:
            raise BadInput("nobody is spoken to yet: write NAME: WORDS")

    def _speak(self, words: str) -> None:
        """Say words to the partner, and print the answer; "" ends the conversation."""
        if answer := run_stoppable(self.host.say(self.partner, words)):
            print(f"{self.host.visit.world.name_of(self.partner)}: {answer}")
        self.partner = self.host.partner
        if not self.partner:
            self._show(self.host.look())

    def _show(self, seen: VisitorView) -> None:
        """Print the visitor's surroundings, and the resident who has addressed them."""
        world = self.host.visit.world
        print(f"{seen.now:%H:%M} {world.place_name(seen.place)}")
        for each in seen.near:
            print(f"  {each.name}: {each.doing}")
        if spoken := self.host.addressed:
            self.partner = spoken.speaker
            name = world.name_of(spoken.speaker)
            print(self.text("  {name} says to you: {words}", name=name, words=spoken.text))
        if seen.refused:
            print(f"  {seen.refused}")
        places = "; ".join(map(world.place_name, seen.places))
        print(self.text("  open to all: {places}", places=places))


def _split_name(line: str) -> tuple[str, bool, str]:
    """Return what stands before the first colon of a line, which may be a full-width one, whether
    there is one, and what follows it.

    >>> _split_name("林悦：你好"), _split_name("hello")
    (('林悦', True, '你好'), ('hello', False, ''))
    """
    name, *words = re.split("[:：]", line, maxsplit=1)
    return name.strip(), bool(words), "".join(words).strip()


def _read_lines() -> Iterator[str]:
    """Yield the lines that the user types, until "leave" or the end of their input."""
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line or line.strip() == "leave":
            return
        yield line.strip()
