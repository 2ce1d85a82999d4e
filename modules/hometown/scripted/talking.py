"""Conversations of the scripted model: a line replies to the previous one, then raises a new
subject or says goodbye.
"""

from __future__ import annotations

import random
from dataclasses import replace

from hometown.language import Lang
from hometown.prompt.dialogue import RelationReply, RelationVars, UtteranceReply, UtteranceVars
from hometown.scripted import leads, meeting
from hometown.scripted.dealing import answer_talk_outcome
from hometown.scripted.recap import answer_talk_summary
from hometown.scripted.replies import reply_to_moves
from hometown.scripted.scene import Scene
from hometown.scripted.standing import standing

__all__ = ["answer_relation", "answer_talk_outcome", "answer_talk_summary", "answer_utterance"]

CLOSING = {3: 0.2, 4: 0.5, 5: 0.65}
"""Probability of saying goodbye by number of lines before; the last round always ends the
conversation, and a group stays together until then.
"""

MINUTES_TO_LEAVE = 10
"""Minutes before the next activity in the plan from which a speaker takes leave as soon as is
polite.
"""


def answer_utterance(v: UtteranceVars, rng: random.Random, lang: Lang) -> UtteranceReply:
    """Return the next line, with a flag that ends the talk. Deterministic in its arguments."""
    v = replace(v, memories=v.in_mind)
    scene = Scene(v, rng, lang)
    if not v.lines:
        leads.open_conversation(scene)
        return UtteranceReply(say=scene.text)
    if not v.several and any(spoken.act == "bye" for spoken in scene.latest):
        _say_bye(scene, "bye_back")
        return UtteranceReply(say=scene.text, end=True)
    open_question = reply_to_moves(scene) or leads.unburden(scene)
    leaves = v.last_line or (not open_question and not _is_to_invite(scene) and _closes(scene))
    if leaves:
        _say_bye(scene, "bye")
    elif not open_question:
        leads.lead_on(scene)
    if not scene.pieces:
        scene.say("nod")
    return UtteranceReply(say=scene.text, end=v.last_line or (leaves and v.several))


def _is_to_invite(scene: Scene) -> bool:
    """Return whether the speaker still means to invite the other to a gathering they mentioned."""
    return not scene.v.last_round and leads.means_to_invite(scene)


def _closes(scene: Scene) -> bool:
    count = len(scene.v.lines)
    if scene.v.last_round or any(spoken.act == "fall_out" for spoken in scene.latest):
        return True
    next_at = min((at for at, _ in scene.v.plan if at > scene.minute), default=scene.minute + 60)
    in_a_hurry = count >= 2 and next_at - scene.minute <= MINUTES_TO_LEAVE
    return scene.chance(
        0.6 if in_a_hurry and count < 4 else 0.0 if scene.v.several else CLOSING.get(count, 0.0)
    )


def _say_bye(scene: Scene, act: str) -> None:
    """Take leave, naming an agreement made in this talk if there is one."""
    tags = (
        ["agreed"]
        if scene.has_occurred("accept") and scene.has_occurred(*meeting.PROPOSALS)
        else []
    )
    if not scene.say(act, tags=tags):
        scene.say("bye_short")
    if scene.chance(0.25):
        scene.say("bye_wish")


def answer_relation(v: RelationVars, rng: random.Random, lang: Lang) -> RelationReply:
    return RelationReply(summary=standing(v, v.other, rng, lang))
