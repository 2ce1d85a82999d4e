"""The pages as HTML: templates of `frontend`, filled in a language."""

from __future__ import annotations

import math
from functools import cache
from urllib.parse import urlencode

import orjson
from jinja2 import Environment, FileSystemLoader

from hometown.language import LANGS, Lang
from hometown.memory.type_names import type_names
from hometown.paths import FRONTEND
from hometown.prompt.mending import MENDING_NAMES
from hometown.text import LOCALE, ngettext, translate, translate_all

NUMBERS: dict[str, tuple[type[int] | type[float], float, float, float]] = {
    "step": (int, 0, 0, math.inf),
    "speed": (int, 0, -4, 6),
    "zoom": (float, 0.8, 0.1, 4),
}
"""The page's parameters, with the names and meanings of GenerativeAgentsCN: type, default, lowest,
highest. Speeds beyond 0 to 5 are ours.
"""

DEFAULTS = {key: kind(default) for key, (kind, default, _, _) in NUMBERS.items()}


def page_words(lang: Lang) -> dict[str, str | list[str]]:
    """Return the page's messages by their English, none of them for English itself, with the rules
    by which replies are mended, which begin with "mended_", and the names of memory types, which
    begin with "memory_type_"; a message that depends on a number has a list of plural forms.
    """
    file = LOCALE / lang / "page.json"
    messages: dict[str, str | list[str]] = orjson.loads(file.read_bytes()) if lang != "en" else {}
    others = {"mended": translate_all(MENDING_NAMES, lang), "memory_type": type_names(lang)}
    return messages | {
        f"{prefix}_{key}": words for prefix, texts in others.items() for key, words in texts.items()
    }


def render_page(
    template: str, lang: Lang, parameters: dict[str, str], page: str = "./", /, **values: object
) -> str:
    """Return a page in a language; its link to the other language keeps its address, `page` and
    `parameters`.
    """
    other = next(language for language in LANGS if language != lang)

    def t(message: str, **fields: object) -> str:
        return translate(message, lang, **fields)

    def nt(singular: str, plural: str, number: int) -> str:
        return t(ngettext(singular, plural, number))

    link = f"{page}?" + urlencode(parameters | {"lang": other})
    return fill_template(
        template, lang=lang, t=t, nt=nt, other={"lang": other, "link": link}, **values
    )


def fill_template(template: str, **values: object) -> str:
    """Fill a template of `frontend` with values; all text in them is shown literally."""
    return _templates().get_template(template).render(**values)


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(FRONTEND), autoescape=True)
