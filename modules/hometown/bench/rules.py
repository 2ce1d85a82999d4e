"""Rules that find faults in a reply. Each returns the reason, with the words that show it, or "".

Rules are lexical: they find what nobody would call a living mind (a line that recites the prompt, a
word that is none, "good evening" at eleven in the morning), and leave matters of taste alone. The
words that they look for stand in `data/bench/words.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hometown.bench.broken_words import broken_words
from hometown.bench.contradictions import contradiction
from hometown.bench.forms import breaks_form
from hometown.bench.repetition_rules import TOPICS, echo, repeats_itself
from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import SPOKEN, content_of, words_of
from hometown.language import Lang
from hometown.model.language_check import is_foreign
from hometown.prompt.reactions import CONTINUE, WAIT

Rule = Callable[[ScoredReply], str]


LEAST_CONTENT: dict[Lang, int] = {"en": 1, "zh": 2}
"""Different content words (in Chinese: characters) of a text below which it says nothing."""

NOTE_CONTENT: dict[Lang, int] = {"en": 2, "zh": 3}
"""Different content words (in Chinese: characters) of a text with whole sentences (`STATED`) below
which it says nothing.
"""

STATED = ("text", "summary", "thought", "currently")
"""Fields that hold sentences."""

LEAST_SIGNS = 2
"""Letters or characters of a phrase, stock phrases left out, below which it says nothing."""

IDLE_DECISIONS = (CONTINUE, WAIT)
"""Decisions that need no topic."""

LEAST_LETTERS = 0.3
"""Share of letters among the signs of a text below which it says nothing."""


THIRD_PERSON = ("summary", "relations", "thought", "plan", "memo", "currently")
"""Fields whose prompts ask for the third person."""

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|《[^》]*》|\'[^\']{3,}\'')


def wrong_language(reply: ScoredReply) -> str:
    """Return the first text in another language than the run's, apart from names; "" for none."""
    names = (reply.me, *reply.others)
    return next(
        (
            text
            for _, text, _ in reply.texts
            if is_foreign(reply.lang, text, names)
            or (reply.lang == "zh" and _is_latin(text, reply))
        ),
        "",
    )


