"""Whose mouth a sentence is in: memories say "Lin Yue wants …", Lin Yue says "I want …"."""

from __future__ import annotations

import re
from collections.abc import Callable

from modules.world.world import Lang

_SPECIAL = {
    "is": "am", "was": "was", "has": "have", "does": "do", "goes": "go",
    "isn't": "am not", "hasn't": "haven't", "doesn't": "don't", "wasn't": "wasn't",
}  # fmt: skip
_TO_YOU = {"am": "are", "am not": "aren't", "was": "were", "wasn't": "weren't"}
_TO_SHE = {
    "am": "is", "'m": "is", "have": "has", "'ve": "has", "do": "does", "go": "goes", "was": "was",
    "haven't": "hasn't", "don't": "doesn't", "'ll": "will", "'d": "would",
}  # fmt: skip
_ADVERBS = re.compile(
    "also|always|already|both|even|ever|finally|hardly|just|never|now|often|only|quietly|rarely|really|secretly|simply|sometimes|soon|still|usually|last|first"
)
_UNCHANGED = re.compile(
    "will|would|can|could|may|might|must|should|shall|won't|can't|couldn't|wouldn't|had|hadn't|did|didn't|"
    "saw|went|made|got|gave|took|told|said|heard|overheard|found|left|lost|kept|met|bought|brought|thought|felt|knew|wrote|drew|"
    "began|came|ran|let|put|set|won|built|grew|broke|spoke|sang|sold|sent|spent|slept|stood|swam|taught|fell|beat|read|cut|hit|forgot|chose|lent|paid|"
    "cannot|spilt|caught|meant|hung|hid|rode|stuck|shook|swept|wept|learnt|dealt|bent|drove|blew|flew|rang|threw|wore|woke"
)
"""Verbs that are the same after "I" and after "she"."""

_BEFORE_BARE = re.compile("hear|heard|see|saw|let|help|helped|make|made|watch|watched|want|ask|to|for|from|with")
_NO_VERBS = re.compile(
    "to|an?|the|whom?|whose|for|in|on|at|with|from|and|or|but|when|th[ai]t|this|these|those|my|his|her|their|as|about|by|of|into|so|because|"
    "what|how|why|where|which|whether|if|it|them|him|something|anything|everything|all|both|too|again|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|longer|\\w+teen"
)
"""After "hear you" a verb has no ending to restore; after "you" these are no verbs."""

_OPENS_CLAUSE = re.compile("that|because|what|how|why|whether|who|which|if|when|while|since|until|so|as|where|you|she|he|they")
"""Words after which "and" may join something else than what came before."""

_JOINED = (
    "is", "has", "hasn't", "doesn't", "isn't", "was", "does", "wants", "hopes", "plans", "needs", "likes", "loves", "works", "thinks", "believes", "knows",
    "feels", "worries", "fears", "wishes", "keeps", "tries", "means", "asks", "looks", "dreams", "expects", "writes", "carries",
    "holds", "falls", "takes", "gives", "comes", "goes", "lets", "makes", "sings", "misses", "owes", "raises", "finds",
    "suspects", "reckons", "wonders", "regrets", "remembers", "refuses", "practises",
    "counts", "reads", "paints", "hides", "leaves", "sells", "drinks", "sleeps", "helps", "listens",
    "plays", "puts", "pays", "says",
)  # fmt: skip
"""Verb forms that, after "and" or "but", still belong to the subject of the sentence."""


def bare(verb: str) -> str:
    """The form of a present-tense verb after "I".

    >>> [bare(verb) for verb in ("is", "wants", "tries", "teaches", "passed", "will")]
    ['am', 'want', 'try', 'teach', 'passed', 'will']
    """
    if verb in _SPECIAL:
        return _SPECIAL[verb]
    if _UNCHANGED.fullmatch(verb) or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def third(verb: str) -> str:
    """The form of a verb after "she" that stood after "I"; the inverse of `bare`.

    >>> [third(verb) for verb in ("am", "want", "try", "teach", "passed", "will")]
    ['is', 'wants', 'tries', 'teaches', 'passed', 'will']
    """
    if verb in _TO_SHE:
        return _TO_SHE[verb]
    if _UNCHANGED.fullmatch(verb) or re.search("(?<!e)ed$", verb):
        return verb
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ss", "sh", "ch", "x", "zz", "o")) else "s")


