"""Rules that find what a reply copies: from the prompt, from the talk before, or from itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import SPOKEN, words_of
from hometown.language import Lang
from hometown.prompt.approach_prompt import WRITTEN
from hometown.prompt.mending import SAME, cut_into_sentences, unrepeated
from hometown.text import copied_parts, overlaps
from hometown.world.befalling import happening_kind

ECHO_LENGTH: dict[Lang, int] = {"en": 45, "zh": 20}
"""Characters in a row, copied from the prompt, from which a spoken text is an echo."""

NOTE_ECHO_LENGTH: dict[Lang, int] = {"en": 60, "zh": 20}
"""Characters in a row, copied from the prompt, from which a text that notes what was said or lived
through is an echo.
"""

ECHO_SHARE = 0.6
"""Share of a text that its longest copied part must have to be an echo."""

RECITED_SHARE = 0.85
"""Share of a text's characters in copied parts of `RECITED_LENGTH` from which it is recited."""

RECITED_LENGTH: dict[Lang, int] = {"en": 20, "zh": 8}

WHOLE_LENGTH: dict[Lang, int] = {"en": 24, "zh": 10}
"""Characters of a note from which it is an echo if all of it stands in the prompt."""

KEEPING_KINDS = ("currently", "talk_outcome", "settler")
"""Kinds of prompt that ask to keep what still holds, or to use the words that were given."""

PLACEHOLDERS = ("…", "……", "...", "HH:MM")
"""The placeholder of texts in the form of an answer."""

TOPICS = ("topic", "what")
"""Fields whose texts are short, and an echo if they stand in the prompt as they are."""

DECIDING_KINDS = ("react", "approach", "respond")
"""Kinds of prompt that ask for a short text (`TOPICS`) with a decision."""

OUTCOMES = ("over", "damage")
"""Fields that say how a happening ends."""

KEPT_FIELDS = ("goals",)
"""Fields whose texts the prompt offers to keep as they are."""

PATTERN_WORDS, PATTERN_SIGNS = 6, 6
"""Words of an English text, and signs of a Chinese one, that are a pattern the third time."""


def echo(reply: ScoredReply) -> str:
    """Return a text that recites the prompt (a passage that it copies, or its markup): one long
    copied part, or nothing but copied parts; "" if none does.

    A timetable is made of the strokes that the prompt shows, and tasks may name their activity
    again, so that in these only the rules and the form of the answer are no material, and clock
    times that are copied along. What was said before is a matter of `repeats_itself`.
    """
    is_plan = reply.kind in ("schedule_daily", "schedule_decompose", "steps", "place", "law")
    shown = reply.messages[0].content if is_plan else reply.prompt_text
    unsaid = shown
    for line in reply.lines_so_far:
        unsaid = unsaid.replace(line, "")
    for name, text, _ in reply.texts:
        if name in KEPT_FIELDS:
            continue
        if marks := re.search(words_of(reply.lang)["markup"], text):
            return marks[0]
        if _is_copied_whole(name, text, reply, is_plan=is_plan):
            return text
        copied = copied_parts(_fold(text), _fold(unsaid if name in SPOKEN else shown))
        length = max(map(len, copied), default=0)
        least = (ECHO_LENGTH if name in SPOKEN else NOTE_ECHO_LENGTH)[reply.lang]
        if length >= least and length >= ECHO_SHARE * len(text):
            return max(copied, key=len)
        parts = [part for part in copied if len(part) >= RECITED_LENGTH[reply.lang]]
        if (
            name in SPOKEN
            and len(text) >= least
            and sum(map(len, parts)) >= RECITED_SHARE * len(text)
        ):
            return " / ".join(parts)
    return ""


def _is_copied_whole(name: str, text: str, reply: ScoredReply, *, is_plan: bool) -> bool:
    """Return True if a text is a placeholder, or stands in the prompt as it is though it should
    not: of a plan, one with a clock time or the activity before or after it; a topic, unless it is
    one to ask about; any other note that is long enough. Speech and texts to keep are exempt.
    """
    if text.strip() in PLACEHOLDERS or _is_copied_outcome(name, text, reply):
        return True
    shown = reply.prompt_text.casefold()
    if name in SPOKEN or reply.kind in KEEPING_KINDS or text.casefold() not in shown:
        return False
    if is_plan:
        return bool(re.search(r"\d:\d\d", text) and re.search(r"[^\W\d_]", text)) or (
            text.casefold() in map(str.casefold, reply.neighbours)
        )
    if name in TOPICS and reply.kind in DECIDING_KINDS:
        return len(text) > 1 and not str(reply.fields.get("decision")).startswith(WRITTEN["ask"])
    return len(text) >= WHOLE_LENGTH[reply.lang]


