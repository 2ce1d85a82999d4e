"""Goals: what a resident works towards over days. They are revised when a new day begins."""

from __future__ import annotations

from datetime import date

from hometown.frozen import frozen


@frozen
class Goal:
    """Something worked towards since a date, which has been on the plan of so many days."""

    what: str
    since: date
    days: int = 0


@frozen
class Goals:
    """`goals/<resident>`: what it works towards, the most important first."""

    items: tuple[Goal, ...] = ()

    def revised(self, whats: tuple[str, ...], today: date) -> Goals:
        """As they are worded now: those that there were keep their date, others begin today.

        >>> Goals((Goal("writing a waltz", date(2025, 2, 13), 2),)).revised(("writing a waltz", "learning Welsh"), date(2025, 2, 15)).items[1].since.day
        15
        """
        known = {goal.what: goal for goal in self.items}
        return Goals(tuple(known.get(what) or Goal(what, today) for what in whats))
