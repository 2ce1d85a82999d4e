"""Pastimes that the scripted model adds to a day of habits."""

from __future__ import annotations

from hometown.scripted.planning import OUTING_MINUTES, _enrich
from hometown.scripted.pursuits import Pursuit


def habit(start: int, end: int) -> Pursuit:
    return Pursuit(f"habit at {start}", f"house/room_{start}", (), (), start * 60, end * 60)


def idea(name: str, place: str) -> Pursuit:
    return Pursuit(name, "", (place,), ())


def test_an_outing_goes_into_the_widest_gap() -> None:
    day = [habit(7, 8), habit(8, 9), habit(13, 14), habit(20, 22)]
    _enrich(day, 10, [idea("walk", "park")])
    walk = day.index(next(each for each in day if each.activity == "walk"))
    assert (walk, day[walk].start, day[walk].end) == (3, 14 * 60, 14 * 60 + OUTING_MINUTES)


def test_no_habit_of_hours_is_cut_short_for_an_outing() -> None:
    day = [habit(7, 9), habit(9, 13), habit(13, 14), habit(14, 18), habit(18, 22)]
    for each in range(1, len(day)):
        day[each] = Pursuit(
            day[each].activity, "house/room_7", (), (), *(day[each].start, day[each].end)
        )
    _enrich(day, 10, [idea("walk", "park")])
    assert all(each.activity != "walk" for each in day)
