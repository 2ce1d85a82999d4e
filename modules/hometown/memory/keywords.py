"""Keywords of memories, from their texts alone: words without stop words in English, pairs of
characters in Chinese.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from hometown.memory.concept import Concept

_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[^\W_\u3400-\u4dbf\u4e00-\u9fff]+")

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about after again all also am an and any are as at be because been before but by can could did do does for from had has have he her here
        hers him his how i if in into is it its just me more my no not now of off on one or our out over she so some than that the their them then
        there these they this those to too up us was we were what when where which while who whom why will with would you your""",
    )
)

_STOP_CHARACTERS = "的了着过在是有和与及也都就还又很这那哪其之而但或者吗呢吧啊把被给对从到向于以因为所为我你他她它们个些会要能可已正将不没"

_FUNCTION_WORDS = re.compile(f"[{_STOP_CHARACTERS}]+")


@lru_cache(maxsize=1 << 16)
def find_keywords(text: str) -> tuple[str, ...]:
    """Return the keywords of a text, each once, in order of appearance.

    English ones are lower-case words. Chinese is written without spaces; function words end a run
    of characters, and each two neighbours within a run are a keyword, as search engines index
    Chinese. A run of a single character is a keyword itself.

    >>> find_keywords("The café is open: Ana went to the café"), find_keywords("小美在咖啡馆")
    (('café', 'open', 'ana', 'went'), ('小美', '咖啡', '啡馆'))
    """
    found: dict[str, None] = {}
    for word in _WORD.findall(text.lower()):
        if not _is_chinese(word):
            found |= {} if word in _STOP_WORDS else {word: None}
            continue
        for run in _FUNCTION_WORDS.split(word):
            found |= dict.fromkeys(
                [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
            )
    return tuple(found)


def count_keywords(memories: Iterable[Concept]) -> Counter[str]:
    """Return the strength of each keyword: the number of memories that have it."""
    return Counter(word for memory in memories for word in find_keywords(memory.text))


def score_match(query: str, text: str) -> float:
    """Return the share of a query's keywords that a text has, 0 to 1; 0 for a query without
    keywords.

    >>> score_match("coffee and books", "the coffee is hot")
    0.5
    """
    wanted = find_keywords(query)
    return len(set(find_keywords(text)).intersection(wanted)) / len(wanted) if wanted else 0.0


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word[0] <= "\u9fff"
