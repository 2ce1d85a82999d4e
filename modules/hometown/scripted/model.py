"""The scripted model: rules in place of a language model.

It reads a request's typed variables and never its wording. Replies follow from the persona, the
plan, the retrieved memories and the seed. It is a stand-in, and always named so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import Any, cast

import orjson
from pydantic import ValidationError

from hometown.language import Lang
from hometown.model.llm import Completion, Request
from hometown.prompt.prompt import Reply
from hometown.prompt.schema import as_asked
from hometown.scripted.words import tokens

Answer = Callable[[Any, Random, Lang], Reply]

ANSWERS = {
    "currently": "planning",
    "wake_up": "planning",
    "schedule_init": "planning",
    "schedule_daily": "hours",
    "schedule_changes": "hours",
    "schedule_decompose": "doing",
    "place": "doing",
    "steps": "working",
    "ground": "working",
    "poignancy": "noticing",
    "react": "noticing",
    "approach": "approaching",
    "respond": "responding",
    "measure": "responding",
    "happening": "responding",
    "reconsider": "reconsidering",
    "clash": "clashing",
    "relation": "talking",
    "utterance": "talking",
    "talk_summary": "talking",
    "talk_outcome": "talking",
    "reflect_focus": "reflecting",
    "reflect_insights": "reflecting",
    "reflect_chats": "reflecting",
    "night_gist": "reflecting",
    "interview": "interviewing",
    "rank_answers": "judging",
    "check_answer": "judging",
    "law": "lawmaking",
    "world_edit": "lawmaking",
    "settler": "settling",
    "director": "directing",
    "stranger": "directing",
}
"""Module that answers each kind of prompt, with a function `answer_<kind>(variables, rng, lang)`.
"""


class ScriptedModel:
    """A `LanguageModel` that needs no model. The same request and seed always get the same reply."""

    name = "scripted"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Answer at once, so `priority` has nothing to order. Raises KeyError for a kind it has no
        rules for.

        A reply that does not fit is sent as it is, as that of any model: it is refused, asked for
        again, and replaced by the fallback. Words of a visitor or a model that the rules cannot
        deal with leave the request without a reply; the town lives on with the fallback.
        """
        rules = answer(request.kind)
        try:
            reply = rules(request.variables, Random(seed), request.lang)
            said: Any = as_asked(reply.model_dump(mode="json"), request.schema)
        except ValidationError as error:
            said = [
                fault["input"] for fault in error.errors(include_url=False, include_context=False)
            ]
        except Exception as error:
            return fail(error)
        text = orjson.dumps(said, default=str).decode()
        return Completion(
            text, sum(tokens(message.content) for message in request.messages), tokens(text)
        )


def fail(error: Exception) -> Completion:
    """Return a completion without a reply, whose failure names the error of the rules."""
    return Completion("", 0, 0, failure=f"the rules failed: {type(error).__name__}: {error}")


@lru_cache(maxsize=64)
def answer(kind: str) -> Answer:
    """Return the rules for one kind of prompt, imported on first use."""
    module = import_module(f"hometown.scripted.{ANSWERS[kind]}")
    return cast(Answer, getattr(module, f"answer_{kind}"))
