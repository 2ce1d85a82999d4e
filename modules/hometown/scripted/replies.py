"""Replies to the moves of the previous line."""

from __future__ import annotations

from collections.abc import Callable

from hometown.scripted import clauses, goods, gossip, leads, meeting, quarrels
from hometown.scripted.naming import casual, formal
from hometown.scripted.scene import Scene, SpokenMove

Answer = Callable[[Scene, SpokenMove], bool]
"""Adds to the line; True if the other has to answer it, so that nothing more should follow."""


def reply_to_moves(scene: Scene) -> bool:
    """Reply to the moves of the previous line; return True if the reply itself requires an answer."""
    if len(scene.v.lines) == 1:
        _greet_back(scene)
    for spoken in _worth_answering([*_waiting(scene), *scene.latest]):
        answer = _ANSWERS.get(spoken.act) or _ANSWERS.get(spoken.act.partition(":")[0])
        if answer and answer(scene, spoken):
            return True
    if not scene.latest:
        scene.say("nod")
    return False


def _worth_answering(moves: list[SpokenMove]) -> list[SpokenMove]:
    """At most two moves, in their original order: a proposal alone, else questions and news in
    preference to the rest.
    """
    proposals = [spoken for spoken in moves if spoken.act in meeting.PROPOSALS]
    if proposals:
        return proposals[-1:]
    asking = (
        "ask",
        "tell",
        "heard_no",
        "follow",
        "counter",
        "disagree",
        "insist",
        "make_up",
        "offer",
        "beg",
    )
    ranked = sorted(moves, key=lambda spoken: not spoken.act.startswith(asking))
    return [spoken for spoken in moves if spoken in ranked[:2]]


def _waiting(scene: Scene) -> list[SpokenMove]:
    """Return the proposals that others have answered and the speaker has not."""
    proposal = scene.last(*meeting.PROPOSALS)
    if proposal is None or proposal.speaker == scene.me.id or not scene.v.several:
        return []
    answered = any(
        spoken.speaker == scene.me.id and spoken.line > proposal.line for spoken in scene.moves
    )
    return [] if answered or proposal in scene.latest else [proposal]


def _greet_back(scene: Scene) -> None:
    if scene.has_occurred("introduce"):
        scene.say("introduce_back")
    elif scene.chance(0.75):
        scene.say("greet_back")


def _with(act: str) -> Answer:
    """Answer by a phrase for `act`."""

    def answer(scene: Scene, spoken: SpokenMove) -> bool:
        scene.say(act, spoken.move.slots)
        return False

    return answer


def _maybe(act: str, share: float) -> Answer:
    """Answer by a phrase for `act` with some probability."""

    def answer(scene: Scene, spoken: SpokenMove) -> bool:
        if scene.chance(share):
            scene.say(act, spoken.move.slots)
        return False

    return answer


def _exchange(part: str) -> Answer:
    """Return a function that says the next part of an exchange, whose id the move carries."""

    def answer(scene: Scene, spoken: SpokenMove) -> bool:
        scene.say(f"{part}:{spoken.act.partition(':')[2]}") or scene.say("ack")
        return False

    return answer


def _to_next(scene: Scene, spoken: SpokenMove) -> bool:
    return not scene.say("answer_next") and not scene.say("answer_day") and False


def _to_doing(scene: Scene, spoken: SpokenMove) -> bool:
    return not scene.say("answer_doing") and not scene.say("answer_day") and False


def _to_heard(scene: Scene, spoken: SpokenMove) -> bool:
    """Tell whether the speaker knows of a topic, judged only by the retrieved memories."""
    topic = spoken.move.slots["topic"]
    memory = gossip.find_memory(scene.v, topic)
    if memory is None:
        scene.say("heard_no", {"topic": topic})
        return True
    _, source = clauses.split_source(memory.text, scene.bank.lang)
    scene.say(
        "heard_yes",
        {
            "topic": topic,
            "source": casual(source, scene.shorts) if source != scene.other.name else "",
        },
    )
    return False


def _to_not_heard(scene: Scene, spoken: SpokenMove) -> bool:
    """Tell the announced news, if it was retrieved again."""
    topic = spoken.move.slots.get("topic", "")
    news = gossip.news_of(topic, scene.v, scene.bank)
    if news is None or not leads.tell(scene, news):
        scene.say("slipped")
    return news is not None


