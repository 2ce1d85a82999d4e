"""The texts of the command lines, in English and Chinese: one catalogue per language,
`data/text/<lang>/cli.json`.
"""

from __future__ import annotations

from hometown.language import Lang
from hometown.text import catalogue, fill


class Text:
    """The catalogue of one language.

    >>> Text("en")("digest", digest="ab12")
    'digest ab12'
    """

    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self._entries: dict[str, str] = catalogue(lang, "cli")

    def __contains__(self, key: str) -> bool:
        """Return whether there is an entry `key`."""
        return key in self._entries

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the entry `key` with `values` filled in.

        Raises:
            KeyError: The entry or a value is missing.
        """
        return fill(self._entries[key], values, self.lang)
