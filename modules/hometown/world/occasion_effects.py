"""Applying the effects on occasions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import reduce

from hometown.world import keys, social
from hometown.world.occasion import Occasion, Occasions
from hometown.world.state import State


def apply_occasion(effect: social.OccasionEffect, state: State) -> None:
    """Apply one effect: list a new occasion, or change the row of one that is there, and the lists
    of those that are to come and that were called off.
    """
    there = state.occasion(effect.id)
    if isinstance(effect, social.OccasionSet):
        if there is None:
            state.put(keys.OCCASIONS.key, state.occasion_list.with_new(effect.id))
        state.put(keys.OCCASION.of(effect.id), _join(there, effect.occasion))
    elif isinstance(effect, social.OccasionEnded):
        left = state.occasion_list.without(effect.id)
        state.put(keys.OCCASIONS.key, left if left != Occasions() else None)
    elif there is not None:
        if isinstance(effect, social.OccasionCalledOff):
            _list_as_called_off(effect.id, state)
        state.put(keys.OCCASION.of(effect.id), _change(there, effect, state))


def _join(there: Occasion | None, new: Occasion) -> Occasion:
    """Return an occasion with the hours and the guests of another one, which it is itself if none is
    there.
    """
    if there is None:
        return new
    moved = replace(there, start=new.start, minutes=new.minutes)
    return reduce(Occasion.along, new.guests, moved)


def _list_as_called_off(number: str, state: State) -> None:
    """Move an occasion to those called off lately, and forget those that would be over."""
    lately = tuple(each for each, held in state.called_off if held.end > state.clock.now)
    left = state.occasion_list.without(number)
    state.put(keys.OCCASIONS.key, replace(left, called_off=(*lately, number)))


def _change(occasion: Occasion, effect: social.OccasionEffect, state: State) -> Occasion:
    """Return an occasion after an effect on it."""
    match effect:
        case social.OccasionKnown(_, guest):
            return occasion.along(guest)
        case social.OccasionDeclined(_, who):
            return occasion.without(who)
        case social.OccasionCalledOff(_, by, why):
            return occasion.changed_by(by, "called off", why)
        case social.OccasionMoved(_, by, address, start, why):
            return replace(
                occasion.changed_by(by, "moved", why),
                address=address,
                start=start,
                moved_from=occasion.start,
                moved_out_of=occasion.address,
            )
        case social.OccasionFellThrough():
            minutes = (state.clock.now - occasion.start) // timedelta(minutes=1)
            return replace(occasion, minutes=minutes, fate="fell through")
    return occasion