def _is_copied_outcome(name: str, text: str, reply: ScoredReply) -> bool:
    """Return True if a happening is over by the user's own words for it, or ends as in the example
    of the prompt, which is one of a fire, if it is anything else.
    """
    if name not in OUTCOMES or not text:
        return False
    rules, asked = reply.messages[0].content, reply.messages[-1].content
    happening = happening_kind(asked, reply.lang)
    is_fire = happening is not None and happening.key == "fire"
    is_example = re.search(rf'["“]{re.escape(text.rstrip(" .!。！"))}["”]', rules, re.IGNORECASE)
    return (name == "over" and text.casefold() in asked.casefold()) or (
        is_example is not None and not is_fire
    )


def repeats_itself(reply: ScoredReply) -> str:
    """Return the first repetition in a reply; "" if nothing is repeated. Repetitions are:

    - a text that is the same as the two before it,
    - words that occur three times in a row,
    - a sentence that occurs again in its text, or of a spoken line in the conversation before,
    - a text longer than 12 characters that resembles an earlier one of the reply; a task only if it
      resembles the task directly before it, since residents may go back to an earlier task,
    - a part of a spoken line that is copied from the conversation,
    - words that texts other than tasks use three times (`_find_pattern`).
    """
    said: list[str] = []
    for name, text, _ in reply.texts:
        if text and said[-2:] == [text, text]:
            return text
        if phrase := _find_loop(text):
            return phrase
        sentences = [part.strip() for part in cut_into_sentences(text)]
        earlier = list(reply.lines_so_far) if name == "say" else []
        earlier += [part.strip() for line in earlier for part in cut_into_sentences(line)]
        fresh = unrepeated(sentences, known=earlier)
        if len(fresh) < len(sentences):
            return next(
                part for part in sentences if part not in fresh or sentences.count(part) > 1
            )
        if len(text) > 12 and overlaps(text, said[-1:] if name == "activity" else said, SAME):
            return text
        if name == "say" and (again := _find_copied_part(text, reply)):
            return again
        said.append(text)
    return _find_pattern([text for name, text, _ in reply.texts if name != "activity"], reply)


def _find_pattern(texts: Sequence[str], reply: ScoredReply) -> str:
    """Return the words (in Chinese: characters) in a row that texts use three times or more and the
    prompt never, as of a model that fills in one pattern; "" if there are none.
    """
    length, apart = (
        (PATTERN_WORDS, r"[^\W\d]+") if reply.lang == "en" else (PATTERN_SIGNS, r"[^\W\d]")
    )
    found = Counter[str]()
    for text in texts:
        parts = list(re.finditer(apart, text))
        found.update(
            text[parts[at].start() : parts[at + length - 1].end()]
            for at in range(len(parts) - length + 1)
        )
    return next(
        (words for words, count in found.items() if count > 2 and words not in reply.prompt_text),
        "",
    )


def _find_copied_part(text: str, reply: ScoredReply) -> str:
    """Return the longest part of a spoken line that was said before in the conversation, if it has
    `RECITED_LENGTH` characters and `ECHO_SHARE` of the line's at least; "" otherwise.
    """
    least = RECITED_LENGTH[reply.lang]
    parts = copied_parts(_fold(text), _fold("\n".join(reply.lines_so_far)))
    longest = max(parts, key=len, default="")
    return longest if len(longest) >= max(least, ECHO_SHARE * len(text)) else ""


def _find_loop(text: str) -> str:
    """Return the first words that occur three times or more in a row, as of a model in a loop, with
    their repetitions; "" if there are none.
    """
    found = re.search(r"(.{4,60}?)(?:[\s,，。.!！]*\1){2,}", text)
    return found[0] if found and re.search(r"\w", found[1]) else ""


def _fold(text: str) -> str:
    """Return a text with single blanks and in lower case."""
    return re.sub(r"[\s]+", " ", text).casefold()
