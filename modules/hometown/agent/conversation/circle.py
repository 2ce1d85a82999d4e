"""The state of a conversation in progress: its speakers, its lines, and the order of turns.

The next speaker is the first of these who is present: a resident addressed by name in the last
line, or at least named in it, the one whose line a question takes up, one who has not spoken yet,
or the one with the strongest urge to speak. The urge grows with the relevance of memories to the
last line and with the number of lines since one's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from hometown.agent.acting.partners import describe_neighbour
from hometown.agent.mind import Mind
from hometown.memory.concept import Concept
from hometown.memory.scoring import Scored
from hometown.prompt.dialogue import Companion, DialogueLine, UtteranceVars
from hometown.text import names_any
from hometown.world.conversation import Line, Presence
from hometown.world.resident_names import names_of
from hometown.world.whereabouts import EARSHOT_TILES, box_distance

LINES_BEFORE_JOINING = 1
"""Number of lines that a resident from beyond earshot misses before they have come up."""

URGE_PER_LINE_WAITED = 0.1
"""Urge to speak for each line of others; the relevance of memories adds at most 1."""


@dataclass(slots=True, eq=False)
class Speaker:
    """A participant of a conversation. `topic` is the resident's own reason to talk, "" for none.
    `came` and `left` are the numbers of the first line heard and of the first line missed, counted
    from 0. `done` marks speakers who have said their last line and stay. `before` is the memory of
    the last conversation, `standings` are relations to the others. `opening` holds the variables of
    the first prompt; `recalled` are memories recalled since, by the number of the line that evoked
    them, and `found` are all of them with their scores.
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
        """Return another participant as this speaker knows them."""
        return Companion(
            describe_neighbour(self.mind, other),
            self.standings.get(other, self.mind.state.relation(self.who, other).summary),
        )


