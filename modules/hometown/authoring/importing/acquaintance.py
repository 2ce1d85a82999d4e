"""Relations between imported people: stated in their histories and texts, or guessed from homes and
from where they spend their days.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourcePerson
from hometown.authoring.word_tables import contains_word, read_word_table
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import Phrase

Relations = dict[str, Json]

HOUSEMATE, ACQUAINTANCE, SEEN = 7, 5, 3
"""Closeness, 0 to 10, of residents who share a house, who are named in each other's texts, and who
spend their days at the same place.
"""


def relations(
    people: Mapping[str, SourcePerson],
    homes: Mapping[str, str],
    frequented: Mapping[str, set[str]],
    lang: Lang,
    report: ImportReport,
) -> Relations:
    """Return the relations of each resident by id, for its file, and report for each source how
    many were taken from it. `homes` and `frequented` are the sectors where each lives and spends
    its days.
    """
    made: Relations = {who: {} for who in people}
    sources: Counter[str] = Counter()
    for who in people:
        for other in people:
            if other == who:
                continue
            source, relation = _find_relation(who, other, people, homes, frequented, lang)
            if relation:
                made[who][other] = relation
                sources[source] += 1
    for source, text in (
        (
            "texts",
            Phrase(
                "{count} relations, from texts that name another resident", count=sources["texts"]
            ),
        ),
        (
            "house",
            Phrase("{count} relations between people who share a house", count=sources["house"]),
        ),
        (
            "place",
            Phrase(
                "{count} relations between people whose daily plans lead to the same place",
                count=sources["place"],
            ),
        ),
    ):
        if sources[source]:
            report.guessed.append(text)
    return made


def _find_relation(
    who: str,
    other: str,
    people: Mapping[str, SourcePerson],
    homes: Mapping[str, str],
    frequented: Mapping[str, set[str]],
    lang: Lang,
) -> tuple[str, Json | None]:
    """Return the source of the relation of another person to a resident, and the relation: kinship
    that the resident's texts state, a shared house, a name in the texts of either, or a place that
    both frequent, in this order; ("", None) for strangers.
    """
    words = read_word_table(lang)
    named = sentences_naming(people[who], names_in_texts(people)[other], lang)
    kin = next(
        (
            row
            for sentence in named
            for row in words["relations"]
            if contains_word(sentence, row["words"])
        ),
        None,
    )
    if kin:
        return "texts", {"closeness": kin["closeness"], "text": {lang: kin["text"]}}
    if homes[who] == homes[other]:
        return "house", {"closeness": HOUSEMATE, "text": {lang: words["housemate"]}}
    if named or sentences_naming(people[other], names_in_texts(people)[who], lang):
        return "texts", {"closeness": ACQUAINTANCE, "text": {lang: words["acquaintance"]}}
    if frequented[who] & frequented[other]:
        return "place", {"closeness": SEEN, "text": {lang: words["seen"]}}
    return "", None


def names_in_texts(people: Mapping[str, SourcePerson]) -> dict[str, list[str]]:
    """Return the names used in texts for each person: the full name, and the first name if it is
    unique.
    """
    first = Counter(person.name.split()[0] for person in people.values())
    return {
        who: [
            person.name,
            *([person.name.split()[0]] if first[person.name.split()[0]] == 1 else []),
        ]
        for who, person in people.items()
    }


def sentences_naming(person: SourcePerson, names: Sequence[str], lang: Lang) -> list[str]:
    """Return the sentences in one person's texts and histories that name another person."""
    sentences = [
        part
        for text in person.texts()
        for part in re.split(read_word_table(lang)["sentences"], text)
    ]
    return [
        part
        for part in sentences
        if any(
            re.search(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name), part)
            for name in names
        )
    ]
