"""Steps → frames: 60 a step at every stride, so that a frame lasts `stride` game seconds.

A tick is 10 game seconds, and a tile entered in tick t of a step is shown from the moment at which
t + 1 ticks have passed. Frame k (1 to 60) of a step shows the moment after ⌊k · ticks / 60⌋ ticks;
the 60th is the step's end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil

from hometown.clock import TICK_SECONDS, TICKS_PER_MINUTE
from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import Entered, RunReader
from hometown.history.report_wording import REPORT_TEXTS
from hometown.history.shapes.versioned_values import Versions
from hometown.memory.action import Action
from hometown.text import translate_all
from hometown.world.conversation import Conversation
from hometown.world.maze import Tile

FRAMES = 60
"""Frames of a step."""

STEPS_PER_BLOCK = 72
"""Number of steps read at once."""

ASLEEP, WALKING, TALKING = "💤", "🚶", "💬"


@frozen
class Appearance:
    """A resident's appearance: the tile, the name of the place, and the activity as a text that
    begins with an emoji.
    """

    tile: Tile
    location: str
    action: str


def find_tick(frame: int, stride: int) -> int:
    """Return the ticks of a step that have passed at its frame `frame`, 1 to 60.

    >>> find_tick(1, 10), find_tick(60, 10), find_tick(1, 1), find_tick(60, 1), find_tick(1, 60)
    (1, 60, 0, 6, 6)
    """
    return frame * stride * TICKS_PER_MINUTE // FRAMES


def tile_after(ticks: int, path: list[Entered], start: Tile) -> Tile:
    """Return the tile of a resident, who began the step at `start`, after a number of its ticks.

    >>> tile_after(0, [(0, 5, 1), (3, 6, 1)], (4, 1)), tile_after(3, [(0, 5, 1), (3, 6, 1)], (4, 1))
    ((4, 1), (5, 1))
    """
    count = bisect_right(path, (ticks - 1, 1 << 16, 0))
    return path[count - 1][1:] if count else start


def frame_after(ticks: int, stride: int) -> int:
    """Return the first frame of a step, from 1, at or after a number of its ticks; beyond `FRAMES`,
    it is in the next step.

    >>> frame_after(0, 10), frame_after(7, 10), frame_after(7, 60), frame_after(360, 60), frame_after(1, 1)
    (1, 7, 2, 60, 10)
    """
    return max(1, -(-ticks * FRAMES // (stride * TICKS_PER_MINUTE)))


class Film:
    """A run, frame by frame."""

    def __init__(self, run: RunReader, names: Names) -> None:
        self.run = run
        self.names = names
        self.people = run.residents  # those who come meanwhile are left out
        self.stride = run.manifest.stride
        self.words = translate_all(REPORT_TEXTS, run.manifest.lang)

    def opening(self) -> dict[str, Appearance]:
        """Return the appearance of all residents at the run's start: frame 0."""
        tiles = self.run.positions(1)
        actions = self.run.actions(0, 0)
        start = self.run.manifest.start
        return {
            who: self._describe(who, tiles[who], actions[who][0][1], None, start)
            for who in self.people
        }

    def frames(self, first: int, last: int) -> Iterator[tuple[int, dict[str, Appearance]]]:
        """Yield the frames of steps `first` to `last`, numbered from the run's first as 1, with the
        residents who changed their appearance.

        The first frame holds all residents who differ from the opening; where `first` is a later
        step, it holds all residents.
        """
        before = self.opening() if first == 1 else {}
        tiles = self.run.positions(first)
        for start, end in blocks(first, last, STEPS_PER_BLOCK):
            paths = self.run.trajectories(start, end)
            conversations = self._conversations(start, end)
            actions = self.run.actions(start, end)
            for step in range(start, end + 1):
                changes: dict[int, dict[str, Appearance]] = {}
                for who in self.people:
                    path = paths.get(step, {}).get(who, [])
                    for frame, shown in self._appearances(
                        step,
                        who,
                        find_action(actions[who], step),
                        path,
                        tiles[who],
                        conversations.get(who, []),
                    ):
                        if before.get(who) != shown:
                            changes.setdefault(frame, {})[who] = before[who] = shown
                    if path:
                        tiles[who] = path[-1][1:]
                for frame in range(1, FRAMES + 1):
                    yield (step - 1) * FRAMES + frame, changes.get(frame, {})

    def _appearances(
        self,
        step: int,
        who: str,
        action: Action,
        path: list[Entered],
        tile: Tile,
        conversations: list[Conversation],
    ) -> Iterator[tuple[int, Appearance]]:
        """Yield a resident's appearance in the first frame of a step and in each frame in which it
        may change.
        """
        start = self.run.moment(step - 1)
        current = [
            conversation
            for conversation in conversations
            if conversation.step <= step and end_of(conversation) >= start
        ]
        turns = [
            moment
            for conversation in current
            for moment in (conversation.started, end_of(conversation))
        ] + ([action.started] if action.started else [])
        ticks = {
            0,
            *(tick + 1 for tick, _, _ in path),
            *(ceil((turn - start).total_seconds() / TICK_SECONDS) for turn in turns),
        }
        for frame in sorted({frame_after(tick, self.stride) for tick in ticks}):
            if frame > FRAMES:
                break
            passed = find_tick(frame, self.stride)
            now = start + timedelta(seconds=passed * TICK_SECONDS)
            conversation = next(
                (
                    conversation
                    for conversation in current
                    if conversation.started <= now < end_of(conversation)
                ),
                None,
            )
            yield (
                frame,
                self._describe(who, tile_after(passed, path, tile), action, conversation, now),
            )

    def _describe(
        self, who: str, tile: Tile, action: Action, conversation: Conversation | None, now: datetime
    ) -> Appearance:
        """Return a resident's appearance on a tile at a time: talking if a conversation is given,
        on the way before the action has started, or else at the action.
        """
        location = self.names.place_at(tile, action.address)
        if conversation:
            return Appearance(
                tile,
                location,
                f"{TALKING} {self.words['talking'].format(name=self.names.people(conversation.others(who)))}",
            )
        if action.started is None or action.started > now:
            return Appearance(
                tile,
                location,
                f"{WALKING} {self.words['on_the_way'].format(place=self.names.place(action.address))}",
            )
        return Appearance(tile, location, label_activity(action))

    def _conversations(self, first: int, last: int) -> dict[str, list[Conversation]]:
        """Return the conversations in progress at any time in steps `first` to `last`, by
        resident.
        """
        longest = ceil(self.run.manifest.settings.chat.max_minutes / self.stride)
        by_resident: dict[str, list[Conversation]] = {}
        for conversation in self.run.conversations(first - longest, last):
            for who in conversation.people:
                by_resident.setdefault(who, []).append(conversation)
        return by_resident


def end_of(conversation: Conversation) -> datetime:
    """Return the time at which a conversation ends."""
    return conversation.started + timedelta(minutes=conversation.minutes)


def find_action(versions: Versions[Action], step: int) -> Action:
    """Return the action in force in a step: the latest of the versions up to it. The first version
    must not be later than the step.
    """
    return next(action for since, action in reversed(versions) if since <= step)


def label_activity(action: Action) -> str:
    """Return an activity with its emoji before it.

    >>> label_activity(Action("sleep", "sleeping", "home/room/bed", 60))
    '💤 sleeping'
    """
    emoji = action.emoji or (ASLEEP if action.kind == "sleep" else "")
    return f"{emoji} {action.activity}".strip()
