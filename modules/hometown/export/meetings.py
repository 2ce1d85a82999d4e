"""A chapter of the diary: what people came together for."""

from __future__ import annotations

from collections.abc import Iterator

from hometown.export.markdown import heading, plain
from hometown.export.wording import Wording, clock
from hometown.history.occasions import Met, occasions


class Meetings(Wording):
    def lines(self) -> Iterator[str]:
        """Every occasion that is over: when and where, who came, who came late, and who stayed away and what it did instead."""
        found = list(occasions(self.run, self.last))
        if not found:
            return
        yield ""
        yield heading(2, self.say("meetings"), "meetings")
        yield ""
        for met in found:
            yield from self._met(met)

    def _met(self, met: Met) -> Iterator[str]:
        occasion = met.occasion
        span = f"{self.when(occasion.start)}–{clock(occasion.end)}"
        yield f"- **{span}{self.say('comma')}{plain(self.names.place(occasion.address))}** — {plain(occasion.what)}"
        late = [guest for guest in met.came if occasion.is_late(guest)]
        if in_time := [guest for guest in met.came if guest not in late]:
            yield f"  - {self.say('came')} {self.listed(plain(self.names.person(guest.who)) for guest in in_time)}"
        if late:
            yield f"  - {self.say('came_late')} {self.listed(f'{plain(self.names.person(guest.who))} ({clock(guest.came)})' for guest in late if guest.came)}"
        for absence in met.away:
            yield "  - " + self.say("was_elsewhere", name=self.names.person(absence.who), doing=absence.doing)
