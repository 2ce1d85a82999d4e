"""What the command lines say, in English and Chinese: one catalogue per language, `data/text/<lang>/cli.json`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from modules.text import catalogue, fill
from modules.world.world import Lang


def locale_language(environment: Mapping[str, str] = os.environ) -> Lang:
    """The language of the machine's user, by the variables that POSIX names, first to last.

    >>> locale_language({"LANG": "zh_CN.UTF-8"}), locale_language({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def spoken_language(argv: list[str]) -> Lang:
    """The language to talk to the user in, before the arguments are parsed: `--lang` if it names one, else the locale's.

    >>> spoken_language(["--name", "a", "--lang", "zh"]), spoken_language(["--lang=en"])
    ('zh', 'en')
    """
    for at, word in enumerate(argv):
        value = argv[at + 1] if word == "--lang" and at + 1 < len(argv) else word.removeprefix("--lang=")
        if value in ("en", "zh") and value != word:
            return "zh" if value == "zh" else "en"
    return locale_language()


class Text:
    """The catalogue of one language.

    >>> Text("en")("digest", digest="ab12")
    'digest ab12'
    """

    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self._entries: dict[str, str] = catalogue(lang, "cli")

    def __call__(self, key: str, /, **values: object) -> str:
        """The entry `key` with `values` filled in. Raises KeyError for an entry or a value that is missing."""
        return fill(self._entries[key], values, self.lang)