def as_me(text: str, name: str, pronouns: tuple[str, ...], lang: Lang) -> str:
    """A sentence about `name` as `name` would say it.

    >>> as_me("Lin Yue is drawing her poster and hopes that Chen Siyuan likes it", "Lin Yue", ("she", "her", "her"), "en")
    "I'm drawing my poster and hope that Chen Siyuan likes it"
    >>> as_me("林悦想请陈思远看她的海报", "林悦", ("她",), "zh")
    '我想请陈思远看我的海报'
    """
    if lang == "zh":
        return _pronouns_zh(text.replace(name, "我"), pronouns, "我")
    turned = _subject(text, name, "I", bare)
    turned = turned.replace(f"{name}'s", "my").replace(name, "me")
    turned = re.sub(r"^I am\b", "I'm", _pronouns_en(turned, pronouns, "I", "me", "my"))
    return turned[:1].upper() + turned[1:]


def to_your_face(text: str, name: str, pronouns: tuple[str, ...], other: str, lang: Lang) -> str:
    """A sentence about `name` and `other` as `name` says it to `other`.

    >>> to_your_face("Lin Yue wonders what Zhang Wei writes all day", "Lin Yue", ("she", "her", "her"), "Zhang Wei", "en")
    'I wonder what you write all day'
    >>> to_your_face("林悦好奇张伟写些什么", "林悦", ("她",), "张伟", "zh")
    '我好奇你写些什么'
    """
    turned = as_me(text, name, pronouns, lang)
    if lang == "zh":
        return _pronouns_zh(re.sub(f"{other}(?:老师|教授|医生)?", "你", turned), ("她", "他"), "你")
    turned = re.sub(rf"\b{other}'s\b", "your", turned)
    before, found, after = turned.partition(f"{other} ")
    if found:
        turned = f"{before}you {_predicate(after, _for_you)}"
    turned = _after_each(turned.replace(other, "you"), "you, who", "you, who", _for_you)
    return _others_to_you(turned)


def as_them(text: str, name: str, pronouns: tuple[str, ...], lang: Lang, other: str = "") -> str:
    """What `name` said of itself, and of `other` to its face, as others tell it; the inverse of `as_me` and `to_your_face`.

    `pronouns` may be empty where the listener doesn't know them.

    >>> as_them("I'm drawing my poster and hope that Chen Siyuan likes it", "Lin Yue", ("she", "her", "her"), "en")
    'Lin Yue is drawing her poster and hopes that Chen Siyuan likes it'
    >>> as_them("I want you to draw your house", "Lin Yue", ("she", "her", "her"), "en", "Wang Fang")
    "Lin Yue wants Wang Fang to draw Wang Fang's house"
    """
    if lang == "zh":
        first, found, rest = text.partition("我")
        return first + (name if found else "") + rest.replace("我", pronouns[0] if pronouns else name).replace("你", other or "你")
    objective = pronouns[1] if len(pronouns) > 1 and text.startswith("I") else name
    turned = re.sub(r"\bI('m|'ve|'ll|'d)\b", lambda match: f"I {match[1]}", text)
    turned = _subject(turned, "I", name, third)
    subject, possessive = (pronouns[0], pronouns[-1]) if pronouns else ("they", "their")
    turned = _after_each(turned, "I", subject, third) if pronouns else re.sub(r"\bI\b", subject, turned)
    turned = re.sub(r"\bmyself\b", f"{pronouns[1] if len(pronouns) > 1 else 'them'}self", turned)
    turned = re.sub(r"\bMy\b", f"{name}'s", turned)
    turned = re.sub(r"\bme\b", objective, re.sub(r"\bmy\b", possessive, turned))
    return _you_to_name(turned, other) if other else turned


def activity(text: str, lang: Lang, person: str) -> str:
    """An activity as its doer ("me") or somebody facing its doer ("you") calls it.

    >>> activity("preparing her lecture", "en", "me"), activity("正在修改他的讲义", "zh", "you")
    ('preparing my lecture', '修改你的讲义')
    """
    if lang == "zh":
        return _pronouns_zh(re.sub(r"^(正在|在)(?=[^家图店公])", "", text), ("她", "他"), "我" if person == "me" else "你")
    mine = ("my", "myself") if person == "me" else ("your", "yourself")
    turned = re.sub(r"\b(her|him|them)sel(f|ves)\b", mine[1], text)
    turned = re.sub(r"\b(her|his)\b", mine[0], turned)
    return turned[:1].lower() + turned[1:] if turned[1:2].islower() else turned


def _for_you(verb: str) -> str:
    """The form of a verb after "you" that stood after a name."""
    return _TO_YOU.get(bare(verb), bare(verb))


