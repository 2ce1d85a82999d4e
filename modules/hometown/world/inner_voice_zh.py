"""Conversion of Chinese sentences to a resident into statements about them. The words are in
`data/inner_voice/zh.json`.
"""

from __future__ import annotations

import re
from functools import cache

import orjson

from hometown.paths import DATA
from hometown.world.persona import Addressee

HAN = re.compile("[一-鿿]")

_SECOND, _FIRST = re.compile("[你您](?!们)"), re.compile("我(?!们)")
_WHEN = re.compile(
    "(?:(?:现在|马上|立刻|刚才|[去前今明]年|[上这下]个?月|[春夏秋冬](?:天|里)?|[昨前][天晚]|今[天早晚]|明[天早晚]|后天|[早晚]上|[上下中]午|傍晚|[这下]?(?:周|星期)[一二三四五六日天]|[一二两三四五六七八九十]+点半?|\\d+(?:点半?|[:：]\\d+))，?)*"
)
_SUGGESTION = re.compile("你?(?:为什么不|为何不|怎么不|何不|不如|要不)(.+?)[？?。！!]*")
_REFUSAL = re.compile("请?(?:千万|再也)?(?:别|不要|不许)再?")


@cache
def _words(name: str) -> re.Pattern[str]:
    """Return a pattern for the openings in one of the lists."""
    return re.compile("|".join(orjson.loads((DATA / "inner_voice" / "zh.json").read_bytes())[name]))


def chinese_statement(text: str, persona: Addressee) -> str:
    """Return a statement with the resident's name at the first mention, and pronouns after it."""
    speaker = _SECOND if _SECOND.search(text) else _FIRST
    pronoun = next((word for word in persona.pronouns[:1] if HAN.match(word)), persona.name)
    text, statement = speaker.sub("你", text).replace("您", "你"), ""
    for sentence in filter(None, re.split("(?<=[。！？!?…])", text)):
        sentence = _with_subject(sentence.strip(), persona.name, pronoun)
        if persona.name not in statement + sentence:
            sentence = (
                sentence.replace("你们", "\0").replace("你", persona.name, 1).replace("\0", "你们")
            )
        statement += sentence.replace("你", pronoun)
    return statement


def _with_subject(sentence: str, name: str, pronoun: str) -> str:
    """Return a command, a suggestion, a question or a fragment as a statement about "你"; any other
    sentence unchanged.
    """
    if suggestion := _SUGGESTION.fullmatch(sentence):
        return f"你要{suggestion[1]}。"
    if sentence.endswith(("？", "?")) and "你" in sentence:
        return f"{name}在想，{sentence}"
    when = _WHEN.match(sentence)
    lead = when[0] if when else ""
    rest = re.sub("吧(?=[。！!]?$)", "", sentence[len(lead) :].removeprefix("请你"))
    if _words("statements").match(rest):
        return sentence
    if refusal := _REFUSAL.match(rest):
        return f"你{lead}不想{rest[refusal.end() :]}"
    if _words("predicates").match(rest):
        return f"你{lead}{rest}"
    if _words("commands").match(rest):
        return f"你{lead}要{rest}"
    if rest.startswith(pronoun) and not rest.startswith(f"{pronoun}们"):
        return f"{lead}{name}{rest[len(pronoun) :]}"
    return sentence
