"""Errors of questions to models as errors of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hometown.errors import BadInput, BadRun, ModelUnavailable
from hometown.study.desk import Busy
from hometown.web.answers import Wrong

T = TypeVar("T")


def translate_errors(work: Callable[[], T]) -> T:
    """Return the result of some work. Its errors become Wrong: 409 if another question is being
    answered, 503 if the model is unavailable, 404 for a run that can't be read, 400 for others.
    """
    try:
        return work()
    except Busy:
        raise Wrong(
            409, "Another question is still being answered: ask again in a moment."
        ) from None
    except ModelUnavailable as error:
        raise Wrong(503, "That is not possible: {reason}.", reason=error) from None
    except BadInput as error:
        status = 404 if isinstance(error, BadRun) else 400
        raise Wrong(status, "That is not possible: {reason}.", reason=error) from None
