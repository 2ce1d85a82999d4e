"""Excerpts from the talks of a day that are worth quoting.

Greetings, farewells and stock phrases recur or name those spoken to, so that a sentence that was
said once that day, without a name or a clock time, is taken to say something.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hometown.frozen import frozen
from hometown.history.familiar import GivenNames
from hometown.history.quotes import FAREWELL_LINES, QUESTION_MARKS
from hometown.language import Lang
from hometown.memory.keywords import find_keywords
from hometown.scripted.acts import GREETINGS
from hometown.scripted.exchanging import PASSING
from hometown.scripted.phrases import SLOT, bank
from hometown.text import contains_name, coverage, split_sentences
from hometown.world.conversation import Conversation, Line

LONGEST = {"en": 140, "zh": 56}
SHORTEST = {"en": 10, "zh": 4}
"""Maximum number of characters of an excerpt, and minimum number of those of a sentence in it."""

LONGEST_EXCHANGE = {"en": 260, "zh": 90}
"""Maximum number of characters of an exchange that goes on after its answer."""

SHORTEST_EXCHANGE = {"en": 80, "zh": 24}
"""Minimum number of characters of an exchange that is told for its own sake."""

SHORTEST_REPLY = {"en": 26, "zh": 9}
"""Minimum number of characters of a reply that stands alone."""

FORMALITIES = frozenset({*GREETINGS, "bye", "bye_back", "part", "ask_day", "answer_day", "ack_day"})
"""Acts of the stand-in that say nothing."""

INVITATIONS = frozenset({"propose", "propose_join", "invite"})
"""Acts with which the stand-in invites to something."""

GREETING_LINES = 2
"""The number of lines at the beginning of a talk that may greet."""

MAX_SENTENCES = 2
"""Maximum number of sentences of an excerpt."""

MATTER_COVERAGE_MIN = 0.5
"""Share of a matter's trigrams from which on an excerpt is taken to tell it."""

ECHO_MIN = 0.15
"""Share of a question's trigrams in its answer from which on the answer only repeats it."""

ABOUT_MIN = 0.5
"""Share of a sentence's trigrams in the summary of its talk from which on it is about its point."""

_CLOCK = re.compile(r"\d[:：]\d\d")

_GREETING = {
    "en": re.compile(
        r"(?:(?:a )?good (?:morning|afternoon|evening|day|one)|hello|morning|evening)\b", re.I
    ),
    "zh": re.compile("(?:早|你也早|早上好|上午好|下午好|晚上好|你好)(?:啊|呀|，|。|！)"),
}
"""Beginnings of sentences that greet."""

_FOLLOWS = {
    "en": re.compile(
        r"(?:And|But|Then|So|Which|It|That|They|He|She|Did|Is it|What were you)\b"
        r"|.{0,24}$|.*\b(?:that|it|there)(?: up)?\?"
    ),
    "zh": re.compile("那|可|就|这|它|他|她|然后|后来|听|哎|好|行|嗯|.{0,9}$"),
}
"""Beginnings of lines that answer one before, which a reader would miss."""

_VAGUE = ("你觉得怎么样", "你觉得呢")
"""Beginnings of questions without a subject."""

_LEAD = {"en": re.compile(r"[:,] (?=[A-Z])"), "zh": re.compile("[：，]")}
"""The end of words that lead up to what is told."""


@frozen
class Excerpt:
    """Consecutive lines of a talk, in excerpts, and how much they are worth quoting."""

    lines: tuple[Line, ...]
    worth: float = 0.0

    def is_long(self, lang: Lang) -> bool:
        """Return True if it is long enough to be told for its own sake."""
        return sum(len(line.text) for line in self.lines) >= SHORTEST_EXCHANGE[lang]


