"""A resident's memories as they would tell them: in the first person, and as told to or heard from
others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hometown.clock import HOUR_WORDS
from hometown.history.day_names import ResidentNames
from hometown.history.familiar import refer_by_pronouns
from hometown.scripted.grammar import as_me, my_activity
from hometown.scripted.words import clip
from hometown.text import split_sentences
from hometown.world.verbs import ADVERBS, NO_VERBS, first_person

MAX_PRESENT = {"en": 300, "zh": 110}
"""Maximum length of the text about present concerns, in characters."""

SHORTEST_RELATION = 10
"""Minimum number of Chinese characters of the words for a relation, which are a sentence there."""

LONGEST_RELATION = {"en": 105, "zh": 36}
"""Maximum length of the words for a relation, in characters."""

LONGEST_NEWS = {"en": 120, "zh": 42}
"""Maximum length of news that is not quoted, in characters."""

_KEPT_VERB = re.compile(r"\b((?:and|but) (?:\w+ly )?)([a-z]+[^s\W]s)\b")

_SCHEDULE = {
    "en": re.compile(
        rf", until (?:[\w ]+ (?:past|to) )?(?:{'|'.join(HOUR_WORDS)}|noon|midnight)\b"
    ),
    "zh": re.compile("，(?:也就是[^，]*号|[^，]*散场|地点[^，]*)(?=，|。|$)"),
}
"""Words that say more of when and where something is than that it is."""

_ADDRESS = re.compile("我(?:劝|答应|请|求|催|谢|骂|夸|约|问)")
"""The beginning of a Chinese sentence that tells an act of speech."""

_ACT = re.compile(
    r"(I )(?!am|was|have|had|do|did|mean|want|hope|intend|plan|need|would|will|should|must|can|may"
    r"|might|ought|think|feel|know|wish|like|owe|\w+ed\b)"
)
"""The beginning of a sentence whose verb is an act in the present."""

_MEANT = re.compile(
    "我?(?:会|[^，。；]{0,8}?(?:打算|准备|决定|答应|[约说]好|(?<!只)要(?!是)|想(?!起)|得(?![到着住])))"
)
"""The beginning of a Chinese sentence that says by itself what its speaker means to do."""

_CONDITION = re.compile(
    "(?:我?(?:等到?)?(?P<done>[^，。；]{1,10}(?:[着完好齐成见到]了|(?<![午今然最以])后))"
    "|(?P<given>(?:要是|如果|只要|一旦)[^，。；]+))，就?"
)
"""The condition at the beginning of a Chinese intention."""

_JOINED = {"en": r" and |'s", "zh": "和|跟|与|、|的"}
"""The words after a name that is not the whole subject of its sentence."""

_SERIES = re.compile(
    r"(?<=, )((?:and |but )?(?:since (?!he|she|they|it)\w+ |at (?:[\w'’]+ ){1,3}?)?)"
    r"((?:has|is|does)(?:n't)?|(?!thanks )[a-z]+s)"
    rf"(?= (?:{NO_VERBS.pattern}|{ADVERBS.pattern}|off|up|out|\w+ing|no|forward|every\w*|people|somebody|nobody|back"
    r"|around|short|ordered|dared|told)\b)"
)
"""Further verbs of a subject in a series: "is late, wants a van, and looks for one"."""

_AUXILIARY = re.compile(r"(?<=, )((?:and |but )?)((?:has|is|does)(?:n't)?)\b")
"""Further auxiliary verbs in a series: "is late, and has found a van"."""

_AS_OBJECT = re.compile(
    r"\b(sells|calls|sends|gives|brings|lends|tells|shows|teaches|owes|wants?) my\b(?! own)"
)
"""Verbs after which "her" is the one who gets something, and no possessive."""

_AFTER_WHOM = r"\b(?:whom|whose \w+|that|where) {}\b"
"""Words after which the pronoun of two people is that of the one who speaks, to be filled."""

_HEAD = {"en": r",| (?:(?:with|for|at|to|in|from|against) )?who(?:m|se)?\b", "zh": "，"}
"""The end of the plain words for a relation."""


class OwnMemories(ResidentNames):
    """The memories of one resident in their own words."""

    def present(self, text: str) -> list[str]:
        """Return the first sentences of `text`, the resident's present concerns in the third
        person, each in the first person and without full names; at most `MAX_PRESENT` characters
        in all.

        Sentences in which the resident's name occurs again, or a pronoun might mean another
        resident, are skipped. The list ends before the first sentence that would be too long, or in
        which a verb may have stayed in the third person.
        """
        told: list[str] = []
        name = self.names.person(self.who)
        pronouns = self.persona.pronouns if self.persona else ()
        for sentence in map(str.strip, split_sentences(text)):
            full = self._name_subject(sentence, name, pronouns)
            if self.lang == "en" and name in full.removeprefix(name):
                continue
            if re.match(rf"{re.escape(name)}(?:,| and |和|、|跟|在.*(?:聊|说|碰见))", full):
                continue
            if self._own_pronoun().search(full) and self._names_another_like(full, pronouns):
                continue
            said = self.sentence(self.time.speak_hours(self.short(self._as_me(full))))
            if len("".join((*told, said))) > MAX_PRESENT[self.lang] or self.is_doubtful(said):
                break
            told.append(said)
        return told

    def _as_me(self, text: str) -> str:
        """Return a sentence about the resident in the first person, with all verbs of a series."""
        name = self.names.person(self.who)
        pronouns = self.persona.pronouns if self.persona else ()
        said = as_me(text.replace(f"{name} perhaps ", f"{name} "), name, pronouns, self.lang)
        if self.lang == "zh":
            return said
        said = re.sub(r"\b(wants?) my back\b", r"\1 me back", said)
        if not said.startswith("I"):
            return said
        for verbs in (_SERIES, _AUXILIARY):
            said = verbs.sub(lambda verb: verb[1] + first_person(verb[2]), said)
        return said

    def _name_subject(self, sentence: str, name: str, pronouns: tuple[str, ...]) -> str:
        """Return an English sentence that begins with the resident's pronoun with their name."""
        if self.lang == "zh" or len(pronouns) < 3:
            return sentence
        sentence = re.sub(rf"^{pronouns[0].capitalize()}\b", lambda _: name, sentence)
        return re.sub(rf"^{pronouns[2].capitalize()}\b", lambda _: f"{name}'s", sentence)

    def relation(self, other: str) -> str:
        """Return the relation of another to the resident, in the resident's words: "the grocer who
        keeps me the bruised pears"; "" for relatives and strangers, and where that cannot be done
        safely.
        """
        text = self.persona.relation_to(other) if self.persona else ""
        text = re.split("[;:；：。]", text)[0]
        if not text or other in self.kin or self.names.person(other) in text:
            return ""
        if self._is_ambiguous(text, other) or len(text) > LONGEST_RELATION[self.lang]:
            text = re.split(_HEAD[self.lang], text)[0]
            if self._is_ambiguous(text, other):
                return ""
        return self._as_mine(text)

    def _as_mine(self, relation: str) -> str:
        """Return the words for a relation in the first person."""
        if self.lang == "zh":
            relation = re.sub("^那[位个]", "", re.sub("两个?人", self.words["we"], relation))
            is_name = (
                not re.match("像|在[^的，]*，", relation) and len(relation) >= SHORTEST_RELATION
            )
            return self.short(self._as_me(relation)) if is_name else ""
        pronouns = self.persona.pronouns if self.persona else ()
        if pronouns:
            relation = relation.replace(self.names.person(self.who), pronouns[0])
        said = self._as_me(relation)
        if pronouns[1:2] == pronouns[2:]:
            said = _AS_OBJECT.sub(r"\1 me", said)
        if re.search(_AFTER_WHOM.format("I"), said):
            said = _KEPT_VERB.sub(lambda verb: verb[1] + first_person(verb[2]), said)
        said = re.sub(r"\bthan (?:he|she|they)\b", "than I", said)
        return self.short(
            relation[:1] + said[1:] if said[:1] != "M" else said[:1].lower() + said[1:]
        )

    def _is_ambiguous(self, relation: str, other: str) -> bool:
        """Return True if a pronoun in the words for a relation might be the other's, or stand for
        both.
        """
        if self.lang == "zh":
            return self._is_like(other) and bool(re.search("，.*[他她]", relation))
        if re.search(r"\b(?:they|their)\b", relation):
            return True
        pronouns = self.persona.pronouns if self.persona else ()
        if len(pronouns) < 3 or not self._is_like(other):
            return False
        subject, objective, possessive = pronouns
        rest = re.sub(rf"^{possessive}\b", "", relation)
        acts = re.search(_AFTER_WHOM.format(subject), rest)
        rest = re.sub(_AFTER_WHOM.format(subject), "", rest)
        if objective != possessive and not acts:
            rest = re.sub(rf"\b{objective}\b", "", rest)
        return bool(re.search(rf"\b(?:{'|'.join(pronouns)}|{objective}self)\b", rest))

    def mine(self, text: str, others: Sequence[str] = ()) -> str:
        """Return a sentence of the resident's memory in the first person, without its full stop;
        "" where that cannot be done safely: the resident is named in the midst of an English one, or
        a pronoun might be another's.

        Args:
            text: The memory.
            others: Those who may be meant by a pronoun although the memory does not name them.
        """
        text = text.strip().rstrip(".。")
        name = self.names.person(self.who)
        pronouns = self.persona.pronouns if self.persona else ()
        own = self._own_pronoun()
        if name not in text:
            safe = not own.search(text) or self._names_another_like(text, pronouns)
            return self.time.speak_hours(self.short(text)) if safe else ""
        if not text.startswith(name) and len(clauses := text.split("; ")) > 1:
            told = [self.mine(each, others) for each in clauses]
            return "; ".join(told) if all(told) else ""
        if (self.lang == "en" and not text.startswith(name)) or text.count(name) > 1:
            return ""
        if re.match(_JOINED[self.lang], text[len(name) :]):
            return ""
        alike = any(self._is_like(other) for other in others)
        after_subject = re.sub(f"(?<=，)(?:{own.pattern})", "", text)
        if alike and own.search(after_subject):
            return ""
        if own.search(text) and self._names_another_like(text, pronouns):
            return ""
        return self.time.speak_hours(self.short(self._as_me(self._without_schedule(text))))

    def intend(self, text: str) -> str:
        """Return an intention in the first person so that it does not sound like a fact: with "will"
        or 打算 before what does not say by itself that it is one.
        """
        if self.lang == "zh":
            return self._intend_zh(text)
        if not (found := _ACT.match(text)):
            return text
        return f"I'll {text[found.end(1) :].strip().replace(' do not ', ' not ')}"

    def _intend_zh(self, text: str) -> str:
        """Return a Chinese intention with 我打算 before what is meant, behind its condition; one of
        others as it is.
        """
        names = (*self.given.given.values(), *self.kin.values())
        if not text or _MEANT.match(text) or text.startswith(names):
            return text
        if found := _CONDITION.match(text):
            condition = found["given"] or f"等{found['done']}"
            return f"{condition}，{self._intend_zh(text[found.end() :])}"
        act = text.removeprefix("我")
        return f"我不打算{act[1:]}" if act.startswith("不") else f"我打算{act}"

    def to(self, text: str, others: Sequence[str]) -> str:
        """Return a memory in the first person as it is told after the names of those to whom it was
        told: with a pronoun for one of them; unchanged where that might mean another.
        """
        if len(others) != 1:
            return text
        persona = self.names.persona(others[0])
        pronouns = persona.pronouns if persona else ()
        name = self.name(others[0])
        alike = any(
            given in text and self._have_one_pronoun(who, others[0])
            for who, given in self.given.given.items()
            if who not in (self.who, others[0])
        )
        return text if alike else refer_by_pronouns(text, name, pronouns, self.lang)

    def is_address(self, text: str) -> bool:
        """Return True if a Chinese memory in the first person is itself an act of speech."""
        return self.lang == "zh" and bool(_ADDRESS.match(text))

    def of_teller(self, matter: str, teller: str) -> str:
        """Return a matter as the resident passes on what a teller said, cut to `LONGEST_NEWS`: with
        a pronoun for the teller; "" if the resident is named in it, or a pronoun might be theirs.
        """
        if self.names.person(self.who) in matter or self.given.given[self.who] in matter:
            return ""
        matter = self._about_me(matter, teller)
        name, persona = self.names.person(teller), self.names.persona(teller)
        subject = persona.pronouns[0] if persona and persona.pronouns else "they"
        if subject != "they" and re.match(re.escape(name) + r"(?! and |和|跟|与|、)", matter):
            if self._is_like(teller) and self._own_pronoun().search(matter.removeprefix(name)):
                return ""
            others = [who for who in self.given.full if who not in (teller, self.who)]
            is_clear = not any(
                self.given.full[who] in matter and self._have_one_pronoun(who, teller)
                for who in others
            )
            pronouns = persona.pronouns if persona else ()
            first = re.sub(rf"^{re.escape(name)}(?!'s)", subject, matter)
            first = re.sub(rf"^{re.escape(name)}'s", pronouns[-1], first)
            matter = refer_by_pronouns(first, name, pronouns, self.lang) if is_clear else first
        text = self.time.speak_hours(self.short(self._without_schedule(matter)))
        return clip(text, LONGEST_NEWS[self.lang], self.lang)

    def _about_me(self, matter: str, teller: str) -> str:
        """Return what a teller said with the resident's pronouns in the first person, if these can
        mean nobody else.
        """
        pronouns = self.persona.pronouns if self.persona else ()
        alike = self._is_like(teller) or self._names_another_like(matter, pronouns)
        if alike or not self._own_pronoun().search(matter):
            return matter
        return as_me(matter, self.names.person(self.who), pronouns, self.lang)

    def _without_schedule(self, matter: str) -> str:
        """Return news without what it says of its time and place after the first time."""
        return _SCHEDULE[self.lang].sub("", matter)

    def doing(self, text: str) -> str:
        """Return an activity in the first person."""
        own = self.names.person(self.who)
        if self.lang == "zh":
            return self.short(as_me(text, own, self.persona.pronouns if self.persona else (), "zh"))
        text = text.replace(f"{own}'s", self.words["my"]).replace(own, self.words["me"])
        return self.short(my_activity(text) if text[:1].islower() else text)

    def is_unclear(self, task: str) -> bool:
        """Return True if an English task in the first person has kept a pronoun of the third, or
        has a possessive for one that was none: "telling my to wear more".
        """
        subject = self.persona.pronouns[:1] if self.persona else ()
        return self.lang == "en" and bool(
            re.search(rf"\b{''.join(subject) or 'they'}\b|\bmy(?:$| to\b)", task)
        )

    def is_doubtful(self, text: str) -> bool:
        """Return True if a sentence in the first person may have kept a verb of the third."""
        return self.lang == "en" and bool(_KEPT_VERB.search(text))
