"""The causes of residents' actions, lines and memories."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class ServedView(TypedDict):
    """The number of the server that gave a reply, where there are several, the time in seconds
    since 1970, and the duration in milliseconds; `failed` are the servers asked before it.
    """

    server: int
    began: float
    ms: float
    tokens: int
    moved: bool
    failed: list[int]


class AttemptView(TypedDict):
    """An unchanged reply, the reason for which it was unusable ("" for none), the rules that mended
    it, the server, where there are several, and the number of requests before it that found out how
    the model is asked.
    """

    text: str
    error: str
    failed: bool
    cached_tokens: int
    read_ms: float
    write_ms: float
    mended: list[str]
    served: ServedView | None
    trials: int


class CallView(TypedDict):
    """A model call; `retrieved` are (memory, score, recency, importance, relevance)."""

    kind: str
    ordinal: int
    model: str
    outcome: Literal["ok", "retried", "fallback"]
    reply: Any
    attempts: list[AttemptView]
    prompt_tokens: int
    reply_tokens: int
    ms: float
    recorded: bool
    retrieved: list[tuple[int, float, float, float, float]]


class CausedAction(TypedDict):
    tick: int
    text: str
    address: str
    emoji: str
    kind: str


class Result(TypedDict):
    """A result of a call; of a memory its id alone."""

    type: Literal["memory", "action", "conversation", "plan"]
    id: NotRequired[int | str]
    text: NotRequired[str]
    address: NotRequired[str]
    emoji: NotRequired[str]


class RefusalView(TypedDict):
    """A refusal's code (`docs/society.md`) and its facts: numbers, ticks, and names of people and
    things.
    """

    code: str
    facts: dict[str, str | int]


Causes = TypedDict(
    "Causes",
    {
        "from": int,
        "to": int,
        "memories": dict[str, str],
        "actions": list[tuple[int, int, str, CausedAction]],
        "conversations": dict[str, str],
        "calls": dict[str, CallView],
        "led_to": dict[str, list[Result]],
        "refusals": dict[str, RefusalView],
    },
)
"""The causes of a resident's behaviour in some steps: causes of memories by id, actions as (since,
step in which it began, cause, action), causes of the conversations that they opened, calls and
their results by `<step> <cause>`, and the obstacles of which memories tell.
"""


class MessageView(TypedDict):
    role: str
    content: str


Prompts = TypedDict(
    "Prompts",
    {"from": int, "to": int, "lines": list[str], "calls": dict[str, list[tuple[str, list[int]]]]},
)
"""The prompts for a resident: by `<step> <cause>` the messages of a call, as (role, lines), each
line as its index in `lines`.
"""