def _subject(text: str, name: str, subject: str, form: Callable[[str], str]) -> str:
    """`text` with `name` in front replaced by `subject`, and the verbs that go with it by `form`."""
    if not text.startswith(f"{name} "):
        return text
    return f"{subject} {_predicate(text[len(name) + 1 :], form)}"


def _predicate(text: str, form: Callable[[str], str]) -> str:
    """What follows a subject, which may begin with an adverb, with the verbs that go with it by `form`."""
    words = text.split(" ")
    at = next((i for i, word in enumerate(words) if not _ADVERBS.fullmatch(word)), 0)
    verb = re.match(r"[\w'’]*", words[at])
    length = verb.end() if verb else 0
    words[at] = form(words[at][:length]) + words[at][length:]
    return " ".join([*words[: at + 1], *_conjugated(words[at + 1 :], form)])


def _conjugated(words: list[str], form: Callable[[str], str]) -> list[str]:
    """Words after a verb, with the verbs that "and" or "but" join to it; within a clause of its own, only after a comma."""
    joined = _JOINED if form not in (third, _from_you) else tuple(bare(word) for word in _JOINED)
    turned, aside = list(words), False
    for i in range(1, len(words)):
        if words[i][:1].isupper() and words[i - 1] in ("and", "but"):
            break
        object_of = words[i] == "you" and (_BEFORE_BARE.fullmatch(words[i - 1]) or _NO_VERBS.fullmatch("".join(words[i + 1 : i + 2])))
        aside = aside or bool(_OPENS_CLAUSE.fullmatch(words[i]) and not object_of)
        at = i - 2 if i > 1 and _ADVERBS.fullmatch(words[i - 1]) else i - 1
        back = not aside or (at > 0 and words[at - 1].endswith(","))
        if back and words[at] in ("and", "but") and words[i] in joined:
            turned[i] = form(words[i])
    return turned


def _after_each(text: str, old: str, new: str, form: Callable[[str], str]) -> str:
    """`text` with each pronoun `old` that is followed by a verb as `new`, and the verbs that go with it by `form`."""
    first, *parts = re.split(rf"\b{old} (?=\w)", text)
    return first + "".join(f"{new} {_predicate(part, form)}" for part in parts)


def _pronouns_en(text: str, pronouns: tuple[str, ...], subject: str, objective: str, possessive: str) -> str:
    """Own pronouns replaced. "her" is possessive before a word and objective before none, near enough."""
    if len(pronouns) < 2:
        return text
    text = re.sub(rf"\b{pronouns[1]}self\b", "myself" if subject == "I" else "yourself", text)
    form = bare if subject == "I" else _for_you
    text = _after_each(text, pronouns[0], subject, form)
    if pronouns[1] == pronouns[-1]:
        text = re.sub(rf"\b{pronouns[1]}\b(?= (?!(?:an?|the|some|and|to|in|at|on|with|for|that|from|as)\b)\w)", possessive, text)
    else:
        text = re.sub(rf"\b{pronouns[-1]}\b", possessive, text)
    return re.sub(rf"\b{pronouns[1]}\b", objective, text)


def _others_to_you(text: str) -> str:
    """Whoever is neither "I" nor named is the one spoken to."""
    for theirs in (("she", "her", "her"), ("he", "him", "his")):
        text = _pronouns_en(text, theirs, "you", "you", "your")
    return text


def _you_to_name(text: str, name: str) -> str:
    """ "you" and "your" as the name of the one who was spoken to."""
    told, *parts = re.split(r"\byou (?=\w)", text)
    for part in parts:
        before, verb = told.rpartition(" ")[0].rpartition(" ")[2], part.split(" ")[0]
        no_subject = _BEFORE_BARE.fullmatch(before) or _NO_VERBS.fullmatch(verb)
        told += f"{name} {part if no_subject else _predicate(part, _from_you)}"
    text = re.sub(r"\byou\b", name, re.sub(r"\byour\b", f"{name}'s", told))
    return _after_each(text, f"{name}, who", f"{name}, who", third)


def _from_you(verb: str) -> str:
    """The form of a verb after a name that stood after "you"."""
    return {"are": "is", "aren't": "isn't", "were": "was", "weren't": "wasn't"}.get(verb) or third(verb)


def _pronouns_zh(text: str, pronouns: tuple[str, ...], replacement: str) -> str:
    """Pronouns replaced, but not those that are part of a word (吉他, 其他, 他们)."""
    for pronoun in pronouns:
        text = re.sub(f"(?<![吉其]){pronoun}(?![们人])", replacement, text)
    return text
