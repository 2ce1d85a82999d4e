"""Dialogue acts: the rules by which each act of one speaker is taken up by the next.

`RULES` is the one place that holds them. An act that obliges (a question, news, a proposal) is
taken up before anything else is said; the others may be passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hometown.frozen import frozen
from hometown.scripted import (
    clauses,
    exchanging,
    follow_ups,
    goods,
    gossip,
    meeting,
    parting,
    quarrels,
    telling,
    wish_talk,
)
from hometown.scripted.naming import casual
from hometown.scripted.phrases import Move, ends_with_question, next_turn
from hometown.scripted.scene import Scene, SpokenMove
from hometown.world.befalling import happening_kind

TakeUp = Callable[[Scene, SpokenMove], bool]
"""Adds to the line; True if the other has to answer it, so that nothing more should follow."""

GREETINGS = (
    "greet",
    "again",
    "introduce",
    "greet_back",
    "introduce_back",
    "welcome",
    "let_go",
)

TO_ALL = ("tell_own", *parting.NEWS, *meeting.PROPOSALS)
"""Acts that everybody in a group may take up."""


@frozen
class ActRule:
    """The rule of an act: `by` are the acts that take it up, spoken by `take_up`. If it `obliges`,
    it is taken up before anything else is said.
    """

    by: tuple[str, ...]
    take_up: TakeUp
    obliges: bool = False


def rule_of(act: str) -> ActRule | None:
    """Return the rule of an act, or else of its kind (`ask` for `ask:cafe_seat`); None if it needs
    no reply.
    """
    return RULES.get(act) or RULES.get(act.partition(":")[0])


def is_answered(line: Sequence[Move], reply: Sequence[Move]) -> bool:
    """Return True if the first move of the reply, not counting a greeting, takes up the last
    obliging move of a line, or if nothing obliges.
    """
    rules = [(move.act, rule) for move in line if (rule := rule_of(move.act)) and rule.obliges]
    first = next((move.act for move in reply if move.act not in GREETINGS), "")
    if not rules:
        return True
    act, rule = rules[-1]
    if act.startswith("turn:"):
        return first == next_turn(act)
    if act.startswith("ask:"):
        answers = first.startswith(f"turn:{act.partition(':')[2]}-") and first.endswith("-0")
        return answers or first in exchanging.ANSWERED_BEFORE
    return first in rule.by or first.partition(":")[0] in rule.by


def perform_replies(scene: Scene) -> bool:
    """Take up the moves of the previous line, or words that are none, as a visitor's may be, with a
    nod if nothing else was said or, if they ask something, without an answer; return True if the
    reply requires an answer itself.
    """
    for spoken in _choose_moves([*_find_waiting_moves(scene), *scene.latest]):
        rule = rule_of(spoken.act)
        if rule and rule.take_up(scene, spoken):
            return True
    if not scene.latest:
        asks = bool(scene.v.lines) and ends_with_question(scene.v.lines[-1].text)
        if asks or not scene.pieces:
            scene.say("not_know" if asks else "nod")
    return False


def _choose_moves(moves: list[SpokenMove]) -> list[SpokenMove]:
    """Return the moves to take up, in their order: a proposal alone, else the last two that oblige,
    else the last one that has a rule.
    """
    proposals = [spoken for spoken in moves if spoken.act in meeting.PROPOSALS]
    if proposals:
        return proposals[-1:]
    ruled = [(spoken, rule) for spoken in moves if (rule := rule_of(spoken.act))]
    obliging = [spoken for spoken, rule in ruled if rule.obliges]
    return obliging[-2:] or [spoken for spoken, _ in ruled[-1:]]


def _find_waiting_moves(scene: Scene) -> list[SpokenMove]:
    """Return the moves that still wait for the speaker: what another in the group has let pass to
    them, or a proposal to it that others have answered.
    """
    passed = find_passed(scene)
    if passed and exchanging.find_addressee(scene, passed[-1]) == scene.me.id:
        return passed
    if not scene.v.several:
        return []
    proposal = scene.last(*meeting.PROPOSALS)
    if proposal is None or proposal.speaker == scene.me.id:
        return []
    answered = any(
        spoken.speaker == scene.me.id and spoken.line > proposal.line for spoken in scene.moves
    )
    return [] if answered or proposal in scene.latest else [proposal]


def find_passed(scene: Scene) -> list[SpokenMove]:
    """Return the moves of the line that the latest ones have let pass; none if they let none."""
    before = len(scene.v.lines) - 1
    while before >= 0 and exchanging.passes(scene, before):
        before -= 1
    passed = [each for each in scene.moves if each.line == before and rule_of(each.act)]
    return passed if before < len(scene.v.lines) - 1 else []


def waits(scene: Scene, spoken: SpokenMove) -> bool:
    """Return True if a move has to be taken up, or belongs to an exchange that goes on."""
    goes_on = spoken.act.startswith("turn:") and next_turn(spoken.act) in scene.bank.frames
    return goes_on or obliges(spoken)


def obliges(spoken: SpokenMove) -> bool:
    """Return True if a move has to be taken up: a line of an exchange only if it asks."""
    rule = rule_of(spoken.act)
    if spoken.act.startswith("turn:"):
        return ends_with_question(spoken.move.text)
    return rule is not None and rule.obliges


def _make_take_up(*acts: str, share: float = 1.0) -> TakeUp:
    """Return a function that says the first of these acts that has a fitting phrase, with
    probability `share`; certain ones must be said.
    """

    def take_up(scene: Scene, spoken: SpokenMove) -> bool:
        if share == 1.0 or scene.chance(share):
            any(scene.say(act, spoken.move.slots, must=share == 1.0) for act in acts)
        return False

    return take_up


def _make_simple_rule(*acts: str, share: float = 1.0, obliges: bool = False) -> ActRule:
    """Return the rule of an act that is taken up by saying one of these acts, with a probability."""
    return ActRule(acts, _make_take_up(*acts, share=share), obliges)


def _react_to_day(scene: Scene, spoken: SpokenMove) -> bool:
    """Take up how the other's day has been, by the mood in which they have told it; return False,
    since nothing is asked.
    """
    mood = spoken.move.tag.removeprefix("tone-")
    scene.say("ack_day", tags=["low" if mood == "tense" else mood])
    return False


def _answer_heard(scene: Scene, spoken: SpokenMove) -> bool:
    """Say that the speaker knows of a topic, and from whom, and ask on about it, or that they do
    not know; only the retrieved memories count. Return True if the other has to answer.
    """
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
    clause = clauses.one_clause(memory.text, scene.bank.lang)
    return _ask_about_news(scene, clause, clauses.mood_of(clause, scene.bank))


def _tell_unheard(scene: Scene, spoken: SpokenMove) -> bool:
    """Tell the announced news; if it was not retrieved again, say that it has slipped the speaker's
    mind. Return True if it was retrieved.
    """
    topic = spoken.move.slots.get("topic", "")
    news = gossip.news_of(topic, scene.v, scene.bank)
    if news is None or not telling.tell(scene, news):
        scene.say("slipped")
    return news is not None


def _react_to_news(scene: Scene, spoken: SpokenMove) -> bool:
    """React to news by its matter and mood: with a question, after the remark that it is known or
    pity if there is reason for it, a contradiction, a proposal to go there, or a mere reaction;
    return True if that asks for an answer.
    """
    clause = spoken.move.slots["news"]
    topic = clauses.topic_of(clause, scene.bank)
    own = spoken.act == "tell_own"
    happening = happening_kind(clause, scene.bank.lang)
    shared = f"after-{happening.key}" if happening else ""
    if shared in scene.tags and follow_ups.follow_up(scene, shared):
        return True
    if own:
        return _react_to_own_news(scene, clause, topic)
    grave = happening is not None and happening.weight >= telling.GRAVE
    mood = "bad" if grave else clauses.mood_of(clause, scene.bank)
    if _is_known(scene, topic) and scene.say("react_known", {"topic": topic}):
        return _ask_about_news(scene, clause, mood)
    gathers = clauses.is_gathering(clause, scene.bank)
    kind = "plan" if gathers else clauses.kind_of_statement(clause, scene.bank)
    act = "react_bad" if mood == "bad" else "react"
    tags = [f"mood-{mood}", f"kind-{kind}", *(["grave"] if grave else [])]
    if scene.v.last_round:
        scene.say(act, {"topic": topic}, tags)
        return False
    if quarrels.may_differ(scene, clause, kind) and scene.say("disagree"):
        return True
    reacted = mood == "bad" and scene.say(act, {"topic": topic}, tags)
    if _ask_about(scene, clause, mood):
        return True
    if not reacted:
        scene.say(act, {"topic": topic}, tags)
    return False


def _react_to_own_news(scene: Scene, clause: str, topic: str) -> bool:
    """Take up a statement about the other's own life: with a question that fits its matter, or a
    reaction that fits anything. Return True if it is a question.
    """
    matter = parting.stated_matter(scene, clause)
    public = matter in parting.PUBLIC and _is_known(scene, topic)
    if public and scene.say("react_known_own", {"topic": topic}):
        hosting = matter == "hosting" and not scene.v.several
        if hosting:
            return follow_ups.follow_up(scene, "own-known", must=True)
        return follow_ups.follow_up_on(scene, clause, "own")
    if follow_ups.follow_up_on(scene, clause, "own", must=matter not in parting.FOR_EVERYONE):
        return True
    if not scene.v.several and follow_ups.follow_up(scene, f"own-{matter}", must=True):
        return True
    wish = parting.wish_for(scene, matter)
    light = parting.lead_tag(scene, matter) == "lead-light"
    sad = clauses.mood_of(clause, scene.bank) == "bad"
    tag = ("pity" if sad else "light") if light else "aim" if wish == "luck" else ""
    scene.say("react_own_bad" if wish == "comfort" else "react_own", {"topic": topic}, [tag])
    return False


def _is_known(scene: Scene, topic: str) -> bool:
    """Return True if the speaker knows of a topic and hasn't denied that in this talk."""
    denied = scene.has_occurred("heard_no", by=scene.me.id)
    return not denied and gossip.find_memory(scene.v, topic) is not None


