"""A chapter of the diary: the occasions for which people met."""

from __future__ import annotations

from collections.abc import Iterator

from hometown.clock import format_time
from hometown.export.diary_wording import Wording
from hometown.history.occasions import Met, occasions
from hometown.markdown import Markdown, heading


class MeetingsChapter(Wording):
    """The chapter of the diary about the occasions for which people met."""

    def lines(self) -> Iterator[Markdown]:
        """Yield the heading and every occasion that is over; nothing if there is none."""
        found = list(occasions(self.run, self.last))
        if not found:
            return
        yield Markdown()
        yield heading(2, self.say("meetings"), "meetings")
        yield Markdown()
        for met in found:
            yield from self._describe_occasion(met)

    def _describe_occasion(self, met: Met) -> Iterator[Markdown]:
        """Yield the list items of an occasion: time, place and subject; the guests who were in
        time; those who were late, with their time; and each absentee's activity meanwhile.
        """
        occasion = met.occasion
        place = self.names.place(occasion.address)
        yield Markdown("- **{}–{}{}{}** — {}").format(
            self.when(occasion.start),
            format_time(occasion.end),
            self.say("comma"),
            place,
            occasion.what,
        )
        late = [guest for guest in met.came if occasion.is_late(guest)]
        if in_time := [guest for guest in met.came if guest not in late]:
            people = self.join_names(self.names.person(guest.who) for guest in in_time)
            yield Markdown("  - {}").format(self.label(self.say("came"), people))
        if late:
            people = self.join_names(
                f"{self.names.person(guest.who)} ({format_time(guest.came)})"
                for guest in late
                if guest.came
            )
            yield Markdown("  - {}").format(self.label(self.say("came_late"), people))
        for absence in met.away:
            yield Markdown("  - {}").format(
                self.say("was_elsewhere", name=self.names.person(absence.who), doing=absence.doing)
            )
