"""`hometown visit`: a person visits a town that another process simulates, in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.errors import BadInput, BadRun
from hometown.history.names import model_name
from hometown.history.visitor_view import TownVisit
from hometown.session import same_cast
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_of
from hometown.text import N_

LOOK_SECONDS = 0.1
"""Seconds between two looks at the run."""

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
    with RunFile.open(folders.results, name) as run:
        if not is_held(run.file.parent):
            raise BadRun(
                "nothing happens in run {name!r} now: let it go on in another terminal, with hometown resume {name} --step 144 --pace 5",
                name=name,
            )
        founded = same_cast(world_of(run, folders.worlds), run.manifest)
        print(text("model: {name}", name=model_name(run.manifest)))
        Terminal(run, TownVisit(run, founded, visitor), text).live()
    return 0


class Terminal:
    """A visit in a terminal. `partner` is the resident spoken to, "" for none, and `seen` the last
    step that was shown.
    """

    def __init__(self, run: RunFile, visit: TownVisit, text: Text) -> None:
        self.run, self.visit, self.text = run, visit, text
        self.partner, self.seen = "", run.last.step

    def live(self) -> None:
        """Enter the town, and do what the user writes until they leave or their input ends."""
        print(self.text(HELP))
        self._wait(self.visit.enter())
        self._show()
        for line in _read_lines():
            try:
                self._do(line)
            except BadInput as error:
                print(error.localize(self.text.lang))
        self._wait(self.visit.leave())

    def _do(self, line: str) -> None:
        """Do what a line says. Raises BadInput for unknown names and words without a resident."""
        word, _, rest = line.partition(" ")
        other, colon, words = line.partition(":")
        if word == "go" and rest:
            self._wait(self.visit.walk(rest))
            self._show()
        elif word == "give" and rest:
            other, _, thing = rest.partition(":")
            self._wait(self.visit.give(other.strip(), thing))
            self._show()
        elif line == "look":
            self._show()
        elif colon and not (self.partner and not self.visit.knows(other.strip())):
            self.partner = self.visit.resolve_resident(other.strip())
            self._speak(words.strip())
        elif self.partner:
            self._speak(line)
        elif line:
            raise BadInput("nobody is spoken to yet: write NAME: WORDS")

    def _speak(self, words: str) -> None:
        """Say words to the partner, and print the answer; "" ends the conversation."""
        before, heard = self.run.last.step, self.visit.hear(self.partner)
        number = self.visit.say(self.partner, words)
        answer = self._wait(number, lambda: _unless(self.visit.hear(self.partner), heard))
        if answer:
            print(f"{self.visit.world.name_of(self.partner)}: {answer}")
            return
        lines = self.visit.list_latest_lines(before)
        last = lines[-1] if lines else None
        if words and last and last.speaker == self.partner and last.text != heard:
            print(f"{self.visit.world.name_of(self.partner)}: {last.text}")
        self.partner = ""
        self._show()

    def _wait(self, number: int, hear: Callable[[], str] = str) -> str:
        """Wait until an intervention is carried out and saved, or until something is heard, which is
        returned. Raises BadRun if the run ends meanwhile.
        """
        while not self.visit.is_done(number):
            if said := hear():
                return said
            if not is_held(self.run.file.parent):
                raise BadRun("run {name!r} has ended", name=self.run.manifest.name)
            time.sleep(LOOK_SECONDS)
        return ""

    def _show(self) -> None:
        """Print what the visitor sees, and who has addressed them, whom they may answer."""
        seen, last = self.visit.look(), self.run.last.step
        name_place = self.visit.world.place_name
        print(f"{seen.now:%H:%M} {name_place(seen.place)}")
        for each in seen.near:
            print(f"  {each.name}: {each.doing}")
        if spoken := self.visit.find_address(self.seen):
            self.partner = spoken.speaker
            name = self.visit.world.name_of(spoken.speaker)
            print(self.text("  {name} says to you: {words}", name=name, words=spoken.text))
        self.seen = last
        if seen.refused:
            print(f"  {seen.refused}")
        print(self.text("  open to all: {places}", places="; ".join(map(name_place, seen.places))))


def _read_lines() -> Iterator[str]:
    """Yield the lines that the user types, until "leave" or the end of their input."""
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line or line.strip() == "leave":
            return
        yield line.strip()


def _unless(line: str, before: str) -> str:
    """Return a line; "" if it is the one before."""
    return "" if line == before else line