def _is_latin(text: str, reply: ScoredReply) -> bool:
    """Return True if a Chinese text has no Han character but several Latin words of its own."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return (
        len(words) > 1 and not re.search("[\u4e00-\u9fff]", text) and text not in reply.prompt_text
    )


def lacks_content(reply: ScoredReply) -> str:
    """Return a text that says nothing: signs, numbers, names or stock phrases; the name of its
    field if it is empty; "" if all say something. A farewell may be one, and the topic of a
    decision that needs none is no matter of content.
    """
    needs_none = ["say"] if reply.fields.get("end") else []
    if reply.fields.get("decision") in IDLE_DECISIONS:
        needs_none += TOPICS
    return next(
        (
            text or name
            for name, text, _ in reply.texts
            if name not in needs_none
            and (text.strip() or name in STATED)
            and _is_empty(name, text, reply)
        ),
        "",
    )


def _is_empty(name: str, text: str, reply: ScoredReply) -> bool:
    """Return True if a text has too few letters, or too few words of its own."""
    letters = re.findall(r"[^\W\d_]", text)
    if not letters or len(letters) < LEAST_LETTERS * len(re.sub(r"\s", "", text)):
        return not (name in SPOKEN and re.search(r"\b\d\d?:\d\d\b", text))
    rest = re.sub(words_of(reply.lang)["stock"], " ", text.casefold().replace("’", "'"))
    for known in (reply.me, *reply.others):
        for part in (known, *known.split()):
            rest = rest.replace(part.casefold(), " ")
    if name in SPOKEN or name in STATED:
        content = {word for word in content_of(rest, reply.lang) if re.search(r"[^\W\d_]", word)}
        return len(content) < (NOTE_CONTENT if name in STATED else LEAST_CONTENT)[reply.lang]
    return len(re.findall(r"[^\W\d_]", rest)) < LEAST_SIGNS or _is_name(text, reply)


def _is_name(text: str, reply: ScoredReply) -> bool:
    """Return True if an English text is made of names of the prompt only."""
    words = re.findall(r"[^\W\d_]{4,}", text)
    return len(words) > 1 and all(
        word[0].isupper() and re.search(rf"[a-z,] {word}\b", reply.prompt_text) for word in words
    )


def speaks_for_others(reply: ScoredReply) -> str:
    """Return the words in which a line of dialogue does not speak as its speaker: a script with
    names, a narrator who says what those present are doing, or the speaker's own name as if it were
    another's, unless they introduce themselves by it; "" for none.
    """
    said = reply.speech
    if not said:
        return ""
    names = "|".join(re.escape(name) for name in sorted((reply.me, *reply.others), key=len) if name)
    if not names:
        return ""
    if script := re.search(rf"(?:^|[\s\"“])(?:{names})\s?[:：]\s?[\"“]?\w", said):
        return script[0].strip()
    if narrated := re.search(words_of(reply.lang)["narration"].format(names=names), said):
        return narrated[0].strip()
    if reply.me and (
        own := re.search(rf"(.{{0,20}}){re.escape(reply.me)}(.{{0,12}})", _QUOTED.sub("", said))
    ):
        introduced = re.search(
            rf"(?:{words_of(reply.lang)['introduction']})[\s,，]*$", own[1], re.IGNORECASE
        )
        return "" if introduced else own[0].strip()
    return ""


def invented_people(reply: ScoredReply) -> str:
    """Return a name of three words or more none of which the prompt contains, or one that is mixed
    of two people's; "" for none. English only, since Chinese names do not stand out; a shorter name
    may be known otherwise. Timetables, tasks and drafts of residents may name a shop or a book, and
    are not checked.
    """
    if reply.lang == "zh" or reply.kind in (
        "settler",
        "schedule_init",
        "schedule_decompose",
        "schedule_daily",
    ):
        return ""
    known = set(re.findall(r"\w+", reply.prompt_text.casefold()))
    for _, text, _ in reply.texts:
        for match in re.finditer(r"(?:[A-Z][a-z]+ )+[A-Z][a-z]+\b", _QUOTED.sub("", text)):
            parts = match[0].split()
            if match[0] not in reply.prompt_text and (
                (len(parts) > 2 and not known.intersection(map(str.casefold, parts)))
                or _is_mixed(parts, reply)
            ):
                return match[0]
    return ""


def _is_mixed(parts: Sequence[str], reply: ScoredReply) -> bool:
    """Return True if a name is put together from the names of two people of the prompt."""
    people = [name.split() for name in (reply.me, *reply.others)]
    return any(
        parts[0] == name[0] and not parts[1].startswith(name[1]) for name in people if len(name) > 1
    )


def ignores_last_line(reply: ScoredReply) -> str:
    """Return a line of dialogue that has nothing in common with the line that it answers: no word
    of content, no assent or refusal; "" for any other.
    """
    said, last = reply.speech, reply.previous_line
    if not said or not last:
        return ""
    if content_of(said, reply.lang) & content_of(last, reply.lang):
        return ""
    assent: str = words_of(reply.lang)["assent"]
    return "" if re.search(assent, said, re.IGNORECASE) else said


def leaves_persona(reply: ScoredReply) -> str:
    """Return words that only people outside the town would say and that no line so far has said, or
    "I" or "you" with what surrounds it in a text that is asked for in the third person; "" for
    none.
    """
    words = words_of(reply.lang)
    for name, text, schema in reply.texts:
        if (found := re.search(words["outsider"], text)) and not re.search(
            re.escape(found[0]), "\n".join(reply.lines_so_far)
        ):
            return found[0]
        own = _QUOTED.sub("", text)
        is_third = name in THIRD_PERSON or "third person" in schema.get("description", "")
        if is_third and (found := re.search(words["first_or_second_person"], own)):
            return own[max(0, found.start() - 10) : found.end() + 20]
    return ""


RULES: dict[str, Rule] = {
    "unusable": breaks_form,
    "wrong_language": wrong_language,
    "echo": echo,
    "repetition": repeats_itself,
    "empty_talk": lacks_content,
    "speaks_for_others": speaks_for_others,
    "contradiction": contradiction,
    "invented_people": invented_people,
    "ignores_last_line": ignores_last_line,
    "leaves_persona": leaves_persona,
    "broken_words": broken_words,
}
"""All rules by name, in the order of the tables."""


def faults_of(reply: ScoredReply) -> dict[str, str]:
    """Return the reason of each rule that finds a fault."""
    found = {name: rule(reply) for name, rule in RULES.items()}
    return {name: reason for name, reason in found.items() if reason}
