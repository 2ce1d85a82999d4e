"""Groups: what a newcomer to a talk says and hears, and who leaves an answer to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hometown.language import Lang
from hometown.prompt.dialogue import DialogueLine
from hometown.scripted import acts, exchanging, follow_ups, parting, quarrels
from hometown.scripted.naming import casual
from hometown.scripted.phrases import bank
from hometown.scripted.scene import Scene, SpokenMove


def mark_leavers(lines: Sequence[DialogueLine], lang: Lang) -> tuple[DialogueLine, ...]:
    """Return the lines, with those marked as leaving who have left the talk to the others."""
    return tuple(
        replace(line, leaves=True)
        if any(move.act == "withdraw" for move in bank(lang).recognise(line.text))
        else line
        for line in lines
    )


def lets_answer(scene: Scene) -> bool:
    """In a group, let the one answer to whom the latest line was said, if it was not said to all.
    Return True if the speaker has done so.
    """
    if not scene.v.several:
        return False
    waiting = [
        spoken for spoken in scene.latest if acts.obliges(spoken) and spoken.act not in acts.TO_ALL
    ]
    who = exchanging.find_addressee(scene, waiting[-1]) if waiting else ""
    return _turn_to(scene, "defer", who)


def join(scene: Scene) -> bool:
    """Say the first line of a newcomer to a talk: they let one who was asked or told something
    answer, ask what the talk is about if they can be drawn into it, or else greet and go on. Return
    False if the line was said to them, so that they answer it.
    """
    waiting = [spoken for spoken in scene.latest if acts.waits(scene, spoken)]
    latest = waiting[-1] if waiting else None
    who = exchanging.find_addressee(scene, latest) if latest else scene.other.id
    passed = acts.find_passed(scene)
    if passed and exchanging.find_addressee(scene, passed[-1]) == scene.me.id:
        return False
    is_ending = len(scene.v.lines) + 1 >= scene.v.closing  # the next line is a goodbye
    if is_ending or _is_private(scene) or (latest and _is_of_me(scene, latest)):
        return _turn_to(scene, "withdraw", who)
    if latest and acts.obliges(latest):
        asks = latest.act.startswith(("ask", "turn:"))
        return _turn_to(scene, "interject", who, ["on-question" if asks else "on-news"])
    if follow_ups.find_following(scene, {*scene.tags, follow_ups.JOINING}):
        return scene.say("interject")
    return _turn_to(scene, "withdraw", who)


def come_too_late(scene: Scene) -> None:
    """Greet residents who are parting, without joining their talk."""
    names = {one.other.id: scene.name_of(one.other) for one in scene.v.there}
    before = [line.speaker for line in scene.v.lines if line.speaker in names]
    who = before[-2] if len(before) > 1 else scene.other.id
    scene.say("withdraw", {"other": names[who]}, ["too-late"])


def receive(scene: Scene) -> bool:
    """Welcome one who has just joined the talk, or let one go who left it to the others, and turn
    back to those. Return True if that leaves the next word to another, since the speaker had the
    one before.
    """
    line, said = scene.v.lines[-1], {spoken.act for spoken in scene.latest}
    if "withdraw" in said:
        before = scene.v.lines[-2].speaker if len(scene.v.lines) > 1 else ""
        scene.say("let_go", {"other": casual(line.name, scene.shorts)})
        if before == scene.me.id:
            return True
        goes_on = any(
            exchanging.find_continuation(scene, spoken)
            if spoken.act.startswith("turn:")
            else acts.obliges(spoken)
            for spoken in acts.find_passed(scene)
        )
        return goes_on and not _turn_to(scene, "back_to", before)
    if line.joining and "interject" not in said:
        scene.say("welcome")
    return False


def _is_private(scene: Scene) -> bool:
    """Return True if the talk is about a secret, or a quarrel."""
    return any(
        spoken.act in quarrels.QUARREL
        or (
            spoken.act == "tell_own"
            and parting.stated_matter(scene, spoken.move.slots["news"]) == "secret"
        )
        or "own-secret" in exchanging.find_needs(scene, spoken.act)
        for spoken in scene.moves
    )


def _is_of_me(scene: Scene, spoken: SpokenMove) -> bool:
    """Return True if a line tells the others of the speaker."""
    return casual(scene.me.name, scene.shorts) in spoken.move.slots.get("news", "")


def _turn_to(scene: Scene, act: str, who: str, tags: Sequence[str] = ()) -> bool:
    """Say a phrase that names one of those present; return True if they are present."""
    names = {one.other.id: scene.name_of(one.other) for one in scene.v.there}
    return who in names and scene.say(act, {"other": names[who]}, tags)
