"""The data that all days of a run share, in its newspaper as in its diaries."""

from __future__ import annotations

import re
from functools import cached_property

from hometown.history import shapes
from hometown.history.day_story import DayStories
from hometown.history.foreshadowing import foreshadowing
from hometown.history.highlights import weigh_moments
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, knowers_of_each
from hometown.history.workday import Workdays
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import bank
from hometown.text import catalogue
from hometown.world.conversation import Conversation
from hometown.world.world import Storyline


class Archive:
    """The data that all days of a run share, each read once, when first needed."""

    def __init__(self, run: RunReader, names: Names) -> None:
        self.run = run
        self.names = names
        self.stories = names.storylines
        self.workdays = Workdays(run, names)

    def is_secret(self, text: str) -> bool:
        """Return True if a newspaper must not print a text in the run's language: it calls itself a
        secret, or mentions a secret storyline.
        """
        return self.is_called_secret(text) or any(
            story.is_mentioned_in(text) for story in self.secrets
        )

    def is_called_secret(self, text: str) -> bool:
        """Return True if a text calls itself a secret."""
        return mentions(text, bank(self.run.manifest.lang).words["secrets"])

    def is_confidential(self, talk: Conversation | None) -> bool:
        """Return True for a conversation in which a participant asked to keep a matter private, or
        after which one meant to keep silent about it; False for None.
        """
        if talk is None:
            return False
        asking = bank(self.run.manifest.lang).words["confidences"]
        asked = any(mentions(line.text.lower(), asking) for line in talk.lines)
        return asked or talk.id in self._kept_quiet

    @cached_property
    def _kept_quiet(self) -> set[str]:
        """The ids of the conversations about which somebody meant to keep silent."""
        last = self.run.last_step()
        silence = catalogue(self.run.manifest.lang, "day")["silence"]
        chats = {
            (memory.who, memory.concept.id): memory.concept.talk
            for memory in self.run.memories(1, last, ("chat",))
        }
        return {
            chats[memory.who, each]
            for memory in self.run.memories(1, last, ("thought",))
            if memory.concept.predicate == INTENTION_PREDICATE
            and re.search(silence, memory.concept.text)
            for each in memory.concept.evidence
            if (memory.who, each) in chats
        }

    @cached_property
    def secrets(self) -> list[Storyline]:
        """The storylines whose first bearers call them a secret."""
        seeds = [
            seed
            for who in self.run.residents
            if (persona := self.names.persona(who))
            for seed in persona.seeds
        ]
        secret = {seed.storyline for seed in seeds if self.is_called_secret(seed.text)}
        return [story for story in self.stories if story.id in secret]

    @cached_property
    def public(self) -> list[tuple[Storyline, list[Learning]]]:
        """The storylines that are no secret, each with the residents who learned of it."""
        return [
            (story, learned)
            for story, learned in zip(self.stories, self.learned, strict=True)
            if story not in self.secrets
        ]

    @cached_property
    def learned(self) -> list[list[Learning]]:
        """For each storyline, the residents who learned of it."""
        return knowers_of_each(self.run, self.stories, self.run.last_step())

    @cached_property
    def day_stories(self) -> DayStories:
        """The stories of the residents' days."""
        return DayStories(self.run, self.names, self.run.last_step())

    @cached_property
    def threads(self) -> list[shapes.StoryThread]:
        """The plot threads and their progress."""
        return foreshadowing(self.run, self.names)

    @cached_property
    def moments(self) -> list[shapes.Highlight]:
        """The highlights: by weight, the greatest first, then by time and resident."""
        return sorted(
            weigh_moments(self.run, self.names, self.learned),
            key=lambda each: (-each["weight"], each["tick"], each["who"]),
        )