class Exchanges:
    """The talks of a day as a source of quotations."""

    def __init__(
        self,
        talks: Sequence[Conversation],
        given: GivenNames,
        lang: Lang,
        earlier: Sequence[Conversation] = (),
    ) -> None:
        """Prepare the talks of a day; what was said in an `earlier` one is not said anew."""
        self.given, self.lang = given, lang
        self._count = Counter(
            self._bare(sentence)
            for talk in (*earlier, *talks)
            for line in talk.lines
            for sentence in split_sentences(line.text)
        )

        self._leads = Counter(
            sentence[: lead.end()]
            for talk in talks
            for line in talk.lines
            for sentence in split_sentences(line.text)
            if (lead := _LEAD[lang].search(sentence))
        )

    def best(self, talk: Conversation, who: str) -> Excerpt | None:
        """Return the exchange of a talk, in a resident's hearing, that is worth quoting most: a
        question with its answer, about the point of the talk. None if there is none.
        """
        return max(self._list_exchanges(talk, who), key=lambda each: each.worth, default=None)

    def opening(self, talk: Conversation, who: str) -> Excerpt:
        """Return the opening of a talk of two, and the reply; no lines if it begins with a
        question, or the first line says nothing.
        """
        lines = talk.lines_for(who)
        said = [self._excerpt(talk, lines, at) for at in range(len(lines) - FAREWELL_LINES + 1)[:2]]
        begins = len(talk.people) == 2 and said and said[0] and not _asks(said[0].text)
        return Excerpt(tuple(filter(None, said))) if begins else Excerpt(())

    def after(self, talk: Conversation, who: str, words: str) -> Excerpt:
        """Return the next two lines after the first one with some words; none if they say nothing."""
        lines = talk.lines_for(who)
        at = next((at for at, line in enumerate(lines) if words in line.text), len(lines))
        said = (self._excerpt(talk, lines, each) for each in range(at + 1, min(at + 3, len(lines))))
        return Excerpt(tuple(filter(None, said)))

    def find_telling(self, talk: Conversation, who: str, speaker: str, matter: str) -> str:
        """Return the excerpt of a speaker's lines that tells a matter; "" if none does."""
        said = [
            text
            for line in talk.lines_for(who)
            if line.speaker == speaker
            for text in self._runs(split_sentences(line.text))
        ]
        best = max(said, key=lambda text: _aptness(text, matter), default="")
        return best if coverage(best, matter) >= MATTER_COVERAGE_MIN else ""

    def replies(self, talk: Conversation, who: str, speaker: str, matter: str) -> Excerpt:
        """Return up to three lines: how others replied to the line in which a speaker told a
        matter, and what the speaker said to that if they were asked something; no lines if none are
        worth quoting.
        """
        lines: Sequence[Line] = talk.lines_for(who)
        own = [at for at, line in enumerate(lines) if line.speaker == speaker]
        if not own:
            return Excerpt(())
        told = max(own, key=lambda at: coverage(lines[at].text, matter))
        lines = self._answer_to(lines, told, matter)
        found: list[Line] = []
        for at in range(told + 1, len(lines)):
            line = None if self._passes(lines[at].text) else self._excerpt(talk, lines, at)
            if line is None or (found and found[-1].text[-1] not in QUESTION_MARKS):
                break
            found.append(line)
        if found and found[-1].text[-1] in QUESTION_MARKS and found[-1].speaker != speaker:
            found.pop()
        if len(found) == 1 and len(found[0].text) < SHORTEST_REPLY[self.lang]:
            found.pop()
        last = told + len(found) + 1
        if len(found) == 2 and last < len(lines) and lines[last].speaker == found[0].speaker:
            word = self._excerpt(talk, lines, last)
            found += [word] if word and not _asks(word.text) else []
        return Excerpt(tuple(found[:3]))

    def _answer_to(self, lines: Sequence[Line], told: int, matter: str) -> Sequence[Line]:
        """Return lines without what the one after a telling says before it comes to the matter, if
        what was told is only a part of what the teller said.
        """
        if told + 1 == len(lines) or len(split_sentences(lines[told].text)) == 1:
            return lines
        reply, words = split_sentences(lines[told + 1].text), set(find_keywords(matter))
        shared = (at for at, each in enumerate(reply) if words.intersection(find_keywords(each)))
        begins = next(shared, 0)
        begins -= begins > 0 and len(reply[begins - 1].strip()) < SHORTEST_REPLY[self.lang]
        answer = replace(lines[told + 1], text="".join(reply[begins:]))
        return [*lines[: told + 1], answer, *lines[told + 2 :]]

    def without_formalities(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield the sentences of lines, without those with which the stand-in greets, asks after
        somebody, or takes leave.
        """
        for line in lines:
            for sentence in split_sentences(line.text):
                is_greeting = _GREETING[self.lang].match(sentence.strip())
                if not is_greeting and not self._is_formality(sentence):
                    yield replace(line, text=sentence.strip())

    def _is_formality(self, sentence: str) -> bool:
        """Return True for a sentence of the stand-in that says nothing."""
        return any(move.act in FORMALITIES for move in bank(self.lang).recognise(sentence))

    def _passes(self, text: str) -> bool:
        """Return True for a line with which the stand-in lets others of a group go on."""
        return any(move.act in PASSING for move in bank(self.lang).recognise(text))

    def _list_exchanges(self, talk: Conversation, who: str) -> Iterator[Excerpt]:
        """Yield each question with its answer, and with the answer to that or the next question if
        there is one, without those that miss what came before or whose answer only repeats them.
        """
        lines = talk.lines_for(who)
        for at in range(len(lines) - 1):
            first = self._excerpt(talk, lines, at, ending=True)
            second = self._answer(talk, lines, at + 1)
            if not first or not second or first.speaker == second.speaker:
                continue
            said = [first, second]
            third = self._retort(talk, lines, at + 2)
            if third and third.speaker == first.speaker:
                said.append(third)
            else:
                said += self._follow_up(talk, lines, at + 2, said)
            if coverage(second.text, first.text) >= ECHO_MIN:
                continue
            if first.text[-1] not in QUESTION_MARKS or self._follows(first.text):
                continue
            worth = float(len(said))
            worth += 3 * any(line.speaker == who for line in said)
            worth -= 1.5 * (at == 0) + at / 4
            text = " ".join(line.text for line in said)
            yield Excerpt(tuple(said), worth + 4 * coverage(text, talk.summary))

    def _follows(self, text: str) -> bool:
        """Return True for a question that answers a line before; one with which the stand-in opens
        a subject does not.
        """
        if text.startswith(_VAGUE):
            return True
        last = split_sentences(text)[-1].strip()
        is_opening = any(move.act.startswith("ask:") for move in bank(self.lang).recognise(last))
        return not is_opening and bool(_FOLLOWS[self.lang].match(text))

    def _answer(self, talk: Conversation, lines: Sequence[Line], at: int) -> Line | None:
        """Return the answer in a line, without a question that follows it;
        None if there is none.
        """
        line = self._excerpt(talk, lines, at)
        if line is None or not _asks(line.text):
            return line
        answer = "".join(split_sentences(line.text)[:-1]).strip()
        return replace(line, text=answer) if answer and not _asks(answer) else None

    def _retort(self, talk: Conversation, lines: Sequence[Line], at: int) -> Line | None:
        """Return the last word of an exchange: no question, and no farewell;
        None if there is none.
        """
        if at >= len(lines) - FAREWELL_LINES or _asks(lines[at - 1].text):
            return None
        line = self._excerpt(talk, lines, at)
        return line if line and line.text[-1] not in QUESTION_MARKS else None

    def _follow_up(
        self, talk: Conversation, lines: Sequence[Line], at: int, said: Sequence[Line]
    ) -> list[Line]:
        """Return the question with which an exchange goes on, and its answer; nothing if it does
        not, or becomes too long.
        """
        if at + 1 >= len(lines) or [line.speaker for line in lines[at : at + 2]] != [
            line.speaker for line in said
        ]:
            return []
        sentences = self._before_invitation(split_sentences(lines[at].text))
        question = sentences[-1].strip() if sentences else ""
        answer = self._answer(talk, lines, at + 1)
        if answer is None or not question.endswith(tuple(QUESTION_MARKS)):
            return []
        found = [replace(lines[at], text=question), answer]
        fits = (
            self._is_plain(question, talk)
            and len("".join(line.text for line in (*said, *found))) <= LONGEST_EXCHANGE[self.lang]
        )
        return found if fits else []

    def _excerpt(
        self, talk: Conversation, lines: Sequence[Line], at: int, *, ending: bool = False
    ) -> Line | None:
        """Return the statement of a line, from its beginning or its end; None if it says nothing.
        Of a line of farewell, only the first sentence counts.
        """
        sentences = self._before_invitation(split_sentences(lines[at].text))
        if at >= len(lines) - FAREWELL_LINES and len(lines) > FAREWELL_LINES:
            sentences = sentences[:1]
        runs = list(self._fresh_runs(talk, sentences))
        if not runs:
            return None
        run = runs[-1] if ending else runs[0]
        is_answer = at > 0 and _asks(lines[at - 1].text)
        while at < GREETING_LINES and not is_answer and self._is_short(run[0].strip()):
            run = run[1:]
        chosen = run[-MAX_SENTENCES:] if ending else run[:MAX_SENTENCES]
        if ending and len(chosen) > 1 and chosen[-1].strip()[-1] in QUESTION_MARKS:
            about = coverage(talk.summary, chosen[0].strip()) >= ABOUT_MIN
            chosen = chosen if about else chosen[-1:]
        while len(chosen) > 1 and len("".join(chosen).strip()) > LONGEST[self.lang]:
            chosen = chosen[1:] if ending else chosen[:-1]
        text = re.sub(r"(?<=[。！？.!?])…+$", "", self._without_lead("".join(chosen).strip()))
        fits = SHORTEST[self.lang] < len(text) <= LONGEST[self.lang]
        return replace(lines[at], text=text) if fits else None

    def _before_invitation(self, sentences: list[str]) -> list[str]:
        """Return the sentences before an invitation of the stand-in that takes several; all of them
        without one.
        """

        def find_invitation(at: int) -> str:
            moves = bank(self.lang).recognise("".join(sentences[at:]).strip())
            return next((move.text for move in moves if move.act in INVITATIONS), "")

        whole = find_invitation(0) if len(sentences) > 1 else ""
        if not whole:
            return sentences
        begins = max(at for at in range(len(sentences)) if find_invitation(at) == whole)
        return sentences[:begins] if begins < len(sentences) - 1 else sentences

    def _fresh_runs(self, talk: Conversation, sentences: Sequence[str]) -> Iterator[list[str]]:
        """Yield the longest runs of sentences that say something; a short one may precede them."""
        run: list[str] = []
        for sentence in [*sentences, ""]:
            said = sentence.strip()
            if said and self._is_plain(said, talk) and (self._is_new(said) or self._is_short(said)):
                run.append(sentence)
                continue
            while run and self._is_short(run[-1].strip()):
                run.pop()
            if run:
                yield run
            run = []

    def _is_plain(self, sentence: str, talk: Conversation) -> bool:
        """Return True if a sentence names none of those present, and no clock time."""
        if _CLOCK.search(sentence) or _GREETING[self.lang].match(sentence):
            return False
        if sentence in _list_greetings(self.lang) or self._is_formality(sentence):
            return False
        return not any(
            contains_name(self.given.given.get(who, ""), sentence) for who in talk.people
        )

    def _is_new(self, sentence: str) -> bool:
        """Return True if a sentence was said once that day."""
        return self._count[self._bare(sentence)] == 1

    def _is_short(self, sentence: str) -> bool:
        return len(sentence) < SHORTEST[self.lang]

    def _without_lead(self, text: str) -> str:
        """Return a text without the words that lead up to it, if more than one line that day begins
        with them.
        """
        lead = _LEAD[self.lang].search(text)
        is_stock = lead is not None and self._leads[text[: lead.end()]] > 1
        return text[lead.end() :] if lead and is_stock else text

    def _bare(self, sentence: str) -> str:
        return sentence.strip().casefold()

    def _runs(self, sentences: Sequence[str]) -> Iterator[str]:
        """Yield each sentence, and each with the one after it, as far as they are short enough;
        also without the words before a colon or a comma that lead up to it.
        """
        for at in range(len(sentences)):
            for end in range(at + 1, min(at + MAX_SENTENCES, len(sentences)) + 1):
                text = "".join(sentences[at:end]).strip()
                for lead in [0, *(mark.end() for mark in _LEAD[self.lang].finditer(text))]:
                    if len(text) - lead <= LONGEST[self.lang] and not _CLOCK.search(text):
                        yield text[lead:]


@lru_cache(maxsize=2)
def _list_greetings(lang: Lang) -> frozenset[str]:
    """Return the sentences with which the stand-in greets, without sentences that contain a name."""
    frames = bank(lang).frames
    return frozenset(
        sentence.strip()
        for act in GREETINGS
        for frame in frames[act]
        for sentence in split_sentences(frame.text)
        if not SLOT.search(sentence)
    )


def _asks(text: str) -> bool:
    return any(mark in text for mark in QUESTION_MARKS)


def _aptness(text: str, matter: str) -> float:
    """Return how well an excerpt tells a matter: how much of it, in as few words as possible."""
    return coverage(text, matter) - 0.3 * len(text) / len(matter)
