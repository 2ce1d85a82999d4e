"""What a prompt offers, what is refused of servers that enforce no schema, and what named rules
mend.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.language import Lang
from hometown.model.reply_parsing import UnusableReply, parse_reply
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import PROMISE_DAYS, ConversationSummaryVars, DialogueLine, repeats
from hometown.prompt.mending import cut_into_sentences, ended
from hometown.prompt.prompt import Variables
from hometown.prompt.schema import schema_for
from hometown.prompt.tasks import EMOJI_ONLY
from hometown.records import Attempt
from hometown.storage.codec import decode
from tests.support.prompt_samples import REPLIES, SAMPLES, SITUATION


def parsed(kind: str, reply: Any, **changes: Any) -> tuple[Any, tuple[str, ...]]:
    return parsed_for(
        kind,
        replace(SAMPLES[kind], **changes),
        reply if isinstance(reply, str) else json.dumps(reply),
        "en",
    )


def parsed_for(
    kind: str, variables: Variables, text: str, lang: Lang
) -> tuple[Any, tuple[str, ...]]:
    prompt = PROMPTS[kind]
    return parse_reply(prompt, variables, schema_for(prompt, variables), text, lang)


def fields(kind: str, **changes: Any) -> dict[str, Any]:
    properties: dict[str, Any] = schema_for(PROMPTS[kind], replace(SAMPLES[kind], **changes))[
        "properties"
    ]
    return properties


# what is offered ---------------------------------------------------------------------------


def test_nothing_impossible_is_on_offer() -> None:
    assert fields("react")["decision"]["enum"] == ["continue", "wait", "talk to 1", "talk to 2"]
    assert fields("react", waiting_for="", neighbours=())["decision"]["enum"] == ["continue"]
    assert set(fields("utterance", lines=())) < set(fields("utterance")) == {"say", "end"}
    assert {"summary", "commitments"} == set(fields("talk_summary")) - set(
        fields("talk_summary", recounts=False)
    )
    commitment = fields("talk_summary")["commitments"]["items"]["properties"]
    assert (commitment["where"]["maximum"], commitment["day"]["enum"][:2]) == (
        2,
        ["2025-02-13", "2025-02-14"],
    )
    assert (len(commitment["day"]["enum"]), commitment["day"]["enum"][-1]) == (
        PROMISE_DAYS,
        "2025-03-15",
    )
    assert fields("reflect_insights", memories=())["insights"]["maxItems"] == 0


def test_who_does_something_does_something() -> None:
    """A decision without words is what is due about one's own thing, or nothing."""
    assert fields("respond")["decision"]["enum"] == [
        "continue",
        "wait",
        "talk to 1",
        "talk to 2",
        "do",
    ]
    wordless = {"decision": "do", "what": "", "minutes": 10, "where": 0}
    reply, mended = parsed("respond", wordless)
    assert (reply.what, reply.minutes, reply.where, mended) == (
        "repairing the oven",
        40,
        1,
        ("emptied",),
    )
    assert (
        parsed("respond", wordless, matters=SAMPLES["respond"].matters[1:])[0].decision  # type: ignore[attr-defined]
        == "continue"
    )


def test_chinese_texts_are_bounded_to_as_much_as_english_ones() -> None:
    chinese = fields("relation", situation=replace(SITUATION, lang="zh"))["summary"]["maxLength"]
    assert (chinese, fields("relation")["summary"]["maxLength"]) == (64, 160)


def bounded_texts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for part in schema:
            yield from bounded_texts(part)
    elif isinstance(schema, dict):
        if schema.get("type") == "string" and "enum" not in schema:
            yield schema
        for part in schema.values():
            yield from bounded_texts(part)


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("plain", [False, True])
def test_words_are_free_within_a_length(kind: str, plain: bool) -> None:
    """Patterns stand for times, dates, emoji and ids alone: whatever else a model writes is letters
    of its own choice.
    """
    variables = replace(SAMPLES[kind], situation=replace(SITUATION, plain=plain))
    for text in bounded_texts(schema_for(PROMPTS[kind], variables)):
        if "pattern" in text:
            assert text["pattern"] == EMOJI_ONLY["pattern"] or re.search(
                "0-5|kinds", text["pattern"]
            )
        else:
            assert text.get("format") == "date" or text["maxLength"] >= 20