def _ask_about(scene: Scene, clause: str, mood: str) -> bool:
    """Propose, by chance, to go to the gathering that news of a third person announces, or ask about
    the news, which a group does not; return True if something was said.
    """
    gathers = clauses.is_gathering(clause, scene.bank)
    if gathers and scene.chance(0.3) and meeting.propose_join(scene, clause, "propose_join"):
        return True
    return _ask_about_news(scene, clause, mood)


def _ask_about_news(scene: Scene, clause: str, mood: str) -> bool:
    """Ask a question about news of others, in a talk of two; return True if one is asked."""
    if scene.v.several:
        return False
    after = "gathering" if clauses.is_gathering(clause, scene.bank) else mood
    return any(
        follow_ups.follow_up_on(scene, clause, "after", must)
        or follow_ups.follow_up(scene, f"after-{after}", must)
        for must in (False, True)
    )


def _answer_remark(scene: Scene, spoken: SpokenMove) -> bool:
    """Answer a remark about the speaker with a question or a reaction; return True for a question.
    An unknown topic has to be explained first.
    """
    clause = spoken.move.slots["news"]
    if follow_ups.follow_up_on(scene, clause, "you"):
        return True
    topic = clauses.topic_of(clause, scene.bank)
    unknown = topic and gossip.find_memory(scene.v, topic) is None
    if unknown and not (scene.v.last_round or scene.v.several):
        return scene.say("heard_no", {"topic": topic})
    kind = clauses.kind_of_statement(clause, scene.bank)
    if kind == "open":
        return scene.say("react_open")
    matter = clauses.matter_of(clause, scene.bank)
    kind = matter if matter in parting.BETWEEN else kind
    if not scene.v.several and follow_ups.follow_up(scene, f"you-{kind}"):
        return True
    if not scene.say("react_you", {"topic": topic}, [f"kind-{kind}"]):
        scene.say("react_you", tags=["kind-plain"])
    return False


