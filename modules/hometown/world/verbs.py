"""English verbs: forms after "I", "you" and "she", and verbs that share a subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

THEY = ("they", "them", "their")

_SPECIAL = {
    "is": "am",
    "was": "was",
    "has": "have",
    "does": "do",
    "goes": "go",
    "isn't": "am not",
    "hasn't": "haven't",
    "doesn't": "don't",
    "wasn't": "wasn't",
}
_CONTRACTED = {"m": "am", "ve": "have", "ll": "will", "d": "would"}
_TO_SHE = {
    "am": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "was": "was",
    "haven't": "hasn't",
    "don't": "doesn't",
}
ADVERBS = re.compile(
    "also|always|already|both|even|ever|finally|hardly|just|never|now|often|only|quietly|rarely|really|secretly|simply|sometimes|soon|still|usually|last|first|"
    "no|longer|absolutely|badly|certainly|clearly|definitely|desperately|gladly|honestly|mainly|mostly|probably|recently|seldom|suddenly|surely|truly"
)
UNCHANGED = re.compile(
    "will|would|can|could|may|might|must|should|shall|ought|were|had|did|(?:wo|ca|sha|would|could|might|must|should|ought|need|dare|were|had|did)n't|"
    "saw|went|made|got|gave|took|told|said|heard|overheard|found|left|lost|kept|met|bought|brought|thought|felt|knew|wrote|drew|"
    "began|came|ran|let|put|set|won|built|grew|broke|spoke|sang|sold|sent|spent|slept|stood|swam|taught|fell|beat|read|cut|hit|forgot|chose|lent|paid|"
    "cannot|spilt|caught|meant|hung|hid|rode|stuck|shook|swept|wept|learnt|dealt|bent|drove|blew|flew|rang|threw|wore|woke|ate|held|drank|sat|fed|led|dug|bound|shut|lit|fought|hurt"
)
"""Verbs with the same form after "I" and "she"."""

BEFORE_BARE = re.compile(
    "hear|heard|see|saw|let|help|helped|make|made|watch|watched|want|ask|to|for|from|with|"
    "bring|brought|buy|bought|call|called|find|found|follow|give|gave|invite|invited|join|joined|keep|kept|"
    "leave|left|lend|lent|meet|met|miss|missed|need|offer|offered|owe|pay|paid|remind|reminded|send|sent|"
    "show|showed|teach|taught|tell|told|thank|visit|visited"
)
"""Words before a "you" that is no subject: verbs of which it is an object, and prepositions."""

NO_VERBS = re.compile(
    "to|an?|the|whom?|whose|for|in|on|at|with|from|and|or|but|when|th[ai]t|this|these|those|my|his|her|their|as|about|by|of|into|so|because|"
    "what|how|why|where|which|whether|if|today|tomorrow|tonight|yesterday|later|soon|here|there|it|them|him|something|anything|everything|all|both|too|again|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|longer|\\w+teen"
)
"""Words that are no verbs after "you"."""

CONJUNCTION = re.compile(
    "that|because|what|how|why|whether|who|which|if|when|while|since|until|so|as|where"
)
"""Words that open a clause."""

_OPENS_CLAUSE = re.compile(rf"{CONJUNCTION.pattern}|you|she|he|they")
"""Words after which "and" may join a new clause."""

_JOINED = (
    "is",
    "has",
    "hasn't",
    "doesn't",
    "isn't",
    "was",
    "does",
    "wants",
    "hopes",
    "plans",
    "needs",
    "likes",
    "loves",
    "works",
    "thinks",
    "believes",
    "knows",
    "feels",
    "worries",
    "fears",
    "wishes",
    "keeps",
    "tries",
    "means",
    "asks",
    "looks",
    "dreams",
    "expects",
    "writes",
    "carries",
    "holds",
    "falls",
    "takes",
    "gives",
    "comes",
    "goes",
    "lets",
    "makes",
    "sings",
    "misses",
    "owes",
    "raises",
    "finds",
    "suspects",
    "reckons",
    "wonders",
    "regrets",
    "remembers",
    "refuses",
    "practises",
    "counts",
    "reads",
    "paints",
    "hides",
    "leaves",
    "sells",
    "drinks",
    "sleeps",
    "helps",
    "listens",
    "plays",
    "puts",
    "pays",
    "says",
    "walks",
)
"""Verb forms that share the subject after "and" or "but"."""

_PAST: dict[str, str] = dict(
    re.findall(
        r"(\w+ing) (\w+)",
        """
    having had, going went, making made, doing did, getting got, taking took, giving gave,
    telling told, saying said, hearing heard, overhearing overheard, finding found, leaving left,
    losing lost, keeping kept, meeting met, buying bought, bringing brought, thinking thought,
    feeling felt, knowing knew, writing wrote, drawing drew, beginning began, coming came,
    running ran, letting let, putting put, setting set, winning won, building built, growing grew,
    breaking broke, speaking spoke, singing sang, selling sold, sending sent, spending spent,
    sleeping slept, standing stood, swimming swam, teaching taught, falling fell, beating beat,
    reading read, cutting cut, forgetting forgot, choosing chose, lending lent, paying paid,
    catching caught, hanging hung, hiding hid, riding rode, sticking stuck, shaking shook,
    sweeping swept, dealing dealt, bending bent, driving drove, blowing blew, flying flew,
    ringing rang, throwing threw, wearing wore, waking woke, eating ate, drinking drank,
    sitting sat, lying lay, laying laid, feeding fed, digging dug, seeing saw, overseeing oversaw,
    shutting shut, lighting lit, leading led, holding held, fighting fought, spinning spun,
    splitting split, spreading spread, weaving wove, winding wound, binding bound,
    grinding ground, rising rose, striking struck, tearing tore, tying tied, dyeing dyed,
    rewriting rewrote, rereading reread, creeping crept, bursting burst, freezing froze,
    sinking sank, springing sprang, swinging swung, bleeding bled, stealing stole
    """,
    )
)
"""The simple past of irregular verbs, by their present participle."""

_AUXILIARY_PAST = {
    "is": "was",
    "isn't": "wasn't",
    "are": "were",
    "aren't": "weren't",
    "has": "had",
    "hasn't": "hadn't",
    "have": "had",
    "haven't": "hadn't",
    "does": "did",
    "doesn't": "didn't",
    "can": "could",
    "can't": "couldn't",
    "will": "would",
    "won't": "wouldn't",
}

_SUBORDINATE = re.compile(
    rf"\b((?:whether|what|that|who|how|where|why)\b[^,.;]*?) ({'|'.join(_AUXILIARY_PAST)})\b(?!')"
)
"""The beginning of a clause after "whether" or "what", up to its auxiliary verb."""

_FINITE = re.compile(
    rf"\b(?!(?:{NO_VERBS.pattern}) )([\w'’]+ )(is|are|has|(?:[a-z]+[^s\W]s)"
    rf"(?= (?:{NO_VERBS.pattern}|[\w]+ly|up|out|off|down|over|through|across|away)\b|$))(?![\w'’])"
)
"""The end of a subject, and its verb in the present tense."""


def first_person(verb: str) -> str:
    """Return the form of a verb in the present, in the third person or any other, after "I".

    >>> [first_person(verb) for verb in ("is", "wants", "tries", "teaches", "passed", "will")]
    ['am', 'want', 'try', 'teach', 'passed', 'will']
    """
    if verb in _SPECIAL:
        return _SPECIAL[verb]
    if UNCHANGED.fullmatch(verb) or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def third(verb: str) -> str:
    """Return the form after "she" of a verb after "I"; the inverse of `first_person`.

    >>> [third(verb) for verb in ("am", "want", "try", "teach", "passed", "will", "ought")]
    ['is', 'wants', 'tries', 'teaches', 'passed', 'will', 'ought']
    """
    if verb in _TO_SHE:
        return _TO_SHE[verb]
    if UNCHANGED.fullmatch(verb) or re.search("(?<!e)ed$", verb):
        return verb
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ss", "sh", "ch", "x", "zz", "o")) else "s")


def conjugate(text: str, form: Callable[[str], str]) -> str:
    """Return the words after a subject with its verbs changed by `form`. They may begin with an
    adverb.
    """
    words = text.split(" ")
    at = next((i for i, word in enumerate(words) if not ADVERBS.fullmatch(word)), 0)
    verb = re.match(r"[\w'’]*", words[at])
    length = verb.end() if verb else 0
    words[at] = form(words[at][:length]) + words[at][length:]
    return " ".join([*words[: at + 1], *_conjugate_joined(words[at + 1 :], form)])


def _conjugate_joined(words: list[str], form: Callable[[str], str]) -> list[str]:
    """Return words after a verb, with the verbs changed that share its subject after "and" or
    "but", and before them in a list; within another clause only after a comma, and none after a new
    subject in capitals.

    >>> " ".join(_conjugate_joined("a rota, owes Bo tea, and thinks of it".split(), first_person))
    'a rota, owe Bo tea, and think of it'
    """
    joined = _JOINED if form("wants") == "want" else tuple(first_person(word) for word in _JOINED)
    turned, listed = list(words), list[int]()
    aside = bool(words and CONJUNCTION.fullmatch(words[0]))
    for i in range(1, len(words)):
        if words[i][:1].isupper() and words[i - 1] in ("and", "but"):
            break
        object_of = words[i] == "you" and (
            BEFORE_BARE.fullmatch(words[i - 1]) or NO_VERBS.fullmatch("".join(words[i + 1 : i + 2]))
        )
        aside = aside or bool(_OPENS_CLAUSE.fullmatch(words[i]) and not object_of)
        at = i - 2 if i > 1 and ADVERBS.fullmatch(words[i - 1]) else i - 1
        back = not aside or (at > 0 and words[at - 1].endswith(","))
        if words[i - 1].endswith(",") and words[i] in joined:
            listed.append(i)
        if back and words[at] in ("and", "but") and words[i] in joined:
            for each in (*(listed if words[at - 1].endswith(",") else ()), i):
                turned[each] = form(words[each])
    return turned


def conjugate_after(text: str, old: str, new: str, form: Callable[[str], str]) -> str:
    """Return `text` with the pronoun `old` as `new` where a verb follows, and its verbs changed by
    `form`.
    """
    first, *parts = re.split(rf"\b{re.escape(old)} (?=\w)", text)
    return first + "".join(f"{new} {conjugate(part, form)}" for part in parts)


def replace_first_person(
    text: str, pronouns: Sequence[str], form: Callable[[str], str] = third, me: str = ""
) -> str:
    """Return an English text with the pronouns of a resident in place of "I", "my" and the like.

    >>> replace_first_person("what I've made myself and I'm proud of", ("he", "him", "his"))
    'what he has made himself and he is proud of'

    Args:
        text: The text, in which a verb follows each "I".
        pronouns: The subject, objective and possessive form; those of "they" if they are unknown.
        form: The third person of a verb after "I".
        me: The replacement of "me"; the objective form if there is none.
    """
    subject, objective, possessive = pronouns[:3] if len(pronouns) > 2 else THEY
    others = {
        "I": subject,
        "me": me or objective,
        "my": possessive,
        "mine": possessive if possessive.endswith("s") else f"{possessive}s",
        "myself": "themselves" if subject == "they" else f"{objective}self",
    }
    form = _after_they if subject == "they" else form
    text = conjugate_after(expand_contractions(text), "I", subject, form)
    return re.sub(rf"\b(?:{'|'.join(others)})\b", lambda found: others[found[0]], text)


def expand_contractions(text: str) -> str:
    """Return an English text with "I am" for "I'm", and with the other verbs contracted after "I"."""
    return re.sub(r"\bI['’](m|ve|ll|d)\b", lambda found: f"I {_CONTRACTED[found[1]]}", text)


def _after_they(verb: str) -> str:
    """Return the form after "they" of a verb after "I"."""
    return "are" if verb == "am" else verb


def third_from_you(verb: str) -> str:
    """Return the form after a name of a verb after "you"."""
    return {"are": "is", "aren't": "isn't", "were": "was", "weren't": "wasn't"}.get(verb) or third(
        verb
    )


def ing(words: str) -> str:
    """Return the present participle of a verb phrase.

    >>> [ing(words) for words in ("mill", "bake", "sow", "press cider", "dig", "tie up", "see to the bees")]
    ['milling', 'baking', 'sowing', 'pressing cider', 'digging', 'tying up', 'seeing to the bees']
    """
    verb, space, rest = words.partition(" ")
    if verb.endswith("ie"):
        verb = f"{verb[:-2]}y"
    elif re.search("[^aeiou]e$|[aeiou]ve$|ue$", verb) and len(verb) > 2:
        verb = verb[:-1]
    elif re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", verb):
        verb += verb[-1]
    return f"{verb}ing{space}{rest}"


def past(activity: str) -> str:
    """Return the simple past of an activity, which begins with a present participle; "" for one
    that doesn't, that joins several, or that is no act.

    >>> [past(each) for each in ("serving guests", "carrying trays", "sharing a coffee", "having tea")]
    ['served guests', 'carried trays', 'shared a coffee', 'had tea']
    >>> past("sewing and darning"), past("being ill"), past("a cup of tea")
    ('', '', '')
    """
    match = re.fullmatch(
        r"(?!being\b)(\w*[aeiouy]\w*)ing\b(?!.*(?:,| and| then) (?:\w+ly )?\w+ing\b)(.*)", activity
    )
    if match is None:
        return ""
    stem, rest = match.groups()
    regular = re.sub("(?<=[^aeiou])y$", "i", stem) + "ed"
    return _PAST.get(f"{stem}ing", regular) + rest


def shift_back(text: str) -> str:
    """Return an activity, as it is told later, with the clauses in it in the past tense.

    >>> shift_back("seeing whether she is hurt"), shift_back("telling them what has happened")
    ('seeing whether she was hurt', 'telling them what had happened')
    """
    return _SUBORDINATE.sub(lambda found: f"{found[1]} {_AUXILIARY_PAST[found[2]]}", text)


def tell_past(statement: str) -> str:
    """Return a statement of what happens, as it is told later; unchanged where a clause has not
    exactly one word that looks like its verb.

    >>> tell_past("a pipe bursts, and hot water sprays over the counter")
    'a pipe burst, and hot water sprayed over the counter'
    >>> tell_past("the mill is on fire"), tell_past("sparks and ashes fly over the roofs")
    ('the mill was on fire', 'sparks and ashes fly over the roofs')
    """
    clauses = re.split(r"((?:,|;|,? and) )", statement)
    told = [
        _FINITE.subn(lambda found: found[1] + _past_of(found[2]), each) for each in clauses[::2]
    ]
    if any(count != 1 for _, count in told):
        return statement
    clauses[::2] = [clause for clause, _ in told]
    return "".join(clauses)


def _past_of(verb: str) -> str:
    """Return the simple past of a verb in the third person."""
    return _AUXILIARY_PAST.get(verb) or past(ing(first_person(verb)))
