"""Rewrite texts in the second person ("You want …") in the third person with a name, in English and
Chinese.
"""

from __future__ import annotations

import re

from hometown.language import Lang

PLAIN = {
    "will", "would", "can", "could", "should", "must", "may", "might", "shall", "had", "did", "knew", "met", "went", "saw", "thought", "felt", "said", "told",
    "heard", "became", "took", "made", "came", "got", "gave", "found", "left", "kept", "grew", "began", "spent", "read", "won't", "can't", "couldn't", "didn't",
    "never", "always", "often", "also", "really", "secretly", "sometimes", "usually", "just", "still", "only",
}  # fmt: skip
"""Words after "you" that are unchanged in the third person: auxiliary verbs, past tenses, adverbs.
"""

ADVERBS = {
    "never",
    "always",
    "often",
    "also",
    "really",
    "secretly",
    "sometimes",
    "usually",
    "just",
    "still",
    "only",
}

IRREGULAR = {
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "go": "goes",
    "don't": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
}

SUBJECT = re.compile(
    r"(?P<before>^|[.,;:!?]\s+|\b(?:that|and|when|while|if|because|who|but|as|what|how|where)\s+)"
    r"(?P<you>you)(?:(?P<short>'re|'ve|'ll|'d)|(?P<adverb>\s+(?:"
    + "|".join(sorted(ADVERBS))
    + r"))?\s+(?P<verb>[a-z']+))",
    re.IGNORECASE,
)
SHORT = {"'re": " is", "'ve": " has", "'ll": " will", "'d": " would"}


def third_person(text: str, name: str, pronouns: list[str], lang: Lang) -> str:
    """Return the text in the third person about `name`, with `pronouns` as in a resident's file.

    >>> third_person("You want to hear your friends. You are kind.", "Ann", ["she", "her", "her"], "en")
    'Ann wants to hear her friends. Ann is kind.'
    >>> third_person("People tell you that you often try too hard", "Bo", ["they", "them", "their"], "en")
    'People tell them that Bo often tries too hard'
    >>> third_person("你想办一场聚会，你的朋友都会来。", "阿青", ["她"], "zh")
    '阿青想办一场聚会，她的朋友都会来。'
    """
    if lang == "zh":
        text = text.replace("你自己", "自己").replace("您", "你")
        return text.replace("你", name, 1).replace("你", pronouns[0])
    text = SUBJECT.sub(lambda match: _in_third_person(match, name), text)
    for word, other in (
        ("yourself", f"{pronouns[1]}self"),
        ("yours", f"{name}'s"),
        ("your", pronouns[2]),
        ("you", pronouns[1]),
    ):
        text = re.sub(
            rf"\b{word}\b",
            lambda match, to=other: _capital(match[0], to),  # type: ignore[misc]
            text,
            flags=re.IGNORECASE,
        )
    return text


def _in_third_person(match: re.Match[str], name: str) -> str:
    """Return a subject with its verb in the third person."""
    if match["short"]:
        return f"{match['before']}{name}{SHORT[match['short'].lower()]}"
    return f"{match['before']}{name}{match['adverb'] or ''} {_verb(match['verb'])}"


def _verb(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in PLAIN or verb.endswith("ed"):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(s|sh|ch|x|z|o)$", verb) else f"{verb}s"


def _capital(was: str, to: str) -> str:
    return to[:1].upper() + to[1:] if was[:1].isupper() else to
