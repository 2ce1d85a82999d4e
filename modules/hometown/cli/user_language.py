"""The language to address the user in. Needs no package, so that a missing one can be reported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hometown.language import Lang


def locale_language(environment: Mapping[str, str] = os.environ) -> Lang:
    """Return the language of the machine's user, by the variables that POSIX names, first to last.

    >>> locale_language({"LANG": "zh_CN.UTF-8"}), locale_language({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def user_language(argv: Sequence[str]) -> Lang:
    """Return the language to use before the arguments are parsed: that of `--lang` if it names one,
    else the locale's.

    >>> user_language(["--name", "a", "--lang", "zh"]), user_language(["--lang=en"])
    ('zh', 'en')
    """
    for at, word in enumerate(argv):
        value = (
            argv[at + 1]
            if word == "--lang" and at + 1 < len(argv)
            else word.removeprefix("--lang=")
        )
        if value in ("en", "zh") and value != word:
            return "zh" if value == "zh" else "en"
    return locale_language()
