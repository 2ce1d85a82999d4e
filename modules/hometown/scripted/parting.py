"""The last word of a talk: what was agreed, asked for or confided in it is named at the parting."""

from __future__ import annotations

from hometown.scripted import clauses
from hometown.scripted.meeting import PROPOSALS
from hometown.scripted.scene import Scene

NEWS = ("tell", "tell_source", "tell_seen")
DECISIONS = ("accept", "counter", "decline", "pity")

ARRANGED = ("agreed", "joining", "refused")
"""Parts in an arrangement, which the farewell itself names."""

PUBLIC = ("hosting", "stage", "candidate")
"""Matters that may be known all over town."""

BETWEEN = ("promise", "return")
"""Matters between the two, which are taken up in another way than others' kinds of statements."""

THIRD = ("concern", "opinion", "nerves", "notice")
"""Kinds of statements that are about the third person named in them."""


def role(scene: Scene, act: str) -> str:
    """Return the speaker's part in the point of a talk of two, the tag of their last word when they
    take leave by `act`; "" for none. A teller has a last word only once the other takes leave.
    """
    if scene.v.several:
        return ""
    decided = scene.last(*DECISIONS)
    if scene.has_occurred(*PROPOSALS):
        return _role_in_arrangement(scene, decided.act if decided else "")
    told = scene.last("tell_own", "tell_you", "ask_update", "ask_worry", *NEWS)
    if told is None or told.act == "tell_you":
        return ""
    mine = told.speaker == scene.me.id
    if told.act == "tell_own":
        group = _group(scene, stated_matter(scene, told.move.slots["news"]))
        if mine:
            return f"teller-{group}" if act == "bye_back" else ""
        return f"after-{group}" if group != "heard" else ""
    if told.act in NEWS:
        return "informer" if mine else "informed"
    if told.act == "ask_worry":
        return "after-comfort" if mine else "asked"
    return "after-luck" if mine else "asked"


def _role_in_arrangement(scene: Scene, decision: str) -> str:
    """Return the part in a proposal that was answered before this line; "" if the line itself
    answers it.
    """
    proposal = scene.last(*PROPOSALS)
    if proposal is None or not set(DECISIONS).isdisjoint(scene.acts):
        return ""
    if decision == "accept":
        return "agreed" if proposal.act == "propose" else "joining"
    return "refused" if decision == "decline" and proposal.speaker == scene.me.id else ""


def slots(scene: Scene) -> dict[str, str]:
    """Return the time and the topic of the arrangement made in the talk."""
    arranged = [
        spoken.move.slots for spoken in scene.moves if spoken.act in (*PROPOSALS, *DECISIONS)
    ]
    found: dict[str, str] = {}
    for values in arranged:
        found |= {name: values[name] for name in ("time", "topic") if values.get(name)}
    return found


def stated_matter(scene: Scene, clause: str) -> str:
    """Return the matter of a statement about the speaker's own life, as its take-up needs it: an
    opinion of a third person is their matter.
    """
    matter = clauses.matter_of(clause, scene.bank)
    if matter != "stage" and clauses.is_gathering(clause, scene.bank):
        return "hosting"
    kind = clauses.kind_of_statement(clause, scene.bank)
    names = {
        shown
        for who, name in scene.v.situation.names
        if who not in (scene.me.id, scene.other.id)
        for shown in (name, scene.shorts.get(name, name))
    }
    if kind in THIRD and any(name in clause for name in names):
        return "third"
    return matter or ("bad" if clauses.mood_of(clause, scene.bank) == "bad" else kind)


def _group(scene: Scene, matter: str) -> str:
    """Return the kind of wish that fits a matter."""
    groups: dict[str, list[str]] = scene.bank.words["wishes"]
    return next((group for group, matters in groups.items() if matter in matters), "heard")
