"""Conversion of English sentences to a resident into statements about them. The words are in
`data/inner_voice/en.json`.
"""

from __future__ import annotations

import re
from functools import cache

import orjson

from hometown.paths import DATA
from hometown.text import capital
from hometown.world.persona import Addressee
from hometown.world.verbs import (
    ADVERBS,
    BEFORE_BARE,
    NO_VERBS,
    UNCHANGED,
    conjugate,
    first_person,
    third_from_you,
)

_SECOND = re.compile(r"\b(you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:I|me|my|My|mine|myself)\b")
_TO_SECOND = (
    (r"\bI(?:['’]m| am)\b", "you are"),
    (r"\bI was\b", "you were"),
    (r"\b(?:I|me)\b", "you"),
    (r"\b[Mm]y\b", "your"),
    (r"\bmine\b", "yours"),
    (r"\bmyself\b", "yourself"),
)
_CONTRACTIONS = (
    (r"\b(you)['’]re\b", r"\1 are"),
    (r"\b(you)['’]ve\b", r"\1 have"),
    (r"\b(you)['’]ll\b", r"\1 will"),
    (r"\b(you)['’]d\b", r"\1 would"),
)

_CLOCK = r"at (?:\d[\d:]*(?: ?[ap]m)?|noon|midnight|\w+ o'clock)"
_WHEN = re.compile(
    rf"((?:tonight|today|tomorrow(?: \w+)?|now|(?:this|on|next) \w+)(?: {_CLOCK})?|{_CLOCK}),? (?=\w)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:(?:please|and|so|oh|hey),? )+(?=\w)", re.IGNORECASE)
_SUGGESTION = re.compile(
    r"(?:why don['’]t you|why not|would(?:n['’]t)? you like to|won['’]t you|will you"
    r"|could(?:n['’]t)? you|can['’]t you|it would be \w+ to|it(?:['’]s| is) (?:high )?time to"
    r"|let['’]s|let us)(?: please)? (.+?)[?!.]*",
    re.IGNORECASE,
)
_IDEA = re.compile(r"(?:how|what) about (\w+ing\b.*?)[?.]*", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:(?P<about>who|whom|what|when|where|why|how(?: \w+)?|which \w+) )?"
    r"(?P<verb>are|were|do|did|have|had|can|could|will|would|should|must) you (?P<rest>.+)\?",
    re.IGNORECASE,
)
_COMMAND_PHRASE = re.compile(
    r"own up|have a (?:word|chat|talk|look|rest|walk|go)"
    r"|wish (?!you|for|to|that|i )\w+(?: \w+)? (?:luck|well|joy|a )",
    re.IGNORECASE,
)
"""Commands whose verb alone may begin a statement as well."""

_REFUSAL = re.compile(r"(?P<never>never)|do not|don['’]t", re.IGNORECASE)
_CLAUSE_BEGINS = re.compile(
    r"(?:^|[.,;:!?…—–-]|\b(?:that|because|if|when|while|and|but|so|what|how|why|where|whether|since|until|before|after|though|as|then|now|today|tonight|tomorrow|maybe|perhaps))\s*$",
    re.IGNORECASE,
)
_AUXILIARY = re.compile("are|aren't|were|weren't|do|don't|have|haven't|going")


@cache
def _words(name: str) -> frozenset[str]:
    """Return the words in one of the lists."""
    return frozenset(orjson.loads((DATA / "inner_voice" / "en.json").read_bytes())[name])


def english_statement(text: str, persona: Addressee) -> str:
    """Return a statement with the resident's name at the first mention, and pronouns after it."""
    if text.isupper():
        text = text.capitalize()
    if _FIRST.search(text) and not _SECOND.search(text):
        for first, second in _TO_SECOND:
            text = re.sub(first, second, text)
    for contraction, full in _CONTRACTIONS:
        text = re.sub(contraction, full, text, flags=re.IGNORECASE)
    statement = ""
    for sentence in re.split(r"(?<=[.!?…]) +", text):
        changed = _in_third_person(
            _to_the_resident(sentence, persona), persona, named=persona.name in statement
        )
        statement += f"{' ' if statement else ''}{capital(changed)}"
    return statement


# commands, suggestions, questions ----------------------------------------------------------


