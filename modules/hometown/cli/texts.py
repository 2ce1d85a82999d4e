"""The texts of the command lines in the user's language."""

from __future__ import annotations

from hometown.language import Lang
from hometown.text import translate


class Text:
    """Translates messages to a language.

    >>> Text("en")("digest {digest}", digest="ab12")
    'digest ab12'
    """

    def __init__(self, lang: Lang) -> None:
        self.lang = lang

    def __call__(self, message: str, /, **values: object) -> str:
        """Return a message in the language with `values` filled in.

        Raises:
            KeyError: A value is missing.
        """
        return translate(message, self.lang, **values)