class Circle:
    """The speakers of a conversation and its lines. The first two speakers began it. It lasts as
    long as one of them has others to talk to.
    """

    def __init__(
        self, opener: Mind, partner: Mind, joining: Sequence[Mind], topics: Mapping[str, str]
    ) -> None:
        self.speakers = [
            Speaker(opener),
            Speaker(partner),
            *(Speaker(mind, came=_first_line_heard(mind, opener)) for mind in joining),
        ]
        for speaker in self.speakers:
            speaker.topic = topics.get(speaker.who, "")
        self.lines: list[Line] = []

    # who is there -------------------------------------------------------------------------

    @property
    def present_speakers(self) -> list[Speaker]:
        """Return the speakers who may take the next turn."""
        return [
            one
            for one in self.speakers
            if one.came <= len(self.lines) and one.left is None and not one.done
        ]

    @property
    def is_going_on(self) -> bool:
        """Return True if at least two speakers are left, or one who has been asked something; one
        of the first two is among those who have not left. Newcomers who have said nothing yet do
        not count.
        """
        present = [one for one in self.present_speakers if one in self.taking_part]
        if all(one.left is not None for one in self.speakers[:2]):
            return False
        return len(present) > 1 or (len(present) == 1 and self._is_asked(present[0]))

    def _is_asked(self, speaker: Speaker) -> bool:
        """Return True if the last line is another's question, and they are there for the answer."""
        last = self.lines[-1]
        asker = next(one for one in self.speakers if one.who == last.speaker)
        return asker is not speaker and asker.left is None and is_question(last.text)

    def end(self, speaker: Speaker) -> None:
        """Record that a speaker has said their last line. Towards the end of the conversation they
        stay, silent, until the others have finished too; earlier they leave, but after a question
        of their own, wherever it stands in the line, they first hear the answer.
        """
        if len(self.lines) - speaker.came > self.closing(speaker):
            speaker.done = True
        elif not is_question(self.lines[-1].text):
            speaker.left = len(self.lines)

    @property
    def taking_part(self) -> list[Speaker]:
        """Return the first two speakers, and those who have joined them and said something."""
        spoken = {line.speaker for line in self.lines}
        return [*self.speakers[:2], *(one for one in self.speakers[2:] if one.who in spoken)]

    def met_by(self, speaker: Speaker) -> list[Speaker]:
        """Return the other participants who were present at the same time as a speaker."""
        return [
            one
            for one in self.taking_part
            if one is not speaker
            and one.came < (speaker.left or inf)
            and (one.left or inf) > speaker.came
        ]

    def end_of(self, speaker: Speaker) -> int:
        """Return the number of the first line that a speaker misses."""
        return len(self.lines) if speaker.left is None else speaker.left

    def presences(self) -> tuple[Presence, ...]:
        """Return the stretch of lines that each participant was present for."""
        return tuple(Presence(one.who, one.came, self.end_of(one)) for one in self.taking_part)

    # what is said -------------------------------------------------------------------------

    @property
    def max_lines(self) -> int:
        """Return the maximum number of lines: two per round, shared by all speakers, and two per
        speaker at least.
        """
        came = sum(one.came <= len(self.lines) for one in self.speakers)
        return max(2 * self.speakers[0].mind.settings.chat_iter, 2 * came)

    def closing(self, speaker: Speaker) -> int:
        """Return the number of lines, heard or said, after which a speaker's next line is their
        last.
        """
        return (
            self.max_lines
            - len([one for one in self.speakers if one.came <= len(self.lines)])
            - speaker.came
        )

    def dialogue(self, speaker: Speaker) -> tuple[DialogueLine, ...]:
        """Return the lines that a speaker has heard, with memories evoked, speakers joining and
        leaving.
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
        """Return the candidates for the next turn: the opener at the beginning, then one who is
        addressed, or else named, in the last line, else the one whose line a question takes up,
        else one who has not spoken, else all others. If several are left, the urge to speak
        decides, then the id. The last lines are for those who have not said theirs.
        """
        if not self.lines:
            return self.speakers[:1]
        last = self.lines[-1]
        others = [one for one in self.present_speakers if one.who != last.speaker]
        if len(self.lines) > (first := self.closing(self.speakers[0])):
            heard = {line.speaker for line in self.lines[first:]}
            others = [one for one in others if one.who not in heard] or others
        if len(others) == 1:
            return others
        spoken = {line.speaker for line in self.lines}
        names = {one.who: names_of(one.mind.world, one.who) for one in others}
        named = [one for one in others if names_any(names[one.who], last.text)]
        addressed = [one for one in named if is_addressed(names[one.who], last.text)] or named
        before = self.lines[-2].speaker if len(self.lines) > 1 and is_question(last.text) else ""
        asked = [one for one in others if one.who == before]
        silent = [one for one in others if one.who not in spoken]
        return addressed[-1:] or asked or silent[:1] or others

    def urge(self, speaker: Speaker) -> float:
        """Return a speaker's urge to speak after the last line, which must have been embedded: the
        similarity of their most similar memory, and `URGE_PER_LINE_WAITED` for each line since
        their own.
        """
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
    """Return the number of the first line that a joining resident hears, counted from 0."""
    tiles = joining.scene.tiles
    return (
        0
        if box_distance(tiles[joining.who], tiles[opener.who]) <= EARSHOT_TILES
        else LINES_BEFORE_JOINING
    )


def is_question(text: str) -> bool:
    """Return True if a text contains a question.

    >>> is_question("Is eight all right, Lin? I have to run."), is_question("Eight it is.")
    (True, False)
    """
    return "?" in text or "？" in text


def is_addressed(names: Iterable[str], text: str) -> bool:
    """Return True if a text speaks to a resident by one of their names: at the beginning or the end
    of a clause, set off by a comma.

    >>> is_addressed(["Klaus"], "Ask Maria. Klaus, have you heard?"), is_addressed(["小芳"], "你说呢，小芳？")
    (True, True)
    >>> is_addressed(["Klaus"], "Klaus has heard, Maria.")
    False
    """
    name = f"(?:{'|'.join(map(re.escape, names))})"
    begins = rf"(?:^|[.!?:;。！？：；“])\s*(?:\w+\s|\w{{1,2}})?{name}\s*[,，!！?？:：…]"
    ends = rf"[,，]\s*{name}\s*(?:$|[.!?;。！？；…”])"
    return re.search(f"{begins}|{ends}", text) is not None