def _to_news(scene: Scene, spoken: SpokenMove) -> bool:
    """React to news by its mood, and ask a further question or offer to come along."""
    clause = spoken.move.slots["news"]
    topic = clauses.topic_of(clause, scene.bank)
    own = spoken.act == "tell_own"
    mood = clauses.mood_of(clause, scene.bank)
    if gossip.find_memory(scene.v, topic) and scene.say(
        "react_known_own" if own else "react_known", {"topic": topic}
    ):
        return own and mood == "bad" and leads.follow_up(scene, "own-bad")
    kind = (
        "plan"
        if clauses.is_gathering(clause, scene.bank)
        else clauses.kind_of_statement(clause, scene.bank)
    )
    act = ("react_own" if own else "react") + ("_bad" if mood == "bad" else "")
    scene.say(act, {"topic": topic}, [f"mood-{mood}", f"kind-{kind}"])
    if scene.v.last_round:
        return False
    if quarrels.may_differ(scene, own) and scene.say("disagree"):
        return True
    if (
        clauses.is_gathering(clause, scene.bank)
        and not own
        and scene.chance(0.3)
        and meeting.propose_join(scene, clause, "propose_join")
    ):
        return True
    return _ask_on(scene, mood, kind, own)


def _ask_on(scene: Scene, mood: str, kind: str, own: bool) -> bool:
    """Add a question by chance; after bad news nothing else is added."""
    if own:
        asked = scene.chance(0.9 if mood == "bad" else 0.6) and leads.follow_up(
            scene, f"own-{mood}" if mood == "bad" else f"own-{kind}"
        )
    elif scene.chance(0.25) and not scene.has_occurred("follow_source"):
        asked = scene.say("follow_source")
    else:
        asked = scene.chance(0.4) and leads.follow_up(scene, f"after-{mood}")
    return asked or mood == "bad"


def _to_face(scene: Scene, spoken: SpokenMove) -> bool:
    """Answer a remark about the speaker; an unknown topic has to be explained first."""
    clause = spoken.move.slots["news"]
    topic = clauses.topic_of(clause, scene.bank)
    if topic and gossip.find_memory(scene.v, topic) is None and not scene.v.last_round:
        return scene.say("heard_no", {"topic": topic})
    kind = clauses.kind_of_statement(clause, scene.bank)
    scene.say("react_open" if kind == "open" else "react_you", {"topic": topic}, [f"kind-{kind}"])
    return kind == "open"


def _to_source(scene: Scene, spoken: SpokenMove) -> bool:
    """Name the source of a piece of news: the memory's last teller, or the speaker."""
    telling = scene.last("tell", "tell_source", "tell_seen")
    clause = formal(telling.move.slots["news"], scene.shorts) if telling else ""
    memory = next(
        (
            candidate
            for candidate in scene.v.memories
            if clause
            and clauses.split_source(candidate.text, scene.bank.lang)[0].startswith(clause[:20])
        ),
        None,
    )
    source = clauses.split_source(memory.text, scene.bank.lang)[1] if memory else ""
    scene.say("answer_source", {"source": casual(source, scene.shorts)})
    return False


def _to_update(scene: Scene, spoken: SpokenMove) -> bool:
    topic = spoken.move.slots.get("topic", "")
    scene.say("answer_worry" if spoken.act == "ask_worry" else "answer_update", {"topic": topic})
    return False


def _to_proposal(scene: Scene, spoken: SpokenMove) -> bool:
    return meeting.answer_proposal(scene, spoken)


def _to_counter(scene: Scene, spoken: SpokenMove) -> bool:
    meeting.answer_counter(scene, spoken)
    return False


_ANSWERS: dict[str, Answer] = {
    "disagree": quarrels.to_disagreement,
    "insist": quarrels.to_insistence,
    "make_up": _with("make_up_back"),
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
    "tell_seen": _to_news,
    "follow_source": _to_source,
    "sighting": _with("react_sighting"),
    "recall": _with("react_recall"),
    "propose": _to_proposal,
    "propose_join": _to_proposal,
    "invite": _to_proposal,
    "ask_lesson": _to_proposal,
    "ask_bout": _to_proposal,
    "counter": _to_counter,
    "accept": _maybe("settle", 0.7),
    "decline": _with("pity"),
    "answer_doing": _maybe("ack_doing", 0.7),
    "answer_day": _maybe("ack_day", 0.6),
    "answer_next": _maybe("ack_next", 0.7),
    "answer_update": _maybe("ack_update", 0.8),
    "answer_worry": _maybe("ack_worry", 0.8),
    "answer_source": _maybe("ack_source", 0.7),
    "offer_gift": goods.to_gift,
    "offer_sale": goods.to_sale,
    "beg": goods.to_begging,
    "give": _with("accept_gift"),
    "tell_price": _maybe("react_price", 0.8),
    "slipped": _with("react_slipped"),
}
