"""The table of servers' faults in `docs/models.md`, made by asking servers that answer as real ones
do: `python -m tests.model.server_table` writes it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from hometown.doctor.doctor_messages import DOCTOR_MESSAGES
from hometown.errors import HometownError
from hometown.language import LANGS, Lang
from hometown.model.failure_causes import Cause
from hometown.model.llm import Loading
from hometown.model.ollama import OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.paths import ROOT
from hometown.settings import Settings
from hometown.text import translate_all
from tests.model.ollama.asking import ASKED
from tests.model.recorded_refusals import RECORDED
from tests.support.answering import ANSWER, PROSE, Obeying, OneAnswer, ollama_answer

PAGES: dict[Lang, str] = {"en": "models.md", "zh": "models.zh-CN.md"}
BEGIN, END = "<!-- faults of servers -->", "<!-- end of faults -->"

HEADS: dict[Lang, tuple[str, ...]] = {
    "en": ("server", "model", "fault", "what happens", "line"),
    "zh": ("服务端", "模型", "故障", "结果", "提示"),
}

ANY: dict[Lang, str] = {"en": "any", "zh": "任何"}

FAULTS: dict[str, dict[Lang, str]] = {
    Cause.REPLY: {"en": "repeats itself until it is broken off", "zh": "不停重复，被中断"},
    Cause.LENGTH: {"en": "prompt too long", "zh": "提示词太长"},
    Cause.MEMORY: {"en": "model too large", "zh": "模型太大"},
    Cause.ENDPOINT: {"en": "wrong address", "zh": "地址不对"},
    Cause.UNLOADED: {"en": "no model loaded", "zh": "没有加载模型"},
    Cause.NO_MODEL: {"en": "no such model", "zh": "没有这个模型"},
    Cause.NO_CHAT: {"en": "embedding model", "zh": "向量模型"},
    Cause.NO_SCHEMA: {"en": "knows no JSON schemas", "zh": "不支持 JSON 格式约束"},
    Cause.KEY: {"en": "missing or wrong key", "zh": "密钥缺失或不对"},
    Cause.MOMENT: {"en": "busy or loading", "zh": "忙，或正在加载"},
    "v1": {"en": "address without /v1", "zh": "地址少了 /v1"},
    "schema": {"en": "ignores the schema while thinking is off", "zh": "关闭思考时不理会格式"},
    "effort": {"en": "only reasons", "zh": "只思考，不回答"},
    "short": {"en": "context of 2048 tokens", "zh": "上下文只有 2048 个词元"},
    "shortened": {"en": "context of 6000 tokens", "zh": "上下文只有 6000 个词元"},
}

OUTCOMES: dict[str, dict[Lang, str]] = {
    Cause.REPLY: {"en": "asked again, with another seed and a hint", "zh": "换种子并附提醒再问"},
    Cause.LENGTH: {
        "en": "the prompt is shortened; the line comes if nothing more can be left out",
        "zh": "缩短提示词；再也缩不了时才有提示",
    },
    Cause.MOMENT: {"en": "waited for", "zh": "等待"},
    "stops": {"en": "stops at once", "zh": "立刻停下"},
    "corrected": {"en": "corrected", "zh": "自动改正"},
    "learnt": {"en": "asked in another way from then on", "zh": "从此换一种问法"},
    "refused": {"en": "no run begins", "zh": "不开始模拟"},
    "noted": {"en": "prompts are shortened", "zh": "缩短提示词"},
}


class Row(NamedTuple):
    """A fault of a server with a model, its outcome, and the line that the user sees, if any."""

    server: str
    model: str
    fault: str
    outcome: str
    line: str


async def rows(lang: Lang) -> list[Row]:
    """Return a row for each recorded answer, and for the faults that are no refusals."""
    found = [await _refusal(number, lang) for number in range(len(RECORDED))]
    found += [
        await _broken_off(lang),
        await _without_v1(lang),
        await _ignored_schema(lang),
        await _only_reasoning(lang),
        await _context(2048, "short", "refused", lang),
        await _context(6000, "shortened", "noted", lang),
    ]
    return list(dict.fromkeys(found))


def table(lang: Lang) -> str:
    """Return the table in Markdown."""
    lines = [HEADS[lang], ("---",) * len(HEADS[lang]), *asyncio.run(rows(lang))]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


@contextmanager
def _asked(server: OneAnswer | Obeying, kind: str) -> Iterator[OllamaModel | OpenAIModel]:
    """Enter a model on a server, which is named in messages by its usual port."""
    with server:
        if kind == "Ollama":
            yield OllamaModel(
                "MODEL", Settings.model_validate({"machine": {"ollama_hosts": [server.url]}})
            )
        else:
            yield OpenAIModel(
                "MODEL", Settings.model_validate({"machine": {"openai_base_url": server.url}})
            )


async def _refusal(number: int, lang: Lang) -> Row:
    answer = RECORDED[number]
    outcome = OUTCOMES.get(answer.cause, OUTCOMES["stops"])[lang]
    name = answer.server.partition(" ")[0]
    line = "–"
    with _asked(OneAnswer(answer.status, answer.body), name) as model:
        try:
            await model.complete(ASKED, seed=1)
        except HometownError as error:
            line = _shown(error.localize(lang))
    return Row(answer.server, ANY[lang], FAULTS[answer.cause][lang], outcome, line)


async def _broken_off(lang: Lang) -> Row:
    body = ollama_answer(content="<fim_prefix>" * 31, done=False)
    with _asked(OneAnswer(200, body), "Ollama") as model:
        assert (await model.complete(ASKED, seed=1)).broken
    return Row(
        "Ollama 0.5.7", "Granite 3.1", FAULTS[Cause.REPLY][lang], OUTCOMES[Cause.REPLY][lang], "–"
    )


async def _without_v1(lang: Lang) -> Row:
    notes = list[str]()
    with _asked(Obeying(lambda body: ANSWER), "LM Studio") as model:
        await model.load(lang, notes.append)
    note, *_ = notes  # then how the model is asked
    return Row("vLLM", ANY[lang], FAULTS["v1"][lang], OUTCOMES["corrected"][lang], _shown(note))


async def _ignored_schema(lang: Lang) -> Row:
    server = Obeying(lambda body: PROSE if body.get("think") is False else ANSWER)
    with _asked(server, "Ollama") as model:
        await model.complete(ASKED, seed=1)
    return Row(
        "Ollama 0.17",
        "Qwen 3.5",
        FAULTS["schema"][lang],
        OUTCOMES["learnt"][lang],
        _way(model, lang),
    )


async def _only_reasoning(lang: Lang) -> Row:
    server = Obeying(lambda body: ANSWER if body.get("reasoning_effort") == "low" else "")
    server.url += "/v1"
    with _asked(server, "LM Studio") as model:
        await model.complete(ASKED, seed=1)
    return Row(
        "LM Studio, vLLM",
        "gpt-oss",
        FAULTS["effort"][lang],
        OUTCOMES["learnt"][lang],
        _way(model, lang),
    )


async def _context(tokens: int, fault: str, outcome: str, lang: Lang) -> Row:
    notes = list[str]()
    with _asked(Obeying(lambda body: ANSWER, context=tokens), "Ollama") as model:
        assert isinstance(model, Loading)
        try:
            await model.load(lang, notes.append)
        except HometownError as error:
            notes.append(error.localize(lang))
    note, *_ = notes  # then how the model is asked
    return Row("Ollama", ANY[lang], FAULTS[fault][lang], OUTCOMES[outcome][lang], _shown(note))


def _way(model: OllamaModel | OpenAIModel, lang: Lang) -> str:
    """Return the doctor's line about the way of asking."""
    words, way = translate_all(DOCTOR_MESSAGES, lang), model.way.current
    return words["structured_in"].format(
        form=words[f"form_{way.form}"], thinking=words[f"thinking_{way.thinking}"]
    )


def _shown(line: str) -> str:
    return re.sub(r"127\.0\.0\.1:(?!11434)\d+", "127.0.0.1:8000", line)


def main() -> None:
    """Write the tables into the pages."""
    for lang in LANGS:
        page = ROOT / "docs" / PAGES[lang]
        head, _, rest = page.read_text("utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        page.write_text(f"{head}{BEGIN}\n\n{table(lang)}\n\n{END}{tail}", "utf-8")


if __name__ == "__main__":
    main()
