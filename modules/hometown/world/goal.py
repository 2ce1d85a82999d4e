"""Goals of a resident over days. They are revised at the start of a day."""

from __future__ import annotations

from datetime import date

from hometown.frozen import frozen


@frozen
class Goal:
    """A goal, with its date and the number of days on whose plan it was."""

    what: str
    since: date
    days: int = 0


@frozen
class Goals:
    """`goals/<resident>`: the goals, the most important first."""

    items: tuple[Goal, ...] = ()

    def revised(self, whats: tuple[str, ...], today: date) -> Goals:
        """Return goals with new wordings: known ones keep their date, others begin today.

        >>> Goals((Goal("writing a waltz", date(2025, 2, 13), 2),)).revised(("writing a waltz", "learning Welsh"), date(2025, 2, 15)).items[1].since.day
        15
        """
        known = {goal.what: goal for goal in self.items}
        return Goals(tuple(known.get(what) or Goal(what, today) for what in whats))
