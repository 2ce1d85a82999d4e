"""The town's newspaper."""

from __future__ import annotations

from typing import Literal, TypedDict

from hometown.language import Lang


class Quote(TypedDict):
    speaker: str
    text: str


class Article(TypedDict):
    """An article about an event with its place and time. `headline` and `deck`, the lines above an
    article, are in the paper's language, `text` is in `lang`; "" where there is none. `quotes` are
    lines of a conversation, in its order.
    """

    kind: Literal["event", "gathering", "news", "encounter", "thought"]
    headline: str
    deck: str
    text: str
    lang: Lang
    quotes: list[Quote]
    tick: int
    who: list[str]
    address: str
    conversation: str


class NoticeView(TypedDict):
    """A past or future event at a place."""

    tick: int
    text: str
    address: str


class Gazette(TypedDict):
    """A day's front page in one language: the first article leads. `days` are the run's dates
    (ISO), and `number` is the place of `day` among them, from 1.
    """

    title: str
    day: str
    days: list[str]
    number: int
    articles: list[Article]
    thoughts: list[Article]
    notices: list[NoticeView]
    coming: list[NoticeView]
    threads: list[NoticeView]
    market: list[str]
    figures: list[str]
