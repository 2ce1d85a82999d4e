"""A resident's knowledge of the town: the places that they know, and the things that they saw
there, in the state in which they last saw them.
"""

from __future__ import annotations

from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.world import keys
from hometown.world.rows import Known, KnownPlaces


def beliefs(run: RunReader, who: str, first: int, last: int) -> shapes.Beliefs:
    """Return the places and the states of things that a resident knows: as steps `first` to `last`
    begin, then each change in them. Things in their usual state are left out.
    """
    begin = run.begin(first)
    before: dict[str, tuple[int, str, dict[str, str]]] = {}
    later: list[tuple[int, str, dict[str, str]]] = []
    for key, step, row in run.rows_below(keys.KNOWN.below(who), last):
        arena = keys.KNOWN.detail(key)
        seen = {address: state for address, state in (row or Known()).things if state}
        if step <= begin:
            before[arena] = (begin, arena, seen)
        else:
            later.append((step, arena, seen))
    places = [
        (since, list((row or KnownPlaces()).arenas))
        for since, row in run.versions(keys.PLACES.of(who), begin, last)
    ]
    return {
        "from": first,
        "to": last,
        "radius": run.manifest.settings.percept.vision_r,
        "places": places,
        "things": [
            *(seen for seen in before.values() if seen[2]),
            *sorted(later, key=lambda seen: seen[:2]),
        ],
    }
