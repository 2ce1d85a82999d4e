"""Conversations of the scripted model: a line replies to the previous one, then raises a new
subject or says goodbye.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from hometown.language import Lang
from hometown.prompt.dialogue import RelationReply, RelationVars, UtteranceReply, UtteranceVars
from hometown.scripted import acts, exchanging, joining, leads, parting, telling
from hometown.scripted.dealing import answer_talk_outcome
from hometown.scripted.naming import casual
from hometown.scripted.phrases import next_turn
from hometown.scripted.recap import answer_talk_summary
from hometown.scripted.scene import NAMED_AT_PARTING, Scene
from hometown.scripted.standing import standing

__all__ = ["answer_relation", "answer_talk_outcome", "answer_talk_summary", "answer_utterance"]

CLOSING = {1: 0.55, 2: 0.95}
"""Probability of saying goodbye by the number of subjects that have been talked about; the last
round always ends the conversation, and a group stays together until then.
"""

ARRANGES = 0.3
"""Probability of proposing to meet again before the talk ends."""

EARLIEST_END = 2
"""Least number of lines that are spoken before a conversation may end for want of a subject."""

ENDS = frozenset({"accept", "decline", "pity", "fall_out"})
"""Acts that settle a matter, so that their speaker takes leave."""

LEAVES_WORD = frozenset(
    {"air_yes", "yield", "make_up_back", "heard_yes", "answer_update", "answer_worry"}
)
"""Acts after which the other has the next word: they give way, forgive, or answer."""

LEAVE_SHARE = 0.4
"""Probability of taking leave when the next activity is near."""

MINUTES_TO_LEAVE = 10
"""Minutes before the next activity in the plan from which a speaker takes leave as soon as is
polite.
"""


def answer_utterance(v: UtteranceVars, rng: random.Random, lang: Lang) -> UtteranceReply:
    """Return the next line, with a flag that ends the talk: an opening, a goodbye in return, or
    replies followed by a new subject, an arrangement or a goodbye. In a talk of two, one who has
    been asked about their day and has no news leaves the subject to the other. Deterministic in its
    arguments.
    """
    v = replace(v, memories=v.in_mind, lines=joining.mark_leavers(v.lines, lang))
    scene = Scene(v, rng, lang)
    if not v.lines:
        leads.open_conversation(scene)
        return UtteranceReply(say=scene.text)
    if _joins(scene) and any(spoken.act.startswith("bye") for spoken in scene.latest):
        joining.come_too_late(scene)
        return UtteranceReply(say=scene.text, end=True)
    has_left = scene.has_occurred("bye", by=scene.me.id)
    if has_left or any(spoken.act == "bye" for spoken in scene.latest):
        _say_bye(scene, "bye_back", _name_leaver(scene))
        return UtteranceReply(say=scene.text, end=True)
    if joining.join(scene) if _joins(scene) else joining.lets_answer(scene):
        return UtteranceReply(say=scene.text, end="withdraw" in scene.acts)
    if len(v.lines) == 1:
        leads.greet_back(scene)
    if joining.receive(scene):
        return UtteranceReply(say=scene.text)
    if parting.is_asked_along(scene):
        scene.say("come_along")
        return UtteranceReply(say=scene.text, end=True)
    open_question = acts.perform_replies(scene) or telling.unburden(scene)
    if "answer_day" in scene.acts and not v.last_round and not v.several:
        leads.tell_something(scene)
        return UtteranceReply(say=scene.text)
    if not open_question and _awaits_reaction(scene):
        return UtteranceReply(say=scene.text, end=_ends_on_punchline(scene))
    return _lead_on_or_leave(scene, open_question)


def _lead_on_or_leave(scene: Scene, open_question: bool) -> UtteranceReply:
    """Return the line with a new subject, an arrangement or a goodbye added to its replies."""
    v = scene.v
    leaves = v.last_line or (not open_question and not _is_to_invite(scene) and _closes(scene))
    if leaves and (leads.mention_news(scene) or _arranges_by_chance(scene)):
        return UtteranceReply(say=scene.text)
    leaves = leaves or not (open_question or leads.lead_on(scene) or "resume" in scene.acts)
    if leaves and not v.last_round and parting.awaits_reply(scene):
        if not _has_answered(scene):
            _say_wish(scene, parting.role(scene, "bye"))
        return UtteranceReply(say=scene.text, end=_ends_light_matter(scene))
    if leaves and _ends_on_punchline(scene):
        return UtteranceReply(say=scene.text, end=True)
    if leaves and not parting.keeps_together(scene):
        _say_bye(scene, "bye")
    if not scene.pieces:
        scene.say("nod")
    return UtteranceReply(say=scene.text, end=v.last_line or (leaves and v.several))


def _awaits_reaction(scene: Scene) -> bool:
    """Return True if another has the next word: after an answer or one of the acts `LEAVES_WORD` in
    a talk of two, after a reaction to what was told to a group, and after an invitation to do
    something together now.
    """
    if scene.v.last_round:
        return False
    if parting.keeps_together(scene):
        return True
    if scene.v.several:
        return any(act.startswith("react") for act in scene.acts)
    leaves_word = not LEAVES_WORD.isdisjoint(scene.acts)
    return leaves_word or (
        _has_answered(scene) and exchanging.answers_question(scene, len(scene.v.lines))
    )


def _has_answered(scene: Scene) -> bool:
    """Return True if the line goes on with an exchange."""
    return any(act.startswith("turn:") for act in scene.acts)


def _ends_light_matter(scene: Scene) -> bool:
    """Return True if the line ends an exchange about a matter of the other's that is neither heavy
    nor secret, and no gathering to which they may still invite.
    """
    told = scene.last("tell_own")
    if told is None or not _ends_exchange(scene):
        return False
    matter = parting.stated_matter(scene, told.move.slots["news"])
    return matter != "hosting" and parting.wish_for(scene, matter) in ("", "luck")


def _ends_exchange(scene: Scene) -> bool:
    """Return True if the line ends with the last line of an exchange."""
    return (
        bool(scene.acts)
        and scene.acts[-1].startswith("turn:")
        and next_turn(scene.acts[-1]) not in scene.bank.frames
    )


def _ends_on_punchline(scene: Scene) -> bool:
    """Return True if the line ends an exchange in which nothing of weight has been said, so that a
    goodbye would only weaken it.
    """
    return _ends_exchange(scene) and not leads.is_weighty(scene)


def _joins(scene: Scene) -> bool:
    """Return True if the speaker, who met several at once, has joined their talk with this line."""
    spoken = any(line.speaker == scene.me.id for line in scene.v.lines)
    return len(scene.v.company) > 1 and not spoken


def _is_to_invite(scene: Scene) -> bool:
    """Return True if the speaker still means to invite the other to a gathering they mentioned."""
    return not scene.v.last_round and leads.means_to_invite(scene)


def _arranges_by_chance(scene: Scene) -> bool:
    """Propose by chance to meet again instead of taking leave; return True if that was done."""
    settled = scene.v.last_round or not ENDS.isdisjoint(scene.acts)
    return not settled and scene.chance(ARRANGES) and leads.arrange(scene)


def _closes(scene: Scene) -> bool:
    """Return True if the speaker takes leave: in the last round, after a quarrel, after a settled
    matter, when the next activity is near, or by chance, which grows with the subjects talked
    about. In a group, only the last round, a quarrel and the next activity count.
    """
    count, subjects = len(scene.v.lines), leads.count_subjects(scene)
    if scene.v.last_round or any(spoken.act == "fall_out" for spoken in scene.latest):
        return True
    if not scene.v.several and not ENDS.isdisjoint(scene.acts):
        return True
    next_at = min((at for at, _ in scene.v.plan if at > scene.minute), default=scene.minute + 60)
    in_a_hurry = count >= 2 and next_at - scene.minute <= MINUTES_TO_LEAVE
    if in_a_hurry and scene.chance(LEAVE_SHARE):
        return True
    if count < EARLIEST_END:
        return False
    closing = max(CLOSING.values()) if subjects > max(CLOSING) else CLOSING.get(subjects, 0.0)
    return not scene.v.several and scene.chance(closing)


def _name_leaver(scene: Scene) -> dict[str, str]:
    """Return the name of the participant who takes leave, unless it is the one whom the speaker
    faces.
    """
    line = scene.v.lines[-1]
    faced = line.speaker == scene.other.id
    return {} if faced else {"other": casual(line.name, scene.shorts)}


def _say_bye(scene: Scene, act: str, names: Mapping[str, str] | None = None) -> None:
    """Take leave, with a word about the point of the talk if it had one, which the last line of an
    exchange has said already.
    """
    role = "" if names else parting.role(scene, act)
    slots = {**parting.slots(scene), **(names or {})}
    if not (_has_answered(scene) and role.startswith("after-")):
        _say_wish(scene, role or parting.thanks(scene))
    scene.say(act, slots, [role or ("group" if scene.v.several else "")])


def _say_wish(scene: Scene, role: str) -> None:
    """Say a last word about the point of the talk, if the speaker's part in it has one."""
    if role and role not in NAMED_AT_PARTING:
        scene.say("part", parting.slots(scene), [role])


def answer_relation(v: RelationVars, rng: random.Random, lang: Lang) -> RelationReply:
    """Return the relationship with the other in one or two sentences."""
    return RelationReply(summary=standing(v, v.other, rng, lang))
