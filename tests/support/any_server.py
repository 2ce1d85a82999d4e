"""A server whose every reply fits its schema: what it says means nothing, but a town can live on
it, in whichever process asks.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from itertools import count
from random import Random
from typing import Any

from hometown.model.question import QUESTIONS
from tests.support.any_json import value
from tests.support.fake_openai import FakeOpenAI
from tests.support.hang import HANG, waited_for

SPOKEN = 5
"""The word of a line, from 0, before which the server waits until the words before it have been
heard.
"""


class AnyServer(FakeOpenAI):
    """`stops_at`: the request, from 1, with which this process gets SIGTERM; it and all later ones
    are left alone until that is 0 and another one comes.

    Where somebody listens (`heard` are the texts so far), nobody's line is sent whole before its
    beginning has been heard. The line that finds out how the model is asked is heard by nobody.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stops_at, self._gone_on = 0, threading.Event()
        self._late = count()
        self.heard: list[str] | None = None

    def reply(self, body: dict[str, Any]) -> str:
        if self.stops_at and len(self.bodies) >= self.stops_at:
            if next(self._late) == 0:
                os.kill(os.getpid(), signal.SIGTERM)
            self._gone_on.wait(HANG)
        else:
            self._gone_on.set()
        form = body["response_format"]["json_schema"]
        reply = value(form["schema"], Random(body["seed"]), "en")
        if form["name"] == "utterance":
            reply["say"] = f"{_beginning(body)}is one of those that I could tell you."
        return json.dumps(reply, ensure_ascii=False)

    def send_word(self, body: dict[str, Any], at: int) -> None:
        heard = self.heard
        if (
            at == SPOKEN
            and heard is not None
            and body["response_format"]["json_schema"]["name"] == "utterance"
            and not is_trial(body)
        ):
            waited_for(lambda: any(text.startswith(_beginning(body).strip()) for text in heard))


def is_trial(body: dict[str, Any]) -> bool:
    """Return True if a request only finds out how the model is asked."""
    return QUESTIONS["en"] in body["messages"][-1]["content"]


def _beginning(body: dict[str, Any]) -> str:
    """What a line begins with: four words that no other one has."""
    return f"The story {body['seed']} "
