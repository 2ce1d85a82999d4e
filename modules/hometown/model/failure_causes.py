"""The causes of servers' refusals: this reply, this request, this configuration, or this moment.

Servers word the same cause differently, and from version to version; the patterns come from the
answers in `tests/model/recorded_refusals.py`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from hometown.model.connection import IN_BODY, TEMPORARY, TOO_MANY_REQUESTS, ErrorResponse


class Cause(StrEnum):
    """The cause of a refusal, by which it is reacted to."""

    REPLY = "reply"
    """This reply went wrong: another seed may give a better one."""

    LENGTH = "length"
    """This request is too long for the context."""

    MEMORY = "memory"
    """The configuration: the model does not fit into memory."""

    ENDPOINT = "endpoint"
    """The configuration: the address is not that of the API."""

    UNLOADED = "unloaded"
    """The configuration: the server has no model loaded."""

    NO_MODEL = "no_model"
    """The configuration: the server has no such model."""

    NO_CHAT = "no_chat"
    """The configuration: the model writes no replies."""

    NO_SCHEMA = "no_schema"
    """The configuration: the server is too old to know JSON schemas."""

    KEY = "key"
    """The configuration: the key is missing or wrong."""

    MOMENT = "moment"
    """The server is busy, loading or restarting."""

    OTHER = "other"
    """Anything else, which the same request would meet again."""


_PATTERNS = tuple(
    (cause, re.compile(pattern, re.IGNORECASE))
    for cause, pattern in (
        (Cause.REPLY, r"token repeat limit"),
        (Cause.NO_SCHEMA, r"cannot unmarshal object .*\.format of type string"),
        (
            Cause.LENGTH,
            r"exceed_context_size|context[ _-]?(length|size|window)|maximum context|max_model_len|too many tokens"
            r"|max_tokens must be at least 1|exceeds? context",
        ),
        (
            Cause.MEMORY,
            r"requires more system memory|out of memory|insufficient (system )?(resources|memory)"
            r"|not enough (resources|memory)|cudaMalloc failed|unable to allocate|failed to allocate",
        ),
        (
            Cause.ENDPOINT,
            r"unexpected endpoint|404 page not found|file not found|method not allowed",
        ),
        (Cause.UNLOADED, r"no models? (is |are )?loaded|model is unloaded"),
        (Cause.NO_CHAT, r"does not support (chat|generate)|not a (chat|text[ -]generation) model"),
        (
            Cause.NO_MODEL,
            r"model\b.*(not (found|exist)|unknown|no such)|(no such|unknown|invalid) model|does not exist",
        ),
        (
            Cause.MOMENT,
            r"loading model|server busy|pending requests|runner .*(terminated|stopped|no longer running)"
            r"|has crashed|engine ?core encountered|no deployments available|rate ?limit",
        ),
    )
)


def cause_of(refused: ErrorResponse) -> Cause:
    """Return the cause of a refusal by its message, or else by its status."""
    if refused.status in (401, 403):
        return Cause.KEY
    if refused.status == TOO_MANY_REQUESTS:
        return Cause.MOMENT  # "too many tokens" are those of a minute
    for cause, pattern in _PATTERNS:
        if pattern.search(refused.detail):
            return cause
    if refused.status == 404:
        return Cause.ENDPOINT
    is_temporary = refused.status >= 500 or refused.status in (IN_BODY, *TEMPORARY)
    return Cause.MOMENT if is_temporary else Cause.OTHER