@pytest.mark.parametrize("kind", SAMPLES)
def test_schemas_do_not_quote_docstrings(kind: str) -> None:
    """A docstring speaks to developers, of constants that no model knows."""
    schema = json.dumps(schema_for(PROMPTS[kind], SAMPLES[kind]))
    assert "CONTINUE" not in schema
    assert f'"{PROMPTS[kind].reply.__doc__}"' not in schema


def test_placeholders_are_not_worth_copying() -> None:
    insight = ["…", [1]]
    with pytest.raises(UnusableReply, match=r"insights\.0\.thought.* says nothing"):
        parsed("reflect_insights", {"insights": [insight]})
    assert parsed("react", {"decision": "talk to 1", "topic": "..."}) == (
        PROMPTS["react"].reply(decision="talk to 1"),
        ("emptied",),
    )
    reply, mended = parsed("reflect_chats", {"thoughts": [[1, "…", "The lamp is old."]]})
    assert (reply.thoughts[0].plan, reply.thoughts[0].memo, mended) == (
        "",
        "The lamp is old.",
        ("emptied",),
    )


# what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "changes", "told"),
    [
        ("poignancy", {"ratings": [1, 2, 3]}, "ratings: 3 items; give exactly 2"),
        ("poignancy", {"ratings": [1, 11]}, "ratings.1: 11 is not a number from 1 to 10"),
        (
            "react",
            {"decision": "talk to 3"},
            'decision: "talk to 3" is not one of "continue", "wait", "talk to 1", "talk to 2"',
        ),
        (
            "reflect_insights",
            {"insights": [{"thought": "Tom rests.", "evidence": [11]}]},
            "insights.0.evidence.0: 11 is not a number from 1 to 10",
        ),
        (
            "reflect_chats",
            {"thoughts": [{"chat": 2, "plan": "", "memo": ""}]},
            "thoughts.0.chat: 2 is not a number from 1 to 1",
        ),
        (
            "talk_summary",
            {"learnt": [{"what": "The lamp is old.", "weight": 0}]},
            "learnt.0.weight: ",
        ),
        (
            "reflect_focus",
            {"questions": ["What does Tom want?"]},
            "questions: 1 items; give exactly 3",
        ),
    ],
)
def test_what_a_schema_forbids_is_refused_of_servers_that_enforce_none(
    kind: str, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(UnusableReply) as refusal:
        parsed(kind, REPLIES[kind] | changes)
    assert str(refusal.value).startswith(told)


# what is mended ----------------------------------------------------------------------------


def test_line_breaks_in_a_text_are_no_reason_to_ask_again() -> None:
    assert (
        parsed("utterance", '{"say": "Good morning.\nIs it ready?", "end": false}')[0].say
        == "Good morning. Is it ready?"
    )
    assert (
        parsed("utterance", r'{"say": "Good morning.\nIs it ready?", "end": false}')[0].say
        == "Good morning. Is it ready?"
    )


def test_a_relation_that_says_nothing_stays_as_it_was() -> None:
    reply, mended = parsed("talk_summary", REPLIES["talk_summary"] | {"relations": ["…"]})
    sample = SAMPLES["talk_summary"]
    assert isinstance(sample, ConversationSummaryVars)
    (other,) = sample.others
    assert "completed" in mended
    assert reply.relations == [other.standing or other.other.relation or other.other.name]


def test_a_text_that_stops_at_its_bound_ends_with_a_sentence() -> None:
    whole = ("Ida likes Tom. " * 10).strip()
    reply, mended = parsed("relation", {"summary": f"{whole} Tom has a lamp that shines"[:160]})
    assert (reply.summary, mended) == (whole, ("ended",))
    assert parsed("relation", {"summary": "Ida likes Tom"}) == (
        PROMPTS["relation"].reply(summary="Ida likes Tom"),
        (),
    )
    chinese = replace(SAMPLES["relation"], situation=replace(SITUATION, lang="zh"))
    shorter, mended = parsed_for(
        "relation", chinese, json.dumps({"summary": "小艾喜欢他。" * 20}), "zh"
    )
    assert (len(shorter.summary), mended) == (60, ("ended",))


def test_a_line_that_is_too_long_is_cut_and_not_asked_for_again() -> None:
    said = (
        "The bakers have hung up lanterns along the whole of Mill Lane. "
        "Nobody has seen so much light here since the old mayor married his cook. "
        "My aunt cried when she opened the shutters, and then she laughed at herself. "
        "Even the weavers, who never agree on anything, brought blue paper and string. "
        "Tomorrow we need somebody with a ladder and no fear of Otto's dog. "
        "If you come at seven, there will be soup. Bring your own spoon."
    )
    reply, mended = parsed("utterance", {"say": said, "end": False}, lines=())
    assert said.startswith(reply.say)
    assert (len(reply.say) > 300, reply.say[-1], mended) == (True, ".", ("ended",))
    words = "I counted " + " and ".join(f"lantern {number}" for number in range(60))
    reply, mended = parsed("utterance", {"say": words}, lines=())
    assert words.startswith(reply.say.removesuffix("…"))
    assert (len(reply.say) <= 360, reply.say[-1], mended) == (True, "…", ("ended",))


WEAK = [
    "openslibrarying room",
    "Get up",
    "Go to bed at 22:10",
    "I will find young faces for the reading circle",
    "10:00 to 10:30 fetching an americano at the café, then on to the studio, where the sketches are",
    "Chen Siyuan",
]
"""Activities as models of one or two billion parameters write them."""


def test_no_word_is_broken_that_a_model_wrote_whole() -> None:
    """Grammars and rules change no letters within a word but those of an inflection."""
    hours = [[f"{hour:02}:00", words] for hour, words in enumerate(WEAK, 6)]
    reply, _ = parsed("schedule_daily", {"hours": hours}, diversity=1)
    worded = [hour.activity for hour in reply.hours]
    assert worded[1:4] == [
        "getting up",
        "going to bed at 22:10",
        "finding young faces for the reading circle",
    ]
    assert (
        worded[4] == "fetching an americano at the café, then on to the studio, where the sketches"
    )
    written = {word for words in WEAK for word in re.findall(r"\w+", words.lower())}
    inflected = {"getting", "going", "finding"}
    assert {word for words in worded for word in re.findall(r"\w+", words.lower())} <= (
        written | inflected
    )


@pytest.mark.parametrize("number", [0, 10])
def test_a_change_to_a_line_that_is_not_open_is_dropped(number: int) -> None:
    reply, mended = parsed(
        "schedule_changes",
        {"changes": [{"number": number, "start": "24:59", "activity": "flying kites"}]},
    )
    assert (reply.changes, mended) == ([], ("dropped",))


def test_a_change_that_is_about_nothing_known_to_be_done_is_left_out() -> None:
    reply, mended = parsed(
        "schedule_changes",
        {"changes": [{"number": 2, "start": "12:15", "activity": "changing day"}]},
    )
    assert (reply.changes, mended) == ([], ("dropped",))
    reply, mended = parsed(
        "schedule_changes",
        {"changes": [{"number": 2, "start": "12:15", "activity": "meeting friends"}]},
    )
    assert [change.activity for change in reply.changes] == ["meeting friends"]


def test_a_reply_that_breaks_off_is_used_as_far_as_it_is_whole() -> None:
    reply, mended = parsed("utterance", '{"say": "Good morning. Is the oven rea')
    assert (reply.say, reply.end, mended) == ("Good morning.", False, ("ended",))
    insights = '{"insights": [{"thought": "Tom is kind.", "evidence": [1]}, {"thought": "Tom is ol'
    reply, mended = parsed("reflect_insights", insights)
    assert ([insight.thought for insight in reply.insights], mended) == (
        ["Tom is kind."],
        ("ended",),
    )
    for nothing in ("{", '{"end": fal', "Good morning", ""):
        with pytest.raises(UnusableReply):
            parsed("utterance", nothing)


@given(st.text(min_size=1, max_size=60), st.integers(1, 40))
def test_an_ended_text_is_within_its_bound_and_stays(words: str, length: int) -> None:
    once = ended(words, length)
    assert 0 < len(once) <= max(length, len(words) * (len(words) < length - 1))
    assert ended(once, length) == once
    assert "".join(cut_into_sentences(words)) == words


LINES = (
    DialogueLine("ida", "Ida Berg", "Good morning! The oven is ready for your bread."),
    DialogueLine("tom", "Tom Reed", "Thank you!"),
)


@pytest.mark.parametrize(
    ("said", "left", "ends"),
    [
        (
            "Good morning! The oven is ready for your bread. Shall we begin?",
            "Good morning! Shall we begin?",
            False,
        ),
        ("Good morning! And thank you!", "Good morning! And thank you!", False),
        ("Shall we begin? Shall we begin? Shall we begin?", "Shall we begin?", False),
        ("The oven is ready for your bread!", "The oven is ready for your bread!", True),
    ],
)
def test_a_speaker_leaves_out_what_was_said(said: str, left: str, ends: bool) -> None:
    """Greetings and thanks may return; a line with nothing new stays as it is, and ends the
    conversation.
    """
    reply, mended = parsed("utterance", {"say": said, "end": False}, lines=LINES)
    assert (reply.say, mended) == (left, ("repeats",) if left != said else ())
    own, others = (
        [line.text for line in LINES if (line.speaker == "ida") == mine] for mine in (True, False)
    )
    assert repeats(reply.say, own, others) == ends


@pytest.mark.parametrize("said", ["Good morning!", "早上好！", "Thank you!"])
def test_a_greeting_is_returned_once_and_a_sentence_is_not(said: str) -> None:
    assert not repeats(said, ["Is it you?"], [said])
    assert repeats(said, [said], [said])
    assert repeats("The oven is ready for your bread.", [], [LINES[0].text])


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Ida Berg: Good morning!", "Good morning!"),
        ("Ida Berg: Ida Berg：Good morning!", "Good morning!"),
        ("Ida Berg:", "…"),
        ("Ida: Hi Tom!", "Hi Tom!"),
        ("**Ida Berg:** Hi!", "Hi!"),
        ("**Ida**: Hi!", "Hi!"),
        ("Tom Reed: have you heard the news?", "Tom Reed: have you heard the news?"),
        ("Ida Berg asked: why?", "Ida Berg asked: why?"),
    ],
)
def test_a_line_is_said_without_the_name_of_its_speaker(said: str, left: str) -> None:
    reply, mended = parsed("utterance", {"say": said, "end": False})
    assert (reply.say, mended) == (left, ("speaker",) if left != said else ())


