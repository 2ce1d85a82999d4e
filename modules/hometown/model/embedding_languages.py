"""Languages of embedding models, by parts of their names.

`KNOWN` is ordered: a specific name stands before a general one that it contains, and of two models
that know a language the earlier one is preferred.
"""

from __future__ import annotations

from collections.abc import Iterable

from hometown.language import Lang
from hometown.model.notes import MODEL_NOTES
from hometown.text import translate_all

BOTH: frozenset[Lang] = frozenset(("en", "zh"))
ENGLISH: frozenset[Lang] = frozenset(("en",))
CHINESE: frozenset[Lang] = frozenset(("zh",))

_MULTILINGUAL = (
    "bge-m3",
    "qwen3-embedding",
    "embeddinggemma",
    "arctic-embed2",
    "arctic-embed-l-v2",
    "arctic-embed-m-v2",
    "granite-embedding:278m",
    "granite-embedding-278m",
    "granite-embedding-107m",
    "gte-multilingual",
    "jina-embeddings-v3",
    "nomic-embed-text-v2",
    "paraphrase-multilingual",
    "distiluse-base-multilingual",
    "multilingual-e5",
    "labse",
    "similarity-mrl-multilingual",
)
_CHINESE = (
    "bge-large-zh",
    "bge-base-zh",
    "bge-small-zh",
    "gte-large-zh",
    "gte-base-zh",
    "gte-small-zh",
    "text2vec-base-chinese",
    "text2vec-large-chinese",
    "m3e-large",
    "m3e-base",
    "m3e-small",
    "piccolo-large-zh",
    "piccolo-base-zh",
    "stella-large-zh",
    "stella-base-zh",
)
_ENGLISH = (
    "mxbai-embed",
    "snowflake-arctic-embed",
    "nomic-embed-text",
    "bge-large",
    "bge-base",
    "bge-small",
    "gte-large",
    "gte-base",
    "gte-small",
    "all-mpnet",
    "all-minilm",
    "all-distilroberta",
    "minilm-l12-v2",
    "minilm-l6",
    "multi-qa-mpnet",
    "multi-qa-minilm",
    "multi-qa-distilbert",
    "e5-large-v2",
    "e5-base-v2",
    "e5-small-v2",
    "granite-embedding",
    "gtr-t5",
    "sentence-t5",
)

KNOWN: dict[str, frozenset[Lang]] = {
    **dict.fromkeys(_MULTILINGUAL, BOTH),
    **dict.fromkeys(_CHINESE, CHINESE),
    **dict.fromkeys(_ENGLISH, ENGLISH),
}
"""Parts of names, and the languages that these models know. A model of another name may know any.
"""


def known_languages(name: str) -> frozenset[Lang] | None:
    """Return the languages of the town that a model knows, or None for a model whose languages are
    unknown.

    >>> sorted(known_languages("ollama:bge-m3:latest")), sorted(known_languages("sentence-transformers/all-MiniLM-L6-v2")), known_languages("my-own")
    (['en', 'zh'], ['en'], None)
    """
    part = _known_part(name)
    return KNOWN[part] if part else None


def rank_by_language(names: Iterable[str], lang: Lang) -> list[str]:
    """Return the models that are known to know a language, the best first."""
    order = {part: place for place, part in enumerate(KNOWN)}
    fit = [
        (order[part], name) for name in names if (part := _known_part(name)) and lang in KNOWN[part]
    ]
    return [name for _, name in sorted(fit)]


def language_warning(spec: str, lang: Lang) -> str:
    """Return a warning in `lang` if an embedding hardly knows that language, "" otherwise."""
    known = known_languages(spec)
    if known is None or lang in known:
        return ""
    return translate_all(MODEL_NOTES, lang)["foreign_embedding"].format(embedding=spec)


def _known_part(name: str) -> str:
    """Return the first part of `KNOWN` that a name contains, or ""."""
    plain = name.lower().replace("_", "-")
    return next((part for part in KNOWN if part in plain), "")
