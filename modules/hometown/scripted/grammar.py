"""Conversion of sentences between the first, second and third person: memories say "Lin Yue wants
…", Lin Yue says "I want …".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hometown.language import Lang
from hometown.text import capital, replace_word
from hometown.world.verbs import (
    BEFORE_BARE,
    CONJUNCTION,
    NO_VERBS,
    conjugate,
    conjugate_after,
    expand_contractions,
    first_person,
    replace_first_person,
    third,
    third_from_you,
)

_SPOKEN = {
    r"^I am\b": "I'm",
    r"^I have (?=(been|won|found|lost|sold|made|got|taken|written|begun|grown|come|done|gone|seen|heard|met|read|put|kept|left|\w+ed)\b)": "I've ",
    r"^I would (?=like\b)": "I'd ",
    r"^I will\b": "I'll",
}
"""Contractions of spoken English by the pattern of the words they stand for."""

_NO_NOUN = (
    r"(?:an?|the|some|and|or|to|in|at|on|with|for|that|from|as|about|of|by|when|what|where|why|how"
    r"|whether|if|again|alone|soon|now|here|today|tonight|tomorrow|yesterday)\b"
)
"""Words that begin no noun phrase, before which "her" is no possessive."""

_TO_YOU = {"am": "are", "am not": "aren't", "was": "were", "wasn't": "weren't"}


def as_me(text: str, name: str, pronouns: tuple[str, ...], lang: Lang) -> str:
    """Return a sentence about `name` as `name` would say it.

    >>> as_me("Lin Yue is drawing her poster and hopes that Chen Siyuan likes it", "Lin Yue", ("she", "her", "her"), "en")
    "I'm drawing my poster and hope that Chen Siyuan likes it"
    >>> as_me("Zhao Gang wonders why Xiao Mei sings and falls silent", "Zhao Gang", ("he", "him", "his"), "en")
    'I wonder why Xiao Mei sings and falls silent'
    >>> as_me("Zhang Wei hopes that Lin Yue comes and thanks Lin Yue", "Lin Yue", ("she", "her", "her"), "en")
    'Zhang Wei hopes that I come and thanks me'
    >>> as_me("林悦想请陈思远看她的海报", "林悦", ("她",), "zh")
    '我想请陈思远看我的海报'
    """
    if lang == "zh":
        return _pronouns_zh(_replace_zh(re.escape(name), "我", text), pronouns, "我")
    turned = _subject(text, name, "I", first_person)
    turned = _subject_of_clauses(turned, name)
    turned = replace_word(replace_word(turned, f"{name}'s", "my"), name, "me")
    turned = _pronouns_en(turned, pronouns, "I", "me", "my")
    for written, spoken in _SPOKEN.items():
        turned = re.sub(written, spoken, turned)
    return capital(turned)


def to_your_face(text: str, name: str, pronouns: tuple[str, ...], other: str, lang: Lang) -> str:
    """Return a sentence about `name` and `other` as `name` says it to `other`.

    >>> to_your_face("Lin Yue wonders what Zhang Wei writes all day", "Lin Yue", ("she", "her", "her"), "Zhang Wei", "en")
    'I wonder what you write all day'
    >>> to_your_face("林悦好奇张伟写些什么", "林悦", ("她",), "张伟", "zh")
    '我好奇你写些什么'
    """
    turned = as_me(text, name, pronouns, lang)
    if lang == "zh":
        return _pronouns_zh(
            re.sub(f"{re.escape(other)}(?:老师|教授|医生)?", "你", turned), ("她", "他"), "你"
        )
    turned = replace_word(turned, f"{other}'s", "your")
    before, separator, after = turned.partition(f"{other} ")
    if separator:
        turned = f"{before}you {conjugate(after, _for_you)}"
    turned = conjugate_after(turned.replace(other, "you"), "you, who", "you, who", _for_you)
    return _others_to_you(turned)


def as_them(
    text: str,
    name: str,
    pronouns: tuple[str, ...],
    lang: Lang,
    other: str = "",
    theirs: tuple[str, ...] = (),
) -> str:
    """Return first-person speech of `name`, with "you" for `other`, in the third person; the
    inverse of `as_me` and `to_your_face`. `pronouns`, and `theirs` of the other, may be empty if the
    listener doesn't know them.

    >>> as_them("I'm drawing my poster, and I'd like Chen Siyuan to see it", "Lin Yue", ("she", "her", "her"), "en")
    'Lin Yue is drawing her poster, and she would like Chen Siyuan to see it'
    >>> as_them("I want you to draw your house", "Lin Yue", ("she", "her", "her"), "en", "Wang Fang")
    "Lin Yue wants Wang Fang to draw Wang Fang's house"
    >>> as_them("I owe you money, and I'll pay you tomorrow", "Lin Yue", ("she", "her", "her"), "en", "Wang Fang")
    'Lin Yue owes Wang Fang money, and she will pay Wang Fang tomorrow'
    >>> as_them("我们一起去，我有事找你", "林悦", ("她",), "zh", "张伟")
    '我们一起去，林悦有事找张伟'
    >>> as_them("I think you hide your worries", "Lin Yue", ("she", "her", "her"), "en", "Chen Siyuan", ("he", "him", "his"))
    'Lin Yue thinks Chen Siyuan hides his worries'
    """
    if lang == "zh":
        named = _singular_zh(text, "我", name, count=1)
        turned = _singular_zh(named, "我", pronouns[0] if pronouns else name)
        return _singular_zh(turned, "你", other)
    turned = replace_word(_subject(expand_contractions(text), "I", name, third), "My", f"{name}'s")
    me = "" if pronouns and text.startswith("I") else name
    turned = replace_first_person(turned, pronouns, me=me)
    differ = pronouns[:1] != theirs[:1]
    return _you_to_name(turned, other, theirs[-1] if theirs and differ else "") if other else turned


def my_activity(text: str) -> str:
    """Return an activity in the first person, in English.

    >>> my_activity("preparing her lecture")
    'preparing my lecture'
    """
    turned = re.sub(r"\b(her|him|them)sel(f|ves)\b", "myself", text)
    turned = re.sub(r"\b(her|his)\b", "my", turned)
    return turned[:1].lower() + turned[1:] if turned[1:2].islower() else turned


def _for_you(verb: str) -> str:
    """Return the form of a verb after "you" that stood after a name."""
    return _TO_YOU.get(first_person(verb), first_person(verb))


def _subject(text: str, name: str, subject: str, form: Callable[[str], str]) -> str:
    """Return a text with `name` at its beginning replaced by `subject`, and the verbs that go with
    it by `form`; any other text as it is.
    """
    if not text.startswith(f"{name} "):
        return text
    return f"{subject} {conjugate(text[len(name) + 1 :], form)}"


def _subject_of_clauses(text: str, name: str) -> str:
    """Replace `name` by "I" where they are the subject of a clause after a conjunction."""
    first, *parts = re.split(rf"(?<=\b)({CONJUNCTION.pattern}) {re.escape(name)} (?=\w)", text)
    clauses = zip(parts[::2], parts[1::2], strict=True)
    return first + "".join(f"{word} I {conjugate(rest, first_person)}" for word, rest in clauses)


def _pronouns_en(
    text: str, pronouns: tuple[str, ...], subject: str, objective: str, possessive: str
) -> str:
    """Return a text with the pronouns of its subject replaced. "her" counts as objective at the end
    of a clause and before `_NO_NOUN`, and as possessive otherwise, which is nearly always right.
    """
    if len(pronouns) < 2:
        return text
    text = replace_word(text, f"{pronouns[1]}self", "myself" if subject == "I" else "yourself")
    form = first_person if subject == "I" else _for_you
    text = conjugate_after(text, pronouns[0], subject, form)
    if pronouns[0] == "she":
        text = replace_word(text, "hers", "mine" if subject == "I" else "yours")
    if pronouns[1] == pronouns[-1]:
        own = re.escape(pronouns[1])
        text = re.sub(
            rf"\b{own}\b(?= (?!{_NO_NOUN})\w)",
            possessive,
            text,
        )
    else:
        text = replace_word(text, pronouns[-1], possessive)
    return replace_word(text, pronouns[1], objective)


def _others_to_you(text: str) -> str:
    """Replace the remaining third-person pronouns by "you"."""
    for theirs in (("she", "her", "her"), ("he", "him", "his")):
        text = _pronouns_en(text, theirs, "you", "you", "your")
    return text


def _you_to_name(text: str, name: str, possessive: str) -> str:
    """Replace "you" and "your" by the name of the listener; a later "your" or "yours" by their
    `possessive` pronoun, unless it is "".
    """
    rebuilt, *parts = re.split(r"\byou (?=\w)", text)
    for part in parts:
        before, verb = rebuilt.rpartition(" ")[0].rpartition(" ")[2], part.split(" ")[0]
        no_subject = BEFORE_BARE.fullmatch(first_person(before)) or NO_VERBS.fullmatch(verb)
        rebuilt += f"{name} {part if no_subject else conjugate(part, third_from_you)}"
    text = replace_word(rebuilt, "you", name)
    before, named, after = text.partition(name)
    own = possessive or f"{name}'s"
    after = replace_word(replace_word(after, "your", own), "yours", f"{own.removesuffix('s')}s")
    text = replace_word(f"{before}{named}", "your", f"{name}'s") + after
    return conjugate_after(text, f"{name}, who", f"{name}, who", third)


def _singular_zh(text: str, pronoun: str, name: str, count: int = 0) -> str:
    """Replace 我 or 你 by a name, the first `count` ones or all, but not in 我们, 你们, 自我 and 忘我;
    by nothing if there is no name.
    """
    return _replace_zh(f"(?<![自忘]){pronoun}(?!们)", name or pronoun, text, count)


def _pronouns_zh(text: str, pronouns: tuple[str, ...], replacement: str) -> str:
    """Replace pronouns, except where they are part of a longer word (吉他, 其他, 维他命, 他们, 他乡)."""
    for pronoun in pronouns:
        text = _replace_zh(f"(?<![吉其维]){re.escape(pronoun)}(?![们人乡])", replacement, text)
    return text


def _replace_zh(pattern: str, replacement: str, text: str, count: int = 0) -> str:
    """Replace what a pattern matches outside of titles, the first `count` times or always."""
    parts = re.split("(《[^》]*》)", text)
    left = count
    for at in range(0, len(parts), 2):
        if not count or left:
            parts[at], times = re.subn(pattern, lambda _: replacement, parts[at], count=left)
            left -= times
    return "".join(parts)