def _take_up_recalling(scene: Scene, spoken: SpokenMove) -> bool:
    """Take up the gathering of the day before, at which the speaker was as well or was not; return
    False, since nothing is asked.
    """
    was_there = scene.v.situation.gathered == spoken.move.slots["gathering"]
    scene.say("recall_too" if was_there else "recall_back")
    return False


def _resume(scene: Scene, spoken: SpokenMove) -> bool:
    """Draw a newcomer into the talk, or tell them what it is about; return True if they are asked
    something.
    """
    if follow_ups.ask_joining(scene):
        return True
    scene.say("resume")
    return False


_REACTIONS = ("react", "react_bad", "react_known", "react_own", "react_own_bad", "react_known_own")
_DECISIONS = ("accept", "counter", "decline")
_NEWS = ActRule((*_REACTIONS, "ask", "disagree"), _react_to_news, obliges=True)
_PROPOSAL = ActRule(_DECISIONS, meeting.answer_proposal, obliges=True)

RULES: dict[str, ActRule] = {
    # questions and their answers
    "ask": ActRule(("turn",), exchanging.answer_exchange, obliges=True),
    "turn": ActRule(("turn",), exchanging.continue_exchange, obliges=True),
    "ask_day": _make_simple_rule("answer_day", obliges=True),
    "answer_day": ActRule(("ack_day",), _react_to_day),
    "ask_update": _make_simple_rule("answer_update", obliges=True),
    "answer_update": _make_simple_rule("ack_update"),
    "ask_worry": _make_simple_rule("answer_worry", obliges=True),
    "answer_worry": _make_simple_rule("ack_worry"),
    # news
    "ask_heard": ActRule(("heard_no", "heard_yes"), _answer_heard, obliges=True),
    "heard_no": ActRule(
        ("tell", "tell_own", "tell_seen", "tell_source", "slipped"), _tell_unheard, obliges=True
    ),
    "heard_yes": _make_simple_rule("both_know"),
    "slipped": _make_simple_rule("react_slipped"),
    "interject": ActRule(("resume", "ask"), _resume),
    "tell": _NEWS,
    "tell_own": _NEWS,
    "tell_seen": _NEWS,
    "tell_source": _NEWS,
    "tell_you": ActRule(
        ("react_you", "react_open", "heard_no", "ask"), _answer_remark, obliges=True
    ),
    # proposals
    "propose": _PROPOSAL,
    "propose_join": _PROPOSAL,
    "invite": _PROPOSAL,
    "ask_lesson": _PROPOSAL,
    "ask_bout": _PROPOSAL,
    "counter": ActRule(("accept", "counter", "pity"), meeting.answer_counter, obliges=True),
    "accept": _make_simple_rule("settle", share=0.7),
    # goods
    "offer_gift": ActRule(("accept_gift", "decline_gift"), goods.to_gift, obliges=True),
    "offer_sale": ActRule(("accept_sale", "decline_sale"), goods.to_sale, obliges=True),
    "beg": ActRule(("give", "refuse"), goods.to_begging, obliges=True),
    "give": _make_simple_rule("accept_gift"),
    "tell_price": _make_simple_rule("react_price", share=0.8),
    # wishes
    "wish_told": ActRule(("wish_heard",), wish_talk.take_up_telling, obliges=True),
    "wish_asked": ActRule(("wish_granted", "wish_denied"), wish_talk.take_up_asking, obliges=True),
    "wish_granted": _make_simple_rule("wish_glad", share=0.7),
    "wish_denied": _make_simple_rule("wish_resigned"),
    "recall": ActRule(("recall_too", "recall_back"), _take_up_recalling),
    # quarrels
    "air_yes": _make_simple_rule("reconcile"),
    "yield": _make_simple_rule("reconcile"),
    "air": ActRule(("air_yes", "air_no"), quarrels.to_grievance, obliges=True),
    "air_no": ActRule(("yield", "fall_out"), quarrels.to_insistence, obliges=True),
    "disagree": ActRule(("yield", "insist"), quarrels.to_disagreement, obliges=True),
    "insist": ActRule(("yield", "fall_out"), quarrels.to_insistence, obliges=True),
    "make_up": _make_simple_rule("make_up_back", obliges=True),
}
