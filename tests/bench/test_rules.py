"""Rules find the faults of broken minds, and none in living ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.bench_happenings import write_reply
from hometown.bench.items import BenchItem, load_items
from hometown.bench.model_bench import Trial
from hometown.bench.replies import ScoredReply, read_replies
from hometown.bench.rules import RULES, faults_of
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.prompt.happening_drafts import HappeningVars
from hometown.records import Message
from hometown.scripted.model import ScriptedModel

SYSTEM: dict[Lang, str] = {
    "en": "Say your next line.\n\nYou are Ann Reed, 30, baker. Character: blunt, warm",
    "zh": "说出你的下一句话。\n\n你就是安安，30岁，面包师。性格：直爽",
}
QUESTION: dict[Lang, str] = {
    "en": "It is Friday, 14 February 2025, 11:30. You are at the bakery; what you are doing: kneading.\n\n"
    "You are talking with Bea Holt, potter.\n\n"
    "What you remember:\n1. [known before] Ann Reed has hidden the winter flour behind the old church organ.\n\n"
    'Bea Holt: "Where did you get flour at this time of the year?"',
    "zh": "现在是2025年2月14日星期五 11:30。你在面包房，手头的事：揉面。\n\n跟你聊天的是贝贝，陶艺师。\n\n"
    "你记得的事：\n1. [早先] 安安把过冬的面粉藏在老教堂的风琴后面，谁也没有告诉过。\n\n贝贝：“这个时节，你从哪儿弄来的面粉？”",
}
LINE = {
    "properties": {
        "say": {"type": "string", "pattern": "^[^\\x00-\\x1f]{0,200}$"},
        "end": {"type": "boolean"},
    },
    "required": ["say"],
}


def _line(say: str, lang: Lang = "en", **more: Any) -> ScoredReply:
    messages = [Message("system", SYSTEM[lang]), Message("user", QUESTION[lang])]
    text = orjson.dumps({"say": say} | more).decode()
    return ScoredReply(messages, LINE, text, lang, "utterance")


@pytest.mark.parametrize(
    ("say", "lang"),
    [
        ("From behind the organ, Bea, where no mouse can read music. Don't tell the vicar.", "en"),
        (
            "I'm Ann Reed, and my flour is my own affair. What did you burn in your kiln last night?",
            "en",
        ),
        ("Hmmm, a misunderstanding: the flour is from the mill on Henry III Square.", "en"),
        ("风琴后头呗，耗子不识谱，找不着。你可别跟神父说。", "zh"),
        ("No.", "en"),
    ],
)
def test_living_lines_have_no_fault(say: str, lang: Lang) -> None:
    assert faults_of(_line(say, lang, end=say == "No.")) == {}


@pytest.mark.parametrize(
    ("rule", "say", "lang"),
    [
        ("wrong_language", "我把面粉藏在风琴后面了，你别说出去。", "en"),
        ("wrong_language", "I hid the flour behind the organ, my dear.", "zh"),
        ("echo", "Ann Reed has hidden the winter flour behind the old church organ.", "en"),
        ("echo", "把过冬的面粉藏在老教堂的风琴后面，谁也没有告诉过。", "zh"),
        (
            "repetition",
            "I found it in the cellar. I found it in the cellar. I found it in the cellar.",
            "en",
        ),
        ("repetition", "Where did you get flour at this time of the year?", "en"),
        ("empty_talk", "That's great! Thank you so much. How are you?", "en"),
        ("empty_talk", "你好！太好了，谢谢你。", "zh"),
        ("speaks_for_others", "From the mill. Bea Holt: Which mill do you mean?", "en"),
        ("speaks_for_others", "The flour is behind the organ, and Ann Reed is kneading it.", "en"),
        ("contradiction", "Good evening, Bea! The flour is from the mill.", "en"),
        ("contradiction", "The mill opens on Friday the 27th, so ask there.", "en"),
        ("contradiction", "磨坊27号周五开门，你去问问。", "zh"),
        ("contradiction", "Hello Ann Reed! The flour is from the mill.", "en"),
        ("ignores_last_line", "Kilns crack in winter.", "en"),
        ("leaves_persona", "As an AI language model I own no flour.", "en"),
        ("leaves_persona", "作为AI，我没有面粉。", "zh"),
        ("broken_words", "I am openslibrarying and fixeshalftheing the flour.", "en"),
        ("broken_words", "I keep the flour behind the", "en"),
        ("broken_words", "1", "en"),
        ("broken_words", "风琴后头，老地方；！", "zh"),
        ("broken_words", "At 10:59:59 behind the organ.", "en"),
        ("broken_words", "From behind the organ, where no mouse can re", "en"),
        ("broken_words", "风琴后头呗，耗子不识谱，找不", "zh"),
        ("speaks_for_others", "Bea Holt is drafting the invitation.", "en"),
        ("invented_people", "Zhong Ying Zhi is at ithy Bai Lu.", "en"),
        ("unusable", "x" * 300, "en"),
    ],
)
def test_a_rule_finds_its_fault(rule: str, say: str, lang: Lang) -> None:
    assert RULES[rule](_line(say, lang)), rule


def _answer(kind: str, value: Any, question: str, schema: dict[str, Any]) -> ScoredReply:
    messages = [Message("system", SYSTEM["en"]), Message("user", question)]
    return ScoredReply(messages, schema, orjson.dumps(value).decode(), "en", kind)


def breaks_form_of(kind: str, value: dict[str, Any], question: str) -> str:
    """Return the fault of the form that a reply has beyond its schema, which is none here."""
    reply = _answer(kind, value, question, {"additionalProperties": True})
    reply.__dict__["fault"] = ""
    return RULES["unusable"](reply)


def test_minutes_that_miss_the_time_are_not_of_the_form_asked_for() -> None:
    question = "Your tasks must add up to 60 minutes."
    rows = {"tasks": [["kneading the dough", 10], ["washing up", 5]]}
    assert breaks_form_of("schedule_decompose", rows, question) == "15 ≠ 60"


@pytest.mark.parametrize(
    ("decision", "faults"), [("continue", "the fair"), ("wait", "the fair"), ("go to 1", "")]
)
def test_a_topic_is_needless_where_a_decision_concerns_nobody(decision: str, faults: str) -> None:
    chosen = {"decision": decision, "topic": "the fair"}
    assert breaks_form_of("approach", chosen, "Ann is here.") == faults


@pytest.mark.parametrize(
    ("kind", "value", "question", "fault"),
    [
        (
            "respond",
            {"decision": "do", "what": "continue", "minutes": 10, "where": 0},
            "",
            "continue",
        ),
        (
            "respond",
            {"decision": "continue", "what": "wait", "minutes": 10, "where": 0},
            "",
            "wait",
        ),
        ("schedule_init", {"strokes": ["07:00 a walk", "bread", "tea"]}, "", "3 < 5"),
        ("schedule_daily", {"hours": [["06:00", "up"], ["06:00", "tea"]]}, "", "06:00 06:00"),
        ("schedule_daily", {"hours": [["06:00", "up"], ["24:45", "tea"]]}, "", "24:45"),
        (
            "schedule_daily",
            {"hours": [["06:00", "up"], ["23:30", "a book"], ["00:30", "bed"]]},
            "",
            "",
        ),
    ],
)
def test_a_form_is_more_than_its_schema(
    kind: str, value: dict[str, Any], question: str, fault: str
) -> None:
    assert breaks_form_of(kind, value, question) == fault


def test_the_last_line_of_a_conversation_ends_it() -> None:
    question = 'Bea Holt: "Bye."\n\nThis is your last line: round the conversation off, with "end".'
    for value, fault in (({"say": "Bye, Bea."}, True), ({"say": "Bye, Bea.", "end": True}, False)):
        found = RULES["unusable"](_answer("utterance", value, question, LINE))
        assert bool(found) == fault


def test_times_far_from_the_habit_contradict_it() -> None:
    offered = {"properties": {"wake": {"enum": ["05:00", "08:10"]}, "bed": {"enum": ["22:00"]}}}
    early = {"wake": "05:00", "bed": "22:00"}
    question = '"wake": usually 08:10; today from 05:00 to 08:10.'
    assert RULES["contradiction"](_answer("wake_up", early, question, offered))


def _task(*texts: str) -> dict[str, Any]:
    return {"tasks": [[text, 20] for text in texts]}


DAY = "You get up at 06:00 and go to bed at 21:45."
PATTERN = {
    "insights": [
        [f"{why} shows that Bea is fond of the old kiln", [1], 2]
        for why in ("Rain", "A letter from home", "Every fair since the winter")
    ]
}
USUAL = "- 08:00 having breakfast\n1. 08:40 reading\n- 09:00 playing chess"
SPLIT = (
    "Before it, now over: sleeping\nAfter it, planned: having breakfast\n"
    "Your tasks must add up to 60 minutes."
)


@pytest.mark.parametrize(
    ("rule", "kind", "value", "question", "lang"),
    [
        ("echo", "reconsider", {"activity": "kneading the bread of tomorrow"}, "", "en"),
        ("echo", "schedule_decompose", _task("kneading, 07:30 to 09:40"), "", "en"),
        ("echo", "respond", {"what": "看着面包房【地方1】"}, "", "zh"),
        ("wrong_language", "reflect_insights", {"insights": [["Angela Curry", [1], 2]]}, "", "zh"),
        ("repetition", "schedule_init", {"strokes": ["！", "！", "！"]}, "", "zh"),
        ("contradiction", "schedule_decompose", _task("rising", "eat breakfast"), SPLIT, "en"),
        (
            "contradiction",
            "currently",
            {"currently": "The fair is on Friday, 15 February."},
            "",
            "en",
        ),
        ("contradiction", "currently", {"currently": "集市在2月15日周五。"}, "", "zh"),
        (
            "contradiction",
            "schedule_daily",
            {"hours": [["06:00", "up"], ["20:00", "going to bed"]]},
            DAY,
            "en",
        ),
        (
            "contradiction",
            "schedule_changes",
            {"changes": [{"number": 1, "start": "09:30"}]},
            USUAL,
            "en",
        ),
        (
            "contradiction",
            "respond",
            {"what": "赶到面包房看看"},
            "你在面包房，手头的事：揉面。",
            "zh",
        ),
        ("empty_talk", "reflect_insights", {"insights": [["11", [1], 2]]}, "", "en"),
        ("empty_talk", "reflect_insights", {"insights": [["香蕉", [1], 2]]}, "", "zh"),
        ("empty_talk", "schedule_init", {"strokes": ["早上", "下午"]}, "", "zh"),
        ("echo", "react", {"decision": "talk to 1", "topic": "Kneading"}, "", "en"),
        ("echo", "schedule_decompose", _task("rising", "Sleeping"), SPLIT, "en"),
        ("echo", "schedule_decompose", _task("…"), "", "en"),
        ("repetition", "reflect_insights", PATTERN, "", "en"),
        ("contradiction", "reconsider", {"activity": "a walk", "start": "11:00"}, "", "en"),
        ("contradiction", "schedule_decompose", _task("rising", "Sleeping", "a wash"), SPLIT, "en"),
        (
            "unusable",
            "schedule_decompose",
            _task("磨豆子"),
            "分钟数加起来正好填满它。一共165分钟。",
            "zh",
        ),
        (
            "contradiction",
            "schedule_daily",
            {"hours": [["06:00", "up"], ["10:30", "rest"]]},
            DAY,
            "en",
        ),
        (
            "contradiction",
            "schedule_daily",
            {"hours": [["14:00", "up"], ["21:00", "rest"]]},
            DAY,
            "en",
        ),
    ],
)
def test_a_rule_finds_its_fault_in_plans_and_decisions(
    rule: str, kind: str, value: dict[str, Any], question: str, lang: Lang
) -> None:
    shown = {
        "en": "It is Friday, 14 February 2025, 11:30.",
        "zh": "现在是2025年2月14日星期五 11:30。",
    }
    copied = "You think of kneading the bread of tomorrow; kneading, 07:30 to 09:40."
    messages = [
        Message("system", SYSTEM[lang]),
        Message("user", f"{shown[lang]}\n{copied}\n{question}"),
    ]
    schema = {
        "properties": {
            "activity": {},
            "currently": {},
            "topic": {},
            "what": {},
            "strokes": {"items": {}},
            "tasks": {"items": {"prefixItems": [{"title": "activity"}, {}]}},
            "insights": {"items": {"prefixItems": [{"title": "text"}, {}, {}]}},
        }
    }
    text = orjson.dumps(value).decode()
    assert RULES[rule](ScoredReply(messages, schema, text, lang, kind))


def test_a_plan_that_fills_its_time_has_no_contradiction() -> None:
    hours = {"hours": [["06:00", "getting up"], ["13:00", "baking"], ["21:00", "resting"]]}
    tasks = _task("washing", "dressing", "making the bed")
    assert not RULES["contradiction"](_answer("schedule_daily", hours, DAY, {}))
    assert not RULES["contradiction"](_answer("schedule_decompose", tasks, SPLIT, {}))


def test_a_spoken_line_does_not_name_the_field_of_its_end() -> None:
    assert RULES["leaves_persona"](_line("From the mill. See you! end"))
    assert not RULES["leaves_persona"](_line("From the mill, at the very end."))


def test_a_note_in_the_third_person_is_not_of_me() -> None:
    schema = {
        "properties": {
            "learnt": {
                "items": {
                    "prefixItems": [{"title": "what", "description": "News, third person."}, {}]
                }
            }
        }
    }
    value = {"learnt": [["Bea will fire my pots tomorrow.", 3]]}
    assert RULES["leaves_persona"](_answer("talk_summary", value, "", schema))
    value = {"learnt": [["Bea will fire your pots tomorrow.", 3]]}
    assert RULES["leaves_persona"](_answer("talk_summary", value, "", schema))


def test_thoughts_after_a_conversation_are_in_the_third_person() -> None:
    schema = {"properties": {"summary": {"type": "string"}}}
    for summary, is_fault in (("You talked with Bea.", True), ("Ann talked with Bea.", False)):
        found = RULES["leaves_persona"](_answer("talk_summary", {"summary": summary}, "", schema))
        assert bool(found) == is_fault


def test_replies_are_read_from_a_file(tmp_path: Path) -> None:
    good, file = _line("From behind the organ, Bea."), tmp_path / "replies.jsonl"
    row = {
        "messages": [{"role": each.role, "content": each.content} for each in good.messages],
        "schema": LINE,
        "reply": good.text,
    }
    file.write_bytes(orjson.dumps(row) + b"\n")
    (read,) = read_replies(file)
    assert (read.lang, read.kind, read.me, read.others) == (
        "en",
        "utterance",
        "Ann Reed",
        {"Bea Holt"},
    )
    file.write_text('{"messages": []}\n', "utf-8")
    with pytest.raises(BadInput, match=r"line 1.*messages, schema and reply"):
        read_replies(file)


def test_words_of_both_languages_serve_all_rules() -> None:
    from hometown.bench.items import BENCH

    words = orjson.loads((BENCH / "words.json").read_bytes())
    assert Counter(words[LANGS[0]].keys()) == Counter(words[LANGS[1]].keys())


def _draft(lang: Lang, **changed: Any) -> ScoredReply:
    """Return the draft of a shelf of jars that comes down, some fields changed."""
    item = next(
        item
        for item in load_items(lang)
        if item.kind == "happening" and {"en": "sixty jars", "zh": "六十罐"}[lang] in _text_of(item)
    )
    request = Trial(ScriptedModel(), Path("unused")).request(item)
    text = json.dumps(json.loads(write_reply(item)) | changed, ensure_ascii=False)
    return ScoredReply(request.messages, request.schema, text, lang, item.kind)


def _text_of(item: BenchItem) -> str:
    asked = item.parse()
    assert isinstance(asked, HappeningVars)
    return asked.text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "changed",
    [
        {"weight": 11},
        {"reach": "world"},
        {"minutes": 2000},
        {"means": []},
        {"effort": 0},
        {"helpers": "…"},
        {"help_minutes": 30},
        {"damage": ""},
        {"repair_hours": 0},
        {"over": ""},
        {"grows": 300},
    ],
)
def test_a_draft_out_of_range_or_at_odds_with_itself_is_not_of_the_form(
    lang: Lang, changed: dict[str, Any]
) -> None:
    assert faults_of(_draft(lang)) == {}
    assert "unusable" in faults_of(_draft(lang, **changed))


def test_an_activity_of_a_draft_begins_with_a_verb_in_ing() -> None:
    assert faults_of(_draft("en", means=["a broom"]))["unusable"] == "a broom"
    assert not faults_of(_draft("zh", means=["扫地"]))


@pytest.mark.parametrize(
    ("lang", "changed"),
    [
        ("en", {"over": "The goat is down from the roof"}),
        ("en", {"over": "a shelf with sixty jars of jam comes down"}),
        ("en", {"damage": "missing three roof tiles"}),
        ("en", {"mending": "…"}),
        ("zh", {"over": "山羊从屋顶上下来了"}),
        ("zh", {"over": "一架子六十罐果酱全砸了下来"}),
        ("zh", {"damage": "碎了三片瓦"}),
        ("zh", {"means": ["……"]}),
    ],
)
def test_a_draft_that_copies_its_example_or_the_happening_is_an_echo(
    lang: Lang, changed: dict[str, Any]
) -> None:
    assert "echo" in faults_of(_draft(lang, **changed))


@pytest.mark.parametrize("lang", LANGS)
def test_careful_drafts_and_judgements_have_no_fault_and_agree(lang: Lang) -> None:
    trial = Trial(ScriptedModel(), Path("unused"))
    items = [item for item in load_items(lang) if item.kind in ("happening", "measure")]
    assert len(items) >= 40
    for item in items:
        verdict = trial.judge(item, write_reply(item))
        assert verdict.is_unmended, (item.id, verdict.refused, verdict.mended)
        assert verdict.is_alive, (item.id, verdict.faults)
        assert verdict.is_agreeing


@pytest.mark.parametrize("reply", ['{"effect": "heals"}', '{"effect": ""}', "{}", "helps"])
def test_an_effect_that_is_not_offered_is_not_of_the_form(reply: str) -> None:
    item = next(item for item in load_items("en") if item.kind == "measure")
    verdict = Trial(ScriptedModel(), Path("unused")).judge(item, reply)
    assert "unusable" in verdict.faults
    assert verdict.is_agreeing is False
