"""What one says to what was just said."""

from __future__ import annotations

from collections.abc import Callable

from modules.model.scripted import gossip, leads, meeting
from modules.model.scripted.naming import casual, formal
from modules.model.scripted.scene import Heard, Scene

Answer = Callable[[Scene, Heard], bool]
"""Says something; True if it leaves the other something to answer, so that nothing more should follow."""


def respond(scene: Scene) -> bool:
    """Answers the moves of the line just heard; True if the answer itself asks for an answer."""
    if len(scene.v.lines) == 1:
        _greet_back(scene)
    for heard in _worth_answering(scene.latest):
        answer = _ANSWERS.get(heard.act) or _ANSWERS.get(heard.act.partition(":")[0])
        if answer and answer(scene, heard):
            return True
    if not scene.latest:
        scene.say("nod")
    return False


def _worth_answering(moves: list[Heard]) -> list[Heard]:
    """At most two moves, in the order they were made: a proposal alone, else what asks or tells before the rest."""
    proposals = [heard for heard in moves if heard.act in meeting.PROPOSALS]
    if proposals:
        return proposals[-1:]
    asking = ("ask", "tell", "heard_no", "follow", "counter")
    ranked = sorted(moves, key=lambda heard: not heard.act.startswith(asking))
    return [heard for heard in moves if heard in ranked[:2]]


def _greet_back(scene: Scene) -> None:
    if scene.done("introduce"):
        scene.say("introduce_back")
    elif scene.chance(0.75):
        scene.say("greet_back")


def _with(act: str) -> Answer:
    """Answers by a phrase for `act`."""

    def answer(scene: Scene, heard: Heard) -> bool:
        scene.say(act, heard.move.slots)
        return False

    return answer


def _maybe(act: str, share: float) -> Answer:
    """Answers by a phrase for `act`, now and then."""

    def answer(scene: Scene, heard: Heard) -> bool:
        if scene.chance(share):
            scene.say(act, heard.move.slots)
        return False

    return answer


def _exchange(part: str) -> Answer:
    """The next part of an exchange whose id the move carries."""

    def answer(scene: Scene, heard: Heard) -> bool:
        scene.say(f"{part}:{heard.act.partition(':')[2]}") or scene.say("ack")
        return False

    return answer


def _to_next(scene: Scene, heard: Heard) -> bool:
    return not scene.say("answer_next") and not scene.say("answer_day") and False


def _to_doing(scene: Scene, heard: Heard) -> bool:
    return not scene.say("answer_doing") and not scene.say("answer_day") and False


def _to_heard(scene: Scene, heard: Heard) -> bool:
    """Have I heard of it? Only what comes to my own mind counts."""
    topic = heard.move.slots["topic"]
    memory = gossip.known(scene.v, topic)
    if memory is None:
        scene.say("heard_no", {"topic": topic})
        return True
    _, source = gossip.split_source(memory.text, scene.bank.lang)
    scene.say("heard_yes", {"topic": topic, "source": casual(source, scene.shorts) if source != scene.other.name else ""})
    return False


def _to_not_heard(scene: Scene, heard: Heard) -> bool:
    """Tells what was announced, if it still comes to mind."""
    topic = heard.move.slots.get("topic", "")
    news = gossip.news_of(topic, scene.v, scene.bank)
    if news is None or not leads.tell(scene, news):
        scene.say("slipped")
    return news is not None


def _to_news(scene: Scene, heard: Heard) -> bool:
    """Reacts to news by its colour, and asks on or offers to come along."""
    clause = heard.move.slots["news"]
    topic = gossip.topic_of(clause, scene.bank)
    own = heard.act == "tell_own"
    mood = gossip.mood_of(clause, scene.bank)
    if gossip.known(scene.v, topic) and scene.say("react_known_own" if own else "react_known", {"topic": topic}):
        return own and mood == "bad" and leads.follow_up(scene, "own-bad")
    kind = "plan" if gossip.is_gathering(clause, scene.bank) else gossip.kind_of(clause, scene.bank)
    act = ("react_own" if own else "react") + ("_bad" if mood == "bad" else "")
    scene.say(act, {"topic": topic}, [f"mood-{mood}", f"kind-{kind}"])
    if scene.v.last_round:
        return False
    if gossip.is_gathering(clause, scene.bank) and not own and scene.chance(0.3) and meeting.propose_join(scene, clause, "propose_join"):
        return True
    return _ask_on(scene, mood, kind, own)


