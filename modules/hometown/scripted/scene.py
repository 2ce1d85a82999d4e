"""The state for one line of one speaker: its knowledge, the conversation so far, and values for
slots.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from hometown.clock import minute_of_day
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.dialogue import UtteranceVars
from hometown.prompt.reactions import Neighbour
from hometown.scripted.clauses import mentions
from hometown.scripted.events import MINUTES, events_on
from hometown.scripted.naming import (
    address,
    is_family,
    is_partner,
    kin,
    short_names,
)
from hometown.scripted.phrases import Bank, Exchange, Frame, Move, bank_for
from hometown.scripted.places import places_like
from hometown.scripted.setting import closeness_tag, hours_of, newness_tags, place_tags, voice_tags
from hometown.scripted.sharing import PhraseShare, hash_text
from hometown.world.befalling import happening_kind

LONGEST = {"en": 220, "zh": 110}
"""Characters of a line, beyond which nothing is added to it."""

AFTERMATH = timedelta(hours=3)
"""Time for which a grave happening is talked about by those who saw it."""

TAGGED = 2
"""Factor by which a phrase made for this voice, hour or place is likelier than a general one."""

TONED = 0.5
"""Probability that a speaker in a marked mood, or with strong feelings about the other, chooses a
phrase that expresses it, if there is one.
"""

NAMED_AT_PARTING = (
    "quarrelled",
    "reconciled",
    "settled",
    "agreed",
    "joining",
    "declined",
    "refused",
    "absent",
    "missed",
)
"""Tags of the speaker's part (`parting.role`) in an arrangement or a quarrel, for which the sentence of
farewell itself has the words; for other parts a sentence stands before it.
"""

OWN_SETTINGS = (
    "new-myself",
    "new-here",
    "at-home-together",
    "group",
    *NAMED_AT_PARTING,
    "gathering",
    "teller-comfort",
    "countered",
    "grievance",
    "engaged",
    "too-late",
    "low",
    "cold",
    "on-news",
    "on-question",
    "after-comfort",
    "turning",
    "is-asked",
    "grave",
    "mood-bad",
    "lead-candidate",
    "lead-heart",
    "lead-light",
    "light",
    "pity",
    "aim",
    "at-meeting",
    "partners",
    "family",
    "at-gathering",
)
"""Tags of settings in which an act's phrases made for them replace the general ones, the narrowest
setting first.
"""

TALKED = 4
"""Lines after which a talk can be called one at the parting."""


@frozen
class SpokenMove:
    """One move of one speaker, in the line with this number."""

    line: int
    speaker: str
    move: Move

    @property
    def act(self) -> str:
        return self.move.act


class Scene:
    """The line being built. `say` adds a phrase to it; `text` is the line so far, and `acts` are the
    acts performed in it.
    """

    def __init__(self, v: UtteranceVars, rng: random.Random, lang: Lang) -> None:
        self.v, self.rng = v, rng
        self.bank: Bank = bank_for(lang, v.situation.lacks)
        self.me, self.other = v.situation.me, v.other
        self.minute = minute_of_day(v.situation.now)
        self.moves = [
            SpokenMove(i, line.speaker, move)
            for i, line in enumerate(v.lines)
            for move in self.bank.recognise(line.text)
        ]
        self.chats = [
            memory
            for memory in v.memories
            if memory.type == "chat" and self.other.id in memory.about
        ]
        self._spoken = {spoken.move.text for spoken in self.moves}
        self._said = self._phrases_of(line for _, line in v.situation.earlier)
        present = {one.other.id for one in v.there}
        self._heard = self._phrases_of(
            line for other, line in v.situation.earlier if other in present
        )
        self._share = PhraseShare(
            self.me.id, (who for who, _ in v.situation.names), v.situation.now.date()
        )
        self.shorts = short_names(v.situation.names, self.bank)
        self.tone = f"tone-{v.situation.tone}" if v.situation.tone else ""
        self.hours = frozenset(hours_of(self.v.situation.now))
        self.tags = self.hours | frozenset(self._tags())
        self.slots = self._slots()
        self.pieces: list[str] = []
        self.acts: list[str] = []

    # earlier lines ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.bank.join(self.pieces)

    @property
    def latest(self) -> list[SpokenMove]:
        """Return the moves of the line just heard."""
        return [spoken for spoken in self.moves if spoken.line == len(self.v.lines) - 1]

    @property
    def forgets(self) -> bool:
        """Return True if some earlier conversations with the other were not retrieved, so that
        repetition can't be ruled out.
        """
        return len(self.chats) < self.other.conversations

    @property
    def is_overheard(self) -> bool:
        """Return True if others than those in the talk can understand what is said."""
        return not {one.other.id for one in self.v.there}.issuperset(self.v.situation.earshot)

    def has_occurred(self, *acts: str, by: str = "") -> bool:
        """Return True if an act of these kinds occurred in this talk, by `by` or, without it, by
        any speaker.
        """
        return any(spoken.act in acts and by in ("", spoken.speaker) for spoken in self.moves)

    def last(self, *acts: str) -> SpokenMove | None:
        """Return the latest move among these acts; None if there is none."""
        return next((spoken for spoken in reversed(self.moves) if spoken.act in acts), None)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # speaking -----------------------------------------------------------------------------

    def say(
        self,
        act: str,
        slots: Mapping[str, str] | None = None,
        tags: Iterable[str] = (),
        must: bool = True,
    ) -> bool:
        """Add a phrase for `act`; return False if none fits or the line would grow too long.

        Unless the act `must` be performed, only a phrase of the speaker's share that they have not
        said of late fits.
        """
        values = {**self.slots, **(slots or {})}
        frame = self._choose(self.bank.offers(act, {*self.tags, *tags}, values), values, must)
        if frame is None:
            return False
        self.pieces.append(frame.fill(values))
        self.acts.append(act)
        self._spoken.add(frame.text)
        return True

    def keep_last(self) -> None:
        """Leave out all pieces of the line but the last one."""
        del self.pieces[:-1], self.acts[:-1]

    def say_one(self, acts: Sequence[str]) -> str:
        """Add a phrase for one of the acts, of which each speaker has another order for each
        listener, and those said of late come last; return the act, "" if there is none.
        """
        pair = f"{self.me.id}>{self.other.id}"
        ordered = sorted(
            acts, key=lambda act: (self.has_performed(act), hash_text(f"{pair}>{act}"))
        )
        return next((act for act in ordered if self.say(act)), "")

    def ask_one(
        self, exchanges: Iterable[Exchange], must: bool = False, peers: tuple[str, ...] = ()
    ) -> str:
        """Return the act that opens the exchange nearest in the speaker's share; "" if there is
        none that they have not opened of late. If a question `must` be found, any beyond the share
        will do, in an order of the speaker's own. The share is one of `peers`, by default of all
        that have a gist, or of all others.
        """
        ranked = []
        for each in exchanges:
            if not self.has_performed(each.ask):
                group = peers or self.bank.peers[bool(each.gist)]
                beyond, distance = self._share.place(each.id, group)
                order = hash_text(f"{self.me.id}>{each.id}")
                ranked.append((beyond, 0 if beyond else distance, order, each.ask))
        beyond, *_, act = min(ranked, default=(True, 0, b"", ""))
        return act if must or not beyond else ""

    def has_performed(self, act: str) -> bool:
        """Return True if the speaker has performed an act of late."""
        return any(frame.text in self._said for frame in self.bank.frames.get(act, ()))

    def find_listener(self, acts: Iterable[str]) -> Neighbour | None:
        """Return one of those present to whom the speaker has performed all of these acts of late;
        None if there is none.
        """
        phrases = [{frame.text for frame in self.bank.frames.get(act, ())} for act in acts]
        for one in self.v.there:
            earlier = self.v.situation.earlier
            heard = self._phrases_of(line for who, line in earlier if who == one.other.id)
            if not any(heard.isdisjoint(each) for each in phrases):
                return one.other
        return None

    def _phrases_of(self, lines: Iterable[str]) -> set[str]:
        """Return the phrases that lines are made of."""
        return {move.text for line in lines for move in self.bank.recognise(line)}

    def _choose(
        self, offers: tuple[list[Frame], list[Frame]], values: Mapping[str, str], must: bool
    ) -> Frame | None:
        """Return the phrase for an act that fits into the line and was not used in this talk;
        preferably one that the listeners have not heard, the speaker has not said of late, and
        their share holds. None if there is none, or none of these if it is not a `must`.
        """
        room = LONGEST[self.bank.lang] - len(self.text) - 1
        general, special = (
            [
                frame
                for frame in group
                if frame.text not in self._spoken and len(frame.fill(values)) <= room
            ]
            for group in offers
        )
        begun = {_opening_of(piece) for piece in self.pieces}
        ranked = [
            (
                _opening_of(frame.text) in begun,
                frame.text in self._heard,
                frame.text in self._said,
                self._share.place(frame.text, self.bank.alike(frame))[0],
                frame,
            )
            for frame in self._preferred(general, special)
        ]
        best = min(ranked, key=lambda each: each[:-1], default=None)
        return best[-1] if best and (must or not any(best[:-1])) else None

    def _preferred(self, general: list[Frame], special: list[Frame]) -> list[Frame]:
        """Return the phrases made for the setting, if there are any; else all, by chance with those
        made for the speaker's tone, and for this voice, hour or place, first.
        """
        for setting in OWN_SETTINGS:
            if fitting := [frame for frame in special if frame.tag == setting]:
                return self._by_distance(fitting)
        share = TAGGED * len(special) / (TAGGED * len(special) + len(general) or 1)
        first, then = (special, general) if self.chance(share) else (general, special)
        toned = [frame for frame in special if frame.tag == self.tone and self.chance(TONED)]
        return [*toned, *self._by_distance(first), *self._by_distance(then)]

    def _by_distance(self, frames: list[Frame]) -> list[Frame]:
        """Return phrases in the order of the speaker's share."""
        return sorted(
            frames, key=lambda frame: self._share.place(frame.text, self.bank.alike(frame))
        )

    # the scene ----------------------------------------------------------------------------

    def _tags(self) -> list[str]:
        """Return the tags of the scene, beside its hours: closeness, voices, relation, place,
        traits, occasion, the talk so far and tone.
        """
        words = self.bank.words
        family = is_family(self.other.relation, self.bank)
        closeness = closeness_tag(self.other)
        tags = [closeness]
        tags += ["family"] if family else ["friends"] if closeness == "close" else []
        tags += ["partners"] if is_partner(self.other.relation, self.bank) else []
        tags += [] if self.other.relation or self.other.conversations else ["stranger"]
        tags += newness_tags(self.me, self.other)
        tags += voice_tags(self.me, self.other, self.bank)
        tags += place_tags(self.v.situation.where, self.other, self.bank)
        tags += [
            trait
            for trait, marks in words["traits"].items()
            if any(mark in self.me.innate.lower() for mark in marks)
        ]
        tags += self._occasion_tags()
        tags += ["at-meeting"] if self.v.met_for else []
        tags += self._talk_tags()
        tags += [self.tone] if self.tone else []
        return tags

    def _talk_tags(self) -> list[str]:
        """Return the tags of the talk so far, for phrases that refer to it."""
        tellers = {spoken.speaker for spoken in self.moves if spoken.act.startswith("tell")}
        said = {
            "first": not self.v.lines,
            "further": bool(self.v.lines),
            "talked": len(self.v.lines) >= TALKED,
            "told": self.me.id in tellers,
            "after-telling": bool(tellers - {self.me.id}),
            "is-asked": any(spoken.act == "heard_no" for spoken in self.latest),
            "turning": any(spoken.act.startswith("ask") for spoken in self.moves)
            and not any(spoken.act == "heard_no" for spoken in self.latest),
            "has-asked": any(
                spoken.act.startswith("ask") and spoken.speaker == self.me.id
                for spoken in self.moves
            ),
        }
        return [tag for tag, holds in said.items() if holds]

    def _occasion_tags(self) -> list[str]:
        """Return the tags of a gathering that is going on where the two stand, and of the grave
        happenings of the last hours that come to the speaker's mind.
        """
        now, tags = self.v.situation.now, []
        here = [
            event
            for event in events_on(now.date(), self.v.memories, self.me.name, self.bank.lang)
            if event.venue
            and event.venue in self.v.situation.where
            and event.start <= self.minute < event.start + MINUTES
        ]
        if here or self._hears_of_gathering() or self._attends():
            theirs = any(event.clause.startswith(self.other.name) for event in here)
            tags += ["at-gathering", "to-hosting" if theirs else "to-guest"]
            tags += ["hosting"] if any(event.own for event in here) else []
        recent = (
            memory
            for memory in self.v.memories
            if memory.type == "event" and not memory.talk and now - memory.created <= AFTERMATH
        )
        kinds = (happening_kind(memory.text, self.bank.lang) for memory in recent)
        return tags + sorted({f"after-{kind.key}" for kind in kinds if kind})

    def _attends(self) -> bool:
        """Return True if the speaker is at a gathering under a roof: by their current activity, by
        the plan that it belongs to, or by what goes on in this place.
        """
        situation, words = self.v.situation, self.bank.words
        outdoors = {"park", "square"} & set(places_like(situation.where, self.bank)[:1])
        house, past = situation.where.split(",")[0], situation.gathered
        around = (text for text in situation.around if not (past and past in text))
        here = (text for text in (situation.within, *around) if house in text)
        return not outdoors and any(
            mentions(text, words["gatherings"]) and not mentions(text, words["preparing"])
            for text in (situation.doing, *here)
        )

    def _hears_of_gathering(self) -> bool:
        """Return True if the others have asked about a gathering at which the two stand."""
        asked = (spoken.act.partition(":")[2] for spoken in self.moves if spoken.act[:4] == "ask:")
        return any(
            "at-gathering" in self.bank.exchanges[exchange].needs
            for exchange in asked
            if exchange in self.bank.exchanges
        )

    def name_of(self, other: Neighbour) -> str:
        """Return the form of address that the speaker uses for another."""
        return kin(other.relation, self.bank) or address(
            self.me, other.name, other.occupation, other.closeness, self.bank
        )

    def _slots(self) -> dict[str, str]:
        """Return the values of slots that any phrase may use, without empty ones and whole
        sentences.
        """
        slots = {
            "other": self.name_of(self.other),
            "me": self.me.name,
            "weekday": self.bank.words["weekdays"][self.v.situation.now.weekday()],
            "work": self.me.occupation,
        }
        if self.me.interests:
            slots["interest"] = self.rng.choice(self.me.interests)
        return {
            name: value
            for name, value in slots.items()
            if value and not set(value) & set(".!?。！？…")
        }


@lru_cache(maxsize=8192)
def _opening_of(text: str) -> str:
    """Return the first words of a phrase, up to a comma or a stop.

    >>> _opening_of("好，{other}，你忙。"), _opening_of("Good, {other}. Bye."), _opening_of("Good night.")
    ('好', 'Good', 'Good night')
    """
    return re.split(r"[,.，。！!]", text)[0]
