"""The last word of a talk, which names the agreement, request or confidence in it at the parting."""

from __future__ import annotations

from hometown.scripted import clauses
from hometown.scripted.meeting import OF_EVENTS, PROPOSALS
from hometown.scripted.phrases import ends_with_question, next_turn
from hometown.scripted.scene import Scene

NEWS = ("tell", "tell_source", "tell_seen")
DECISIONS = ("accept", "counter", "decline", "pity")
ASKING = ("ask_update", "ask_worry")
DECISIVE = frozenset({*PROPOSALS, *DECISIONS, "fall_out", "make_up_back"})

PUBLIC = ("hosting", "stage", "candidate")
"""Matters that may be known all over town."""

FOR_EVERYONE = ("hosting", "stage", "candidate")
"""Matters that their owner tells everyone, so that one question about them would not do."""

BETWEEN = ("promise", "return")
"""Matters between the two, which are taken up in another way than others' kinds of statements."""

THIRD = {
    "concern": "worry",
    "nerves": "worry",
    "opinion": "third",
    "notice": "observed",
    "request": "asking",
}
"""Matters of statements about the third person named in them, by their kinds."""

KINDS = ("request", "debt", "thanks", "win", "praise", "notice", "opinion", "nerves", "concern")
"""Kinds that are matters where the bank has no narrower one."""

WORD = "after-word"
"""Part of a listener who wants to hear how a matter goes on."""


def role(scene: Scene, act: str) -> str:
    """Return the speaker's part in the point of a talk of two, the tag of their last word when they
    take leave by `act`; "" for none. A teller has a last word only once the other takes leave.
    """
    if scene.v.several:
        return ""
    if "fall_out" in scene.acts or scene.has_occurred("fall_out"):
        return "quarrelled"
    if scene.has_occurred("make_up_back"):
        return "reconciled"
    decided = scene.last(*DECISIONS)
    if scene.has_occurred(*PROPOSALS):
        return _role_in_arrangement(scene, decided.act if decided else "")
    told = scene.last("tell_own", "tell_you", *ASKING, *NEWS)
    if told is None or told.act == "tell_you" or scene.has_occurred("part", by=scene.me.id):
        return ""
    mine = told.speaker == scene.me.id
    answers = act == "bye_back" or any(
        spoken.act == "part" or spoken.act.startswith("turn:") for spoken in scene.latest
    )
    if told.act == "tell_own":
        matter = stated_matter(scene, told.move.slots["news"])
        group = wish_for(scene, matter)
        if mine:
            return _reply_role(scene, group) if answers else ""
        if group == "luck" and _is_talked_about(scene):
            return ""
        if group == "luck" and matter != "hosting" and scene.chance(0.5):
            return WORD
        return f"after-{group}" if group and group != "heard" else ""
    if told.act in NEWS and _is_nothing_new(scene):
        return ""
    if told.act in NEWS:
        return "informer" if mine else "informed"
    if told.act == "ask_worry":
        return "after-comfort" if mine else "asked"
    if mine and "ack_update" in scene.acts:
        return ""
    return "after-luck" if mine else "asked"


def _is_talked_about(scene: Scene) -> bool:
    """Return True if an exchange has taken up the matter, which a wish would not fit any more."""
    return any(spoken.act.startswith("turn:") for spoken in scene.moves)


def _is_nothing_new(scene: Scene) -> bool:
    """Return True if the news of the talk was known, or contradicted."""
    unwelcome = {"react_known", "disagree"}
    return not unwelcome.isdisjoint(scene.acts) or scene.has_occurred(*unwelcome)


def awaits_reply(scene: Scene) -> bool:
    """Return True if the speaker of a talk of two has just taken up what the other has told or
    answered, so that the other has the next word before anybody takes leave.
    """
    settled = scene.v.several or scene.has_occurred("part", "fall_out", *PROPOSALS)
    if settled or not DECISIVE.isdisjoint(scene.acts) or not scene.pieces:
        return False
    told = scene.last("tell_own", "tell_you", *ASKING, *NEWS)
    return told is not None and (told.speaker == scene.me.id) == (told.act in ASKING)


def keeps_together(scene: Scene) -> bool:
    """Return True if the speaker has just invited the other, in the course of an exchange, to stay
    or to do something together now, so that a farewell would contradict it.
    """
    return any(
        act.startswith("turn:") and clauses.mentions(piece, scene.bank.words["together"])
        for act, piece in zip(scene.acts, scene.pieces, strict=True)
    )


