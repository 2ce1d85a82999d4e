"""Messages to the user in all languages (gettext catalogues in `data/locale`), texts in a town's
language (`data/text/<lang>/<name>.json`), and functions that compare and search texts.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from string import Formatter
from typing import Any, Self

import orjson

from hometown.paths import DATA

TEXTS = DATA / "text"

LOCALE = DATA / "locale"

DOMAIN = "hometown"
"""The name of the message catalogues."""


EXCERPT_CHARACTERS = 200
"""Maximum length of a text that is shown in part, without the ellipsis."""


@cache
def translations(lang: str) -> gettext.NullTranslations:
    """Return the messages of a language by their English, which needs no catalogue itself."""
    return gettext.translation(DOMAIN, LOCALE, [lang], fallback=True)


def N_(text: str) -> str:
    """Mark a text as a message that is translated elsewhere, and return it."""
    return text


def ngettext(singular: str, plural: str, number: int, /, **values: object) -> Phrase:
    """Return a message that depends on a number, which fills {count}.

    >>> ngettext("{count} step", "{count} steps", 1), ngettext("{count} step", "{count} steps", 2)
    ('1 step', '2 steps')
    """
    return Phrase._make(singular, {"count": number} | values, plural=plural, number=number)


def npgettext(context: str, singular: str, plural: str, number: int, /, **values: object) -> Phrase:
    """Return a message like `ngettext`, with a context like `pgettext`."""
    values = {"count": number} | values
    return Phrase._make(singular, values, context=context, plural=plural, number=number)


def pgettext(context: str, text: str, /, **values: object) -> Phrase:
    """Return a message that its context tells from another one with the same English."""
    return Phrase._make(text, values, context=context)


@cache
def catalogue(lang: str, name: str) -> dict[str, str]:
    """Return all texts of one file by key; their {fields} are filled by `str.format`, with
    singulars and plurals as in `Counting`.
    """
    texts: dict[str, str] = orjson.loads((TEXTS / lang / f"{name}.json").read_bytes())
    return {key: Counting(text) if _COUNTED.search(text) else text for key, text in texts.items()}


_COUNTED = re.compile(r"\{\w+:[^{}|]+\|[^{}]+\}")
"""Matches a field that selects the singular or the plural of a word."""


class Counting(str):
    """A text with words that depend on a number: `{steps} {steps:step|steps}` becomes "1 step" or
    "2 steps".

    >>> Counting("{steps} {steps:step is|steps are} kept").format(steps=1), Counting("{steps:step|steps}").format(steps="1,000")
    ('1 step is kept', 'steps')
    """

    def format(self, *args: object, **values: object) -> str:
        """Return the text with its values, as `str.format` does."""
        return fill(self, values, "en", *args)


class Phrase(str):
    """A line for the user: an English text that is translated when the user's language is known.

    Its template is its key in the message catalogues. Values fill the {fields} as `str.format`
    does; without any, the template is used unchanged. They may be phrases or errors themselves, or
    lists, which are enumerated.

    >>> Phrase("{file}: lacks the tables {tables}", file="a.sqlite", tables=["steps", "calls"])
    'a.sqlite: lacks the tables steps, calls'
    """

    template: str
    values: Mapping[str, object]
    context: str
    plural: str
    number: int

    def __new__(cls, template: str, /, **values: object) -> Self:
        return template if isinstance(template, cls) else cls._make(template, values)

    @classmethod
    def _make(
        cls,
        template: str,
        values: Mapping[str, object],
        *,
        context: str = "",
        plural: str = "",
        number: int = 1,
    ) -> Self:
        text = plural if plural and number != 1 else template
        phrase = super().__new__(cls, _fill_line(text, values, "en"))
        phrase.template, phrase.values, phrase.context = template, values, context
        phrase.plural, phrase.number = plural, number
        return phrase

    def localize(self, lang: str) -> str:
        """Return the phrase in a language, or in English if there is no translation."""
        return _fill_line(self.template_in(lang), self.values, lang)

    def template_in(self, lang: str) -> str:
        """Return the template in a language, in the plural form that its number needs."""
        messages = translations(lang)
        match self.context, self.plural:
            case "", "":
                pass
            case context, "":
                return messages.pgettext(context, self.template)
            case "", plural:
                return messages.ngettext(self.template, plural, self.number)
            case context, plural:
                return messages.npgettext(context, self.template, plural, self.number)
        # The empty message is the header of a catalogue.
        return messages.gettext(self.template) if self.template else ""


def translate(message: str, lang: str, /, **values: object) -> str:
    """Return a message in a language with values filled in; unlike a phrase it may have several
    lines.

    >>> translate("{name}:\\n{count}", "en", name="a", count=ngettext("{count} step", "{count} steps", 2))
    'a:\\n2 steps'
    """
    phrase = Phrase(message)
    return fill(phrase.template_in(lang), {**phrase.values, **values}, lang)


def translate_all(messages: Mapping[str, str], lang: str) -> dict[str, str]:
    """Return a table of messages in a language, their {fields} unfilled."""
    return {key: translate(message, lang) for key, message in messages.items()}


def _fill_line(template: str, values: Mapping[str, object], lang: str) -> str:
    return fill(template, values, lang).replace("\n", " ")


_OBEYED = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
"""Characters that control a terminal: control characters, and those that reverse the direction of
the text after them.
"""

_SHOWN = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in _OBEYED
    if chr(code) not in "\t\n"
}


def printable(text: str) -> str:
    """Return a text with control characters made visible, except tabs and line breaks.

    >>> print(printable("a\\x1b[2Jb\\u202ec"))
    a\\x1b[2Jb\\u202ec
    """
    return text.translate(_SHOWN)


COMMAS = {"en": ", ", "zh": "、"}
"""Separators of enumerations, by language."""


def localize(value: object, lang: str) -> Any:
    """Return a value for a text: phrases and errors translated, lists enumerated, other values
    unchanged.
    """
    if isinstance(value, list):
        return COMMAS[lang].join(str(localize(item, lang)) for item in value)
    in_words = getattr(value, "localize", None)
    return in_words(lang) if in_words else value


_INNER_QUOTES = str.maketrans("“”", "‘’")


def nest_quotes(text: str) -> str:
    """Return a text with the quotation marks that it has within others.

    >>> nest_quotes("The reading circle “Technology and Life”")
    'The reading circle ‘Technology and Life’'
    """
    return text.translate(_INNER_QUOTES)


def with_article(name: str, article: str) -> str:
    """Return the name of a thing with the article that it needs in a sentence: none for a proper
    name.

    >>> with_article("stove", "the "), with_article("Duchess", "the ")
    ('the stove', 'Duchess')
    """
    has_none = not name or name[0].isupper() or name.startswith(article or name)
    return name if has_none else f"{article}{name}"


def fill(template: str, values: Mapping[str, object], lang: str, *listed: object) -> str:
    """Fill a text with values, named or positional, in a language; without values it is returned
    unchanged.
    """
    return _Filler(lang).vformat(template, listed, values) if values or listed else template


class _Filler(Formatter):
    """Fills fields as `str.format` does, in a language. A field with `!r` is data and is not
    translated.
    """

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return (
            super().convert_field(value, conversion) if conversion else localize(value, self._lang)
        )

    def format_field(self, value: Any, spec: str) -> Any:
        """Return a value in the format `spec`; of a format "SINGULAR|PLURAL" the first part for the
        value 1 and the second for any other, in place of the value.
        """
        singular, divided, plural = spec.partition("|")
        if not divided:
            return super().format_field(value, spec)
        return singular if str(value) == "1" else plural


_SENTENCE_END = re.compile(
    r"""
    (?<![.!?])[.!?]++["'”’)\]]*+\s++   # the end of an English sentence
    | [。！？…]++["”’』」）]*+\s*+        # the end of a Chinese one
    | \n[^\S\n]*+\n\s*+                # the end of a paragraph
    """,
    re.VERBOSE,
)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, English or Chinese, which together are the text.

    >>> split_sentences("“Come in!” he said. 他说：“进来。”她进来了。")
    ['“Come in!” ', 'he said. ', '他说：“进来。”', '她进来了。']
    """
    ends = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(ends) if start < end]


def overlap(first: str, second: str) -> float:
    """Return the Jaccard overlap of character trigrams, ignoring case, 0–1; texts shorter than that
    are compared whole.

    >>> overlap("good morning", "good morning"), overlap("good morning", "see you")
    (1.0, 0.0)
    """
    ours, theirs = _trigrams(first), _trigrams(second)
    return len(ours & theirs) / len(ours | theirs)


def coverage(text: str, whole: str) -> float:
    """Return the share of a whole text's character trigrams that occur in another text, ignoring
    case, 0–1.

    >>> coverage("good morning", "good morning"), coverage("good morning", "see you")
    (1.0, 0.0)
    """
    ours, theirs = _trigrams(text), _trigrams(whole)
    return len(ours & theirs) / len(theirs)


def overlaps(text: str, others: Iterable[str], least: float) -> bool:
    """Return True if a text overlaps with any of the others by at least `least`. Texts of too
    different lengths are not compared.

    >>> overlaps("good morning", ["see you", "Good morning!"], 0.8), overlaps("good morning", ["see you"], 0.8)
    (True, False)
    """
    ours = _trigrams(text)
    size = len(ours)
    for theirs in map(_trigrams, others):
        many = len(theirs)
        if size >= least * many and many >= least * size:
            common = len(ours & theirs)
            if common / (size + many - common) >= least:
                return True
    return False


def copied_parts(text: str, source: str) -> list[str]:
    """Return the parts of a text, from left to right and of 8 characters at least, that stand in a
    source, each as long as possible.

    >>> copied_parts("she waters the roses now", "Ann waters the roses")
    [' waters the roses']
    """
    parts, at = [], 0
    while at < len(text):
        end = at + 8
        if text[at:end] not in source or end > len(text):
            at += 1
            continue
        while end < len(text) and text[at : end + 1] in source:
            end += 1
        parts.append(text[at:end])
        at = end
    return parts


@lru_cache(maxsize=2048)
def _trigrams(text: str) -> frozenset[str]:
    folded = text.casefold()
    return frozenset(folded[at : at + 3] for at in range(max(1, len(folded) - 2)))


@lru_cache(maxsize=512)
def word_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches any of some lower-case words (regular expressions): Latin ones
    at the start of a word, Chinese ones anywhere.

    >>> bool(word_pattern(("tea", "茶")).search("steam")), bool(word_pattern(("tea", "茶")).search("泡茶"))
    (False, True)
    """
    return re.compile("|".join(rf"\b(?:{word})" if word.isascii() else word for word in words))


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def excerpt(text: str, longest: int = EXCERPT_CHARACTERS) -> str:
    """Return a text on one line, cut after `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def names_any(names: Iterable[str], text: str) -> bool:
    """Return True if a text contains one of some names.

    >>> names_any(["Klaus"], "Have you heard, Klaus?"), names_any(["小芳"], "小芳，你来吗？"), names_any(["Tom"], "Tomorrow, Maria!")
    (True, True, False)
    """
    return any(contains_name(name, text) for name in names)


def contains_name(name: str, text: str) -> bool:
    """Return True if a name occurs in a text as a whole word; in Chinese anywhere.

    >>> contains_name("Tom", "Tomorrow, Maria!"), contains_name("Tom", "Tom, come!"), contains_name("小芳", "好，小芳")
    (False, True, True)
    """
    return (
        bool(name) and name in text and (not name.isascii() or bool(_whole_word(name).search(text)))
    )


@lru_cache(maxsize=1 << 12)
def _whole_word(word: str) -> re.Pattern[str]:
    """Return a pattern that matches a word where no letter or digit stands beside it."""
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def replace_word(text: str, word: str, by: str) -> str:
    """Return a text with all whole-word occurrences of a word replaced; neither word is a pattern.

    >>> replace_word("Ann (A.) met Anna", "Ann", "you"), replace_word("a.b", "a.b", r"\\1")
    ('you (A.) met Anna', '\\\\1')
    """
    return re.sub(rf"\b{re.escape(word)}\b", lambda _: by, text)
