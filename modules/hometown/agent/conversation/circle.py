"""A conversation under way: who is in it, what has been said, and whose turn it is.

The next to speak is, of those who are there, whoever the last line names; else who has not spoken
yet; else whom the line concerns most, by what it calls to mind, and the longer somebody has been
silent, the sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf

from hometown.agent.acting.act import describe_neighbour
from hometown.agent.mind import Mind
from hometown.memory.concept import Concept
from hometown.memory.scoring import Scored
from hometown.prompt.talking import Companion, DialogueLine, UtteranceVars
from hometown.text import stands_in
from hometown.world.conversation import Line, Presence
from hometown.world.scene import box_distance

EARSHOT_TILES = 4
"""Tiles within which words can be made out."""

LINES_BEFORE_JOINING = 2
"""Lines after which somebody who joins a conversation from beyond earshot has come up to it."""

URGE_PER_LINE_WAITED = 0.1
"""How much each line of others adds to how much somebody wants to speak; what the last line calls
to mind adds its relevance, 1 at most.
"""


@dataclass(slots=True, eq=False)
class Speaker:
    """One of those who talk: a mind, why it talks ("" for all but who began), for which lines it is
    there, and whether it has rounded it off.

    `before` is what it last talked about with those it meets, as it remembers it. `opening` is what
    it had in mind when it first spoke; `recalled` are the memories that have come to mind since, by
    the number of the line that brought them, and `found` all of them with their scores.
    """

    mind: Mind
    topic: str = ""
    came: int = 0
    left: int | None = None
    done: bool = False
    before: str = ""
    standings: dict[str, str] = field(default_factory=dict)
    opening: UtteranceVars | None = None
    recalled: dict[int, tuple[Concept, ...]] = field(default_factory=dict)
    found: list[Scored] = field(default_factory=list)

    @property
    def who(self) -> str:
        return self.mind.who

    def companion(self, other: str) -> Companion:
        """Another one, as this one knows it."""
        return Companion(
            describe_neighbour(self.mind, other),
            self.standings.get(other, self.mind.state.relation(self.who, other).summary),
        )


class Circle:
    """Those who talk, the first two of whom began it, and their `lines`. It lasts as long as one of
    the first two has somebody to talk with.
    """

    def __init__(self, opener: Mind, partner: Mind, joining: Sequence[Mind], topic: str) -> None:
        self.speakers = [
            Speaker(opener, topic),
            Speaker(partner),
            *(Speaker(mind, came=_first_line_heard(mind, opener)) for mind in joining),
        ]
        self.lines: list[Line] = []

    # who is there -------------------------------------------------------------------------

    @property
    def present_speakers(self) -> list[Speaker]:
        """Those who could speak next."""
        return [
            one
            for one in self.speakers
            if one.came <= len(self.lines) and one.left is None and not one.done
        ]

    @property
    def is_going_on(self) -> bool:
        return len(self.present_speakers) > 1 and any(one.left is None for one in self.speakers[:2])

    def end(self, speaker: Speaker) -> None:
        """A speaker has said its last line: it stays to hear the others round it off, or leaves
        while they go on.
        """
        if len(self.lines) - speaker.came > self.closing(speaker):
            speaker.done = True
        else:
            speaker.left = len(self.lines)

    @property
    def taking_part(self) -> list[Speaker]:
        """The first two, and whoever has joined them and said something."""
        spoken = {line.speaker for line in self.lines}
        return [*self.speakers[:2], *(one for one in self.speakers[2:] if one.who in spoken)]

    def met_by(self, speaker: Speaker) -> list[Speaker]:
        """The others who have taken part while a speaker was there."""
        return [
            one
            for one in self.taking_part
            if one is not speaker
            and one.came < (speaker.left or inf)
            and (one.left or inf) > speaker.came
        ]

    def end_of(self, speaker: Speaker) -> int:
        """The number of the first line for which somebody is no longer there."""
        return len(self.lines) if speaker.left is None else speaker.left

    def knows_all(self, speaker: Speaker) -> bool:
        return speaker.came == 0 and self.end_of(speaker) == len(self.lines)

    def presences(self) -> tuple[Presence, ...]:
        return tuple(Presence(one.who, one.came, self.end_of(one)) for one in self.taking_part)

    # what is said -------------------------------------------------------------------------

    @property
    def max_lines(self) -> int:
        """Lines at most: as many for each of two as there are rounds; more people share them, and
        everybody has one at least.
        """
        came = sum(one.came <= len(self.lines) for one in self.speakers)
        return max(2 * self.speakers[0].mind.settings.chat_iter, 2 * came)

    def closing(self, speaker: Speaker) -> int:
        """The number of lines that a speaker has heard or said from which on its next one is its
        last.
        """
        return (
            self.max_lines
            - len([one for one in self.speakers if one.came <= len(self.lines)])
            - speaker.came
        )

    def dialogue(self, speaker: Speaker) -> tuple[DialogueLine, ...]:
        """The lines that a speaker was there for, with what they brought to its mind and who came
        up with them.
        """
        known = (
            {speaker.who, *(one.other.id for one in speaker.opening.company)}
            if speaker.opening
            else {one.who for one in self.speakers}
        )
        lines = []
        for number, line in enumerate(
            self.lines[speaker.came : self.end_of(speaker)], start=speaker.came
        ):
            newcomer = None if line.speaker in known else speaker.companion(line.speaker)
            known.add(line.speaker)
            leaves = len(self.speakers) > 2 and any(
                one.who == line.speaker and one.left == number + 1 for one in self.speakers
            )
            name = speaker.mind.words.name(line.speaker)
            lines.append(
                DialogueLine(
                    line.speaker,
                    name,
                    line.text,
                    speaker.recalled.get(number, ()),
                    newcomer,
                    leaves,
                )
            )
        return tuple(lines)

    def next_speakers(self) -> list[Speaker]:
        """Whose turn it is; of several, that of whoever wants to speak most, by its urge, and then
        by its id.
        """
        if not self.lines:
            return self.speakers[:1]
        last = self.lines[-1]
        others = [one for one in self.present_speakers if one.who != last.speaker]
        if len(others) == 1:
            return others
        spoken = {line.speaker for line in self.lines}
        addressed = [one for one in others if is_named(one.mind.me.name, last.text)]
        silent = [one for one in others if one.who not in spoken]
        return addressed[:1] or silent[:1] or others

    def urge(self, speaker: Speaker) -> float:
        """How much somebody wants to speak after the last line; its text has been embedded."""
        vector = speaker.mind.context.caller.vector(self.lines[-1].text)
        silence = next(
            number
            for number, line in enumerate(reversed(self.lines))
            if line.speaker == speaker.who
        )
        return round(
            URGE_PER_LINE_WAITED * silence
            + speaker.mind.state.store.find_highest_similarity(speaker.who, vector),
            6,
        )


def _first_line_heard(joining: Mind, opener: Mind) -> int:
    """The line from which on somebody hears those whom it joins."""
    tiles = joining.scene.tiles
    return (
        0
        if box_distance(tiles[joining.who], tiles[opener.who]) <= EARSHOT_TILES
        else LINES_BEFORE_JOINING
    )


def is_named(name: str, text: str) -> bool:
    """Whether a text names somebody, by the whole name or by the given one.

    >>> is_named("Klaus Mueller", "Have you heard, Klaus?"), is_named("王小芳", "小芳，你来吗？"), is_named("Tom Moreno", "Tomorrow, Maria!")
    (True, True, False)
    """
    return stands_in(given_name(name), text)


@lru_cache(maxsize=4096)
def given_name(name: str) -> str:
    """By which somebody is called who is named in full."""
    first, *others = name.replace("·", " ").split(" ")
    return name[1:] if len(name) == 3 and not others else first