def is_asked_along(scene: Scene) -> bool:
    """Return True if the latest line of a talk of two has invited the speaker, at the end of an
    exchange, to stay or to do something together now.
    """
    return not scene.v.several and any(
        spoken.act.startswith("turn:")
        and next_turn(spoken.act) not in scene.bank.frames
        and not ends_with_question(spoken.move.text)
        and clauses.mentions(spoken.move.text, scene.bank.words["together"])
        for spoken in scene.latest
    )


def thanks(scene: Scene) -> str:
    """Return the tag of a teller's thanks to a group that has taken up what they told; "" for none."""
    told = scene.last("tell_own")
    taken_up = any(spoken.act.startswith(("turn:", "react_own")) for spoken in scene.latest)
    if not scene.v.several or told is None or told.speaker != scene.me.id or not taken_up:
        return ""
    group = wish_for(scene, stated_matter(scene, told.move.slots["news"]))
    return f"teller-{group}" if group else ""


def _reply_role(scene: Scene, group: str) -> str:
    """Return a teller's answer to the wish with which the other has taken leave, or else their thanks
    for being heard, if the other has talked about it; "" if there was neither.
    """
    wish = next((spoken.move.tag for spoken in scene.latest if spoken.act == "part"), "")
    if wish.startswith("after-"):
        return wish.replace("after-", "teller-", 1)
    is_taken_up = any(spoken.act.startswith("turn:") for spoken in scene.latest)
    return "teller-heard" if group == "heard" or is_taken_up else ""


def _role_in_arrangement(scene: Scene, decision: str) -> str:
    """Return the part in a proposal that was answered in this line or before it; "" for none."""
    proposal = scene.last(*PROPOSALS)
    if "accept" in scene.acts:
        return "settled"
    if "decline" in scene.acts:
        return "absent" if proposal and proposal.act in OF_EVENTS else "declined"
    if proposal is None or not set(DECISIONS).isdisjoint(scene.acts):
        return ""
    if decision == "accept":
        return "agreed" if proposal.act == "propose" else "joining"
    if decision != "decline" or proposal.speaker != scene.me.id:
        return ""
    return "missed" if proposal.act in OF_EVENTS else "refused"


def slots(scene: Scene) -> dict[str, str]:
    """Return the latest time and topic of the arrangement made in the talk, if they were named."""
    arranged = [
        spoken.move.slots for spoken in scene.moves if spoken.act in (*PROPOSALS, *DECISIONS)
    ]
    found: dict[str, str] = {}
    for values in arranged:
        found |= {name: values[name] for name in ("day", "time", "topic") if values.get(name)}
    return found


def stated_matter(scene: Scene, clause: str) -> str:
    """Return the matter of a statement about the speaker's own life, as its take-up needs it: an
    opinion of a third person, or a request to them, is another matter than one's own; "plain" for a
    mere fact.
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
    if kind == "open":
        return "open"
    if matter == "secret":
        return matter
    if kind in THIRD and any(name in clause for name in names):
        return _third_matter(scene, clause, THIRD[kind])
    if matter or kind in KINDS:
        return matter or kind
    return "bad" if clauses.mood_of(clause, scene.bank) == "bad" else "plain"


def _third_matter(scene: Scene, clause: str, matter: str) -> str:
    """Return the matter of a statement about a third person, told apart by its words: a question
    about them from an observation, a hope for them from a favour to ask.
    """
    if clauses.matter_of(clause, scene.bank) == "wonder" and matter == "observed":
        return "guess"
    asks = clauses.mentions(clause, scene.bank.words["asking"])
    return "hope" if matter == "asking" and not asks else matter


def lead_tag(scene: Scene, matter: str) -> str:
    """Return the tag of phrases that lead up to a statement of a matter; "" for those of any."""
    leads: dict[str, list[str]] = scene.bank.words["leads"]
    return next((f"lead-{kind}" for kind, matters in leads.items() if matter in matters), "")


def wish_for(scene: Scene, matter: str) -> str:
    """Return the kind of wish that fits a matter; "" for none."""
    groups: dict[str, list[str]] = scene.bank.words["wishes"]
    return next((group for group, matters in groups.items() if matter in matters), "")
