"""The page's texts, as tests look for them."""

from __future__ import annotations

from hometown.text import translate


class PageTexts:
    """The page's texts in a language, by their English."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def __getitem__(self, message: str) -> str:
        return translate(message, self.lang)
