"""The form of activities: what follows "She is" in English, and a bare verb phrase in Chinese.

Models are free in their words. "Visit the library", "I will visit the library" and "Ann visits the
library" become "visiting the library". lemminflect has the dictionary and the inflections.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hometown.language import Lang
from hometown.prompt.mending import cut_short
from hometown.world.persona import Persona
from hometown.world.verbs import replace_first_person, third

_TIME = re.compile(
    r"^[\W_]*(?:(?:from|at|从)?\s*\d{1,2}[:：]\d\d(?:\s*(?:[-–—~到至]|to)\s*\d{1,2}[:：]\d\d)?\W*)+"
)
_LIST_MARK = re.compile(r"^(?:\d{1,2}[.)、]\s*|[-–—•*·]\s+)+")
_END = re.compile(r"[\s.。!！;；,，、:：…]+$")

_SUBJECT = r"(?:{names}|I|you|he|she|they|we)(?:['’](?:m|re|s|ll|d))?\s+"
_AUXILIARY = (
    r"(?:(?:am|are|is|was|were|will|would|shall|should|must|can|could|may|might|be|been|has|have"
    r"|going|wants?|needs?|plans?|intends?|hopes?|likes?|decides?|decided)\s+)"
)
_SUBJECT_ZH = "(?:{names}|我们|我|他们|他|她们|她|你)(?!们?的)"
_AUXILIARY_ZH = "(?:正在|正|将要|将|会|要|想要|想|打算|准备|计划|应该|得)?"

_FOLLOWED = re.compile(
    r"busy|ready|free|late|in|at|on|by|with|off|out|up|down|back|near|for|from|to"
)
"""First words of phrases that follow "is" as they are: "at the café", "busy with the accounts"."""

_NO_GERUNDS = frozenset(
    {"morning", "evening", "something", "nothing", "anything", "everything", "sibling", "ceiling"}
    | {"darling", "during", "being", "bring", "cling", "fling", "sling", "spring", "sting"}
    | {"string", "swing", "thing", "wring"}
)
"""Words in -ing that are no present participles."""

_WAYS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:running|rushing|hurrying|dashing|racing|going|walking|heading|cycling)(?: \w+)?"
        r" (?:to|into|towards?) (?:the|an?|her|his|their|[A-Z]\w*)\b(?:(?! to | and ).)*"
        r" (?:to|and) (?P<act>\w.*)"
    ),
    "zh": re.compile(
        "(?:赶紧|赶快|马上|立刻|快步?|飞快地?)*(?:跑|赶|冲|奔)[去到往进向回过]*[^，。]{0,8}?"
        "(?:店|馆|室|厅|(?<!大)家|院|园|广场|那边|那儿|那里|现场)(?:里面?|[去来])?[，、]?(?P<act>[^，。].+)"
    ),
}
"""Activities that name a way, the place to which it leads and an act there."""

_OCCASIONS = re.compile(
    r"\w+\s+(?:\w+\s+)?(?:break|class|club|course|group|hour|lesson|meeting|practice|round|session"
    r"|shift|time)s?\b",
    re.IGNORECASE,
)
"""Nouns that begin with a word that could be a verb: "book club", "lunch break"."""


def word_activity(text: str, me: Persona, lang: Lang, length: int) -> str:
    """Return an activity in the form of all activities, within `length` characters.

    The resident's own habits stay as they are worded. A text without a verb gets "busy with", and
    what is the resident's own is "theirs", since others read it. An activity in this form stays as
    it is.

    Args:
        text: The activity as a model words it.
        me: The persona of the resident, whose name is no part of an activity.
        lang: The language of the text.
        length: The maximum length in characters.
    """
    known = {habit.activity for habit in me.habits}.union(*(habit.tasks for habit in me.habits))
    names = "|".join(map(re.escape, sorted({me.name, me.name.split()[0]}, key=len, reverse=True)))
    worded = ""
    while text not in known and worded != text:
        reworded = in_third_person(_reword(text, names, lang), me, lang)
        worded, text = text, cut_short(reworded, length)
    return text


def drop_way(text: str, lang: Lang) -> str:
    """Return an activity without the way to its place, where it says what is to be done there.

    >>> drop_way("running to the café to see who needs help", "en"), drop_way("running home", "en")
    ('seeing who needs help', 'running home')
    >>> drop_way("跑去咖啡店看看谁需要帮忙", "zh")
    '看看谁需要帮忙'
    """
    found = _WAYS[lang].match(text)
    if found is None:
        return text
    return found["act"] if lang == "zh" else _as_english_participle(found["act"])


def in_third_person(text: str, me: Persona, lang: Lang) -> str:
    """Return a text in which a resident does not speak of themselves as "I", outside quotations:
    what is "mine" is hers, his or theirs.
    """
    if lang == "zh":
        own = next((each for each in me.pronouns[:1] if not each.isascii()), "自己")
        text = re.sub("(?<![自《“「])我(?=的)|(?<=[给跟对和向陪帮替让找问])我(?!们)", "自己", text)
        return re.sub("(?<![自《“「])我(?!们)", own, text)
    spans = re.split('(“[^”]*”|"[^"]*")', text)  # every second one is a quotation
    return "".join(
        span if at % 2 else replace_first_person(span, me.pronouns, _third_of_any)
        for at, span in enumerate(spans)
    )


def _third_of_any(verb: str) -> str:
    """Return a verb after "I" in the third person; forms of the past and other words unchanged."""
    lemma = base_forms(verb).get("VERB", ("",))[0]
    return third(verb) if lemma in (verb, "be") else verb


def _reword(text: str, names: str, lang: Lang) -> str:
    """Return a text without times, marks, subject and auxiliaries around it, in English as a
    participle.
    """
    bare = _END.sub("", _LIST_MARK.sub("", _TIME.sub("", text)))
    if lang == "zh":
        bare = re.sub(f"^{_SUBJECT_ZH.format(names=names)}{_AUXILIARY_ZH}", "", bare) or bare
    else:
        bare = _as_english_participle(_drop_subject(bare, names))
    return bare or text


def _drop_subject(text: str, names: str) -> str:
    """Return an English text without subject, auxiliaries and "to" at its beginning."""
    subject = re.match(_SUBJECT.format(names=names), text, re.IGNORECASE)
    rest = text[subject.end() :] if subject else text
    while subject and (helper := re.match(rf"{_AUXILIARY}(?=\w)", rest, re.IGNORECASE)):
        rest = rest[helper.end() :]
    rest = re.sub(r"^(?:will|let['’]?s|let us)\s+(?=\w)", "", rest, flags=re.IGNORECASE)
    return re.sub(r"^to\s+(?=[a-z]+\b)(?!the\b|an?\b)", "", rest, flags=re.IGNORECASE) or text


def _as_english_participle(text: str) -> str:
    """Return an English phrase so that it can follow "is": its verb as a participle, and "busy
    with" before one that begins with a noun; unchanged if it cannot be analysed.

    >>> for words in ("Visit the library", "visits Tom", "reading", "Quietly reading a novel"):
    ...     _as_english_participle(words)
    'visiting the library'
    'visiting Tom'
    'reading'
    'quietly reading a novel'
    >>> for words in ("Morning coffee with Tom", "at the café", "Book club", "asleep", "lie down"):
    ...     _as_english_participle(words)
    'busy with morning coffee with Tom'
    'at the café'
    'busy with book club'
    'asleep'
    'lying down'
    """
    words = text.split(" ")
    first = re.match(r"[\w'’-]*", words[0])
    verb = first[0].lower() if first else ""
    lower = f"{verb}{text[len(verb) :]}"
    if _is_gerund(verb) or _FOLLOWED.fullmatch(verb) or not verb.isalpha() or not verb.isascii():
        return lower if verb.isascii() and verb.isalpha() else text
    if len(words) > 1 and verb.endswith("ly") and _is_gerund(words[1].lower()):
        return lower
    lemmas = base_forms(verb)
    if "VERB" in lemmas and verb != "evening" and not _OCCASIONS.match(text):
        return f"{_inflect_gerund(lemmas['VERB'][0])}{text[len(verb) :]}"
    if not lemmas or (len(words) == 1 and "ADJ" in lemmas):
        return lower if lemmas else text
    return f"busy with {lower}"


def _is_gerund(word: str) -> bool:
    """Return True if an English word is a present participle, by its ending."""
    return word.endswith("ing") and len(word) > 4 and word not in _NO_GERUNDS


@lru_cache(maxsize=2048)
def base_forms(word: str) -> dict[str, tuple[str, ...]]:
    """Return the base forms of an English word by part of speech."""
    import lemminflect  # whose dictionary takes a second to load

    found: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(word)
    return found


@lru_cache(maxsize=2048)
def _inflect_gerund(verb: str) -> str:
    """Return the present participle of a base form, in British spelling where there are two."""
    import lemminflect

    forms: tuple[str, ...] = lemminflect.getInflection(verb, "VBG")
    return forms[-1]
