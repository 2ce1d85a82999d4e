"""The lines of exchanges: their answers and their courses, and to whom a line is said."""

from __future__ import annotations

from hometown.scripted.phrases import ends_with_question, next_turn
from hometown.scripted.scene import Scene, SpokenMove

PASSING = ("interject", "defer", "withdraw", "let_go")
"""Acts of those in a group who let another answer."""

ANSWERED_BEFORE = ("answered_you", "answered_other")
"""Acts in place of an answer that the asker, or another participant, has had before."""


def answer_exchange(scene: Scene, spoken: SpokenMove) -> bool:
    """Answer the question that opens an exchange, or say that somebody there has had the answer;
    return True if the answer asks back.
    """
    answers = _select_sayable(scene.bank.exchanges[spoken.act.partition(":")[2]].answers, scene)
    if answers and (knows := scene.find_listener(answers)):
        act = ANSWERED_BEFORE[knows.id != spoken.speaker]
        if scene.say(act, {"other": scene.name_of(knows)}):
            return False
    said = scene.say_one(answers)
    return bool(said) and next_turn(said) in scene.bank.frames


def continue_exchange(scene: Scene, spoken: SpokenMove) -> bool:
    """Say the next line of an exchange, if there is one, unless nothing was asked and one of those
    present has heard it; return True if it goes on after that. In a group, a bystander has the
    lines of the one who opened it, but not those of the one asked.
    """
    if next_turn(spoken.act) not in scene.bank.frames:
        return False
    said = scene.say_one(find_continuation(scene, spoken))
    return bool(said) and next_turn(said) in scene.bank.frames


def answers_question(scene: Scene, line: int) -> bool:
    """Return True if the line with this number comes after a question."""
    return line > 0 and ends_with_question(scene.v.lines[line - 1].text)


def find_needs(scene: Scene, act: str) -> frozenset[str]:
    """Return the needs of the exchange to which an act belongs; none for other acts."""
    exchange = scene.bank.exchanges.get(find_exchange(act))
    return exchange.needs if exchange else frozenset()


def find_continuation(scene: Scene, spoken: SpokenMove) -> list[str]:
    """Return the act with which the speaker may continue an exchange, as a list; empty for none."""
    following = next_turn(spoken.act)
    if not ends_with_question(spoken.move.text) and scene.find_listener((following,)):
        return []
    is_asked = int(following.rpartition("-")[2]) % 2 == 0
    if is_asked and find_addressee(scene, spoken) != scene.me.id:
        return []
    return [act for act in _select_sayable((following,), scene) if act in scene.bank.frames]


def _select_sayable(acts: tuple[str, ...], scene: Scene) -> list[str]:
    """Return the acts that ask nothing back if this is the speaker's last line; else all."""
    return [
        act
        for act in acts
        if not scene.v.last_round
        or not any(ends_with_question(frame.text) for frame in scene.bank.frames.get(act, ()))
    ]


def find_exchange(act: str) -> str:
    """Return the id of the exchange to which an act belongs; "" for other acts.

    >>> find_exchange("ask:small_joy"), find_exchange("turn:small_joy-0-1"), find_exchange("greet")
    ('small_joy', 'small_joy', '')
    """
    kind, _, line = act.partition(":")
    return {"ask": line, "turn": line.rsplit("-", 2)[0]}.get(kind, "")


def passes(scene: Scene, line: int) -> bool:
    """Return True if the line with this number only lets another answer."""
    acts = [spoken.act for spoken in scene.moves if spoken.line == line]
    return bool(acts) and all(act in PASSING for act in acts)


def find_addressee(scene: Scene, spoken: SpokenMove) -> str:
    """Return the id of the resident to whom a move was said: the last one who spoke before it, or
    for the first line that the speaker has heard, the first whom they met with its speaker. Those
    who let others answer count only for a line that welcomes them.
    """
    welcomes = any(each.act == "welcome" and each.line == spoken.line for each in scene.moves)
    before = [
        line.speaker
        for i, line in enumerate(scene.v.lines[: spoken.line])
        if welcomes or not passes(scene, i)
    ]
    others = {one.other.id for one in scene.v.there} | {scene.me.id}
    later = {
        line.speaker
        for i, line in enumerate(scene.v.lines)
        if i > spoken.line and (line.joining or passes(scene, i))
    }
    met = [one.other.id for one in scene.v.company if one.other.id not in later | {spoken.speaker}]
    return next(
        (who for who in reversed(before) if who in others - {spoken.speaker}),
        (met or [scene.me.id])[0],
    )