def _ask_on(scene: Scene, mood: str, kind: str, own: bool) -> bool:
    """Often a question follows; after bad news nothing else may."""
    if own:
        asked = scene.chance(0.9 if mood == "bad" else 0.6) and leads.follow_up(scene, f"own-{mood}" if mood == "bad" else f"own-{kind}")
    elif scene.chance(0.25) and not scene.done("follow_source"):
        asked = scene.say("follow_source")
    else:
        asked = scene.chance(0.4) and leads.follow_up(scene, f"after-{mood}")
    return asked or mood == "bad"


def _to_face(scene: Scene, heard: Heard) -> bool:
    """Answers what concerns oneself; what it is about may have to be explained first."""
    clause = heard.move.slots["news"]
    topic = gossip.topic_of(clause, scene.bank)
    if topic and gossip.known(scene.v, topic) is None and not scene.v.last_round:
        return scene.say("heard_no", {"topic": topic})
    kind = gossip.kind_of(clause, scene.bank)
    scene.say("react_open" if kind == "open" else "react_you", {"topic": topic}, [f"kind-{kind}"])
    return kind == "open"


def _to_source(scene: Scene, heard: Heard) -> bool:
    """Where it comes from: the memory's last teller, or oneself."""
    told = scene.last("tell", "tell_source")
    clause = formal(told.move.slots["news"], scene.shorts) if told else ""
    memory = next((one for one in scene.v.memories if clause and gossip.split_source(one.text, scene.bank.lang)[0].startswith(clause[:20])), None)
    source = gossip.split_source(memory.text, scene.bank.lang)[1] if memory else ""
    scene.say("answer_source", {"source": casual(source, scene.shorts)})
    return False


def _to_update(scene: Scene, heard: Heard) -> bool:
    topic = heard.move.slots.get("topic", "")
    scene.say("answer_worry" if heard.act == "ask_worry" else "answer_update", {"topic": topic})
    return False


def _to_proposal(scene: Scene, heard: Heard) -> bool:
    return meeting.answer_proposal(scene, heard)


def _to_counter(scene: Scene, heard: Heard) -> bool:
    meeting.answer_counter(scene, heard)
    return False


_ANSWERS: dict[str, Answer] = {
    "ask": _exchange("answer"),
    "answer": _exchange("close"),
    "ask_doing": _to_doing,
    "ask_next": _to_next,
    "ask_day": _with("answer_day"),
    "ask_heard": _to_heard,
    "ask_update": _to_update,
    "ask_worry": _to_update,
    "heard_no": _to_not_heard,
    "heard_yes": _with("both_know"),
    "tell": _to_news,
    "tell_own": _to_news,
    "tell_you": _to_face,
    "tell_source": _to_news,
    "follow_source": _to_source,
    "sighting": _with("react_sighting"),
    "recall": _with("react_recall"),
    "propose": _to_proposal,
    "propose_join": _to_proposal,
    "invite": _to_proposal,
    "counter": _to_counter,
    "accept": _maybe("settle", 0.7),
    "decline": _with("pity"),
    "answer_doing": _maybe("ack_doing", 0.7),
    "answer_day": _maybe("ack_day", 0.6),
    "answer_next": _maybe("ack_next", 0.7),
    "answer_update": _maybe("ack_update", 0.8),
    "answer_worry": _maybe("ack_worry", 0.8),
    "answer_source": _maybe("ack_source", 0.7),
    "slipped": _with("react_slipped"),
}