def _to_the_resident(sentence: str, persona: Addressee) -> str:
    """Return a command, a suggestion, a question or a fragment as a statement about "you"."""
    sentence = _OPENING.sub("", sentence) if _OPENING.match(sentence) else sentence
    if when := _WHEN.match(sentence):
        rest = _to_the_resident(sentence[when.end() :], persona)
        if not rest.lower().startswith("you "):
            return sentence
        text = rest.rstrip(".!?…")
        return f"{text} {_uncapitalise(when[1])}{rest[len(text) :]}"
    if suggestion := _SUGGESTION.fullmatch(sentence):
        return f"you want to {suggestion[1]}."
    if idea := _IDEA.fullmatch(sentence):
        return f"you think about {idea[1]}."
    if question := _QUESTION.fullmatch(sentence):
        verb = "" if question["verb"].lower() == "do" else f"{question['verb'].lower()} "
        return (
            f"you wonder {(question['about'] or 'whether').lower()} you {verb}{question['rest']}."
        )
    return _with_subject(sentence, persona)


def _with_subject(sentence: str, persona: Addressee) -> str:
    """Return a command ("you want to …"), its refusal, or a predicate as a statement about "you".
    A sentence that begins with the resident's first name or pronoun gets the full name; any other
    is returned unchanged.
    """
    refusal = _REFUSAL.match(sentence)
    command = sentence[refusal.end() :].lstrip() if refusal else sentence
    first, *rest = re.findall(r"[\w'’-]+", command) or [""]
    verb = first.lower()
    if rest and rest[0].lower() in _words("finite"):
        return sentence  # "Dance is life"
    if not refusal and _COMMAND_PHRASE.match(command):
        return f"you want to {_uncapitalise(command)}"
    if refusal and verb in _words("commands") | _words("predicates"):
        return (
            f"you {'never want' if refusal['never'] else 'do not want'} to {_uncapitalise(command)}"
        )
    if verb in _words("predicates"):
        return f"you {_uncapitalise(command)}"
    if verb in _words("commands"):
        return f"you want to {_uncapitalise(command)}"
    own = {
        persona.name.split()[0].casefold(),
        *(pronoun.casefold() for pronoun in persona.pronouns[:1]),
    }
    if first.casefold() in own and not sentence.startswith(persona.name):
        return f"{persona.name}{sentence[len(first) :]}"
    return sentence


def _uncapitalise(text: str) -> str:
    """Return a text with a small first letter."""
    return text[:1].lower() + text[1:]


# from the second person to the third -------------------------------------------------------


def _in_third_person(text: str, persona: Addressee, *, named: bool) -> str:
    """Return `text` with the resident for "you". `named`: whether the name has occurred before."""
    statement, rest = "", text
    while match := _SECOND.search(rest):
        before = statement + rest[: match.start()]
        after = rest[match.end() :]
        word = match[1].lower()
        is_subject = word == "you" and _is_subject(before, after)
        name = _replace_you(word, is_subject, persona, named or persona.name in before)
        statement = before + name
        rest = _conjugate_predicate(after, name) if is_subject else after
    return statement + rest


def _replace_you(word: str, is_subject: bool, persona: Addressee, named: bool) -> str:
    """Return the replacement of "you", "your", "yours" or "yourself"."""
    pronouns = persona.pronouns if len(persona.pronouns) > 2 else ()
    if word.startswith("yourse"):
        return f"{pronouns[1]}self" if pronouns and pronouns[1] != "them" else "themselves"
    if not named or not pronouns:
        return persona.name if word == "you" else f"{persona.name}'s"
    if word == "you":
        return pronouns[0 if is_subject else 1]
    return pronouns[2] if word == "your" or pronouns[2].endswith("s") else f"{pronouns[2]}s"


def _is_subject(before: str, after: str) -> bool:
    """Return True if the "you" between two texts is a subject rather than an object."""
    following = [word for word in re.findall(r"[\w'’]+", after)[:3] if not ADVERBS.fullmatch(word)]
    if not after.startswith(" ") or not following or NO_VERBS.fullmatch(following[0]):
        return False
    if _CLAUSE_BEGINS.search(before):
        return True
    verb, previous = following[0].lower(), re.findall(r"[\w'’]+", before.lower())[-1:]
    is_verb = verb in _words("commands") | _words("predicates") or bool(
        _AUXILIARY.fullmatch(verb) or UNCHANGED.fullmatch(verb)
    )
    return is_verb and not any(BEFORE_BARE.fullmatch(first_person(word)) for word in previous)


def _conjugate_predicate(after: str, name: str) -> str:
    """Return the words after the subject, conjugated. Verbs joined to an infinitive or to "can" are
    kept.
    """
    if name == "they":
        return after
    predicate = after[1:]
    infinitive = re.search(
        rf"\bto (?:{'|'.join(_words('commands'))})\b", predicate
    ) or UNCHANGED.match(predicate)
    joined = re.search(r",? (?:and|but|or) ", predicate) if infinitive else None
    end = joined.start() if joined else len(predicate)
    return f" {conjugate(predicate[:end], _third)}{predicate[end:]}"


def _third(verb: str) -> str:
    return verb if verb in _words("pasts") else third_from_you(verb)