def test_what_says_the_same_is_one() -> None:
    twice = {"thought": "Tom misses company on the pier.", "evidence": [1, 3, 3]}
    reply, mended = parsed("reflect_insights", {"insights": [twice, twice]})
    assert (len(reply.insights), reply.insights[0].evidence, mended) == (1, [1, 3], ("merged",))
    reply, mended = parsed("reflect_focus", {"questions": ["What does Tom want?"] * 3})
    assert (reply.questions, mended) == (["What does Tom want?"], ("merged",))
    news = {"what": "The lamp is old.", "weight": 4}
    reply, mended = parsed(
        "talk_summary", REPLIES["talk_summary"] | {"learnt": [news, news | {"weight": 6}]}
    )
    assert ([learnt.weight for learnt in reply.learnt], mended) == ([4], ("merged",))


def test_of_agreements_in_the_same_words_those_of_other_people_stay() -> None:
    agreed = {"what": "having tea", "day": "2025-02-13", "start": "17:00", "minutes": 60}
    said = [agreed | {"who": who} for who in ([1, 2], [2, 1], [1, 3])]
    people = tuple((name.lower(), name) for name in ("Ida", "Tom", "Ann"))
    reply, mended = parsed(
        "talk_summary", REPLIES["talk_summary"] | {"commitments": said}, people=people
    )
    assert ([each.who for each in reply.commitments], mended) == (
        [[1, 2], [1, 3]],
        ("merged",),
    )


def test_more_than_was_asked_for_is_left_out() -> None:
    insights = [
        {"thought": f"{word} is what Tom thinks of.", "evidence": [1]}
        for word in ("Bread", "The pier", "A lighthouse", "Rain at night")
    ]
    reply, mended = parsed("reflect_insights", {"insights": insights}, insights=2)
    assert (len(reply.insights), mended) == (2, ("shortened",))


def test_attempts_of_older_runs_were_not_mended() -> None:
    assert decode(tuple[Attempt, ...], b'[{"text": "{}", "error": ""}]') == (Attempt("{}"),)
