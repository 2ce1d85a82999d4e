"""What is still to be thought over: questions for whose answers nobody waits, and the conversations
that they are about.
"""

from __future__ import annotations

from hometown.frozen import frozen
from hometown.records import Retrieval
from hometown.world.conversation import Company, Conversation


@frozen
class Question:
    """A question that is put to a resident in the next step, as all that it depends on was when it
    arose.

    `kind` is that of its prompt, `variables` are JSON of the prompt's, `retrieved` says which
    memories came to mind for it, and `memories` are the ids of all that it is about: they stay live
    until it is answered. A question about the conversation `talk` is asked as those in
    conversations are, in which the resident spoke to `company`.
    """

    kind: str
    variables: str
    retrieved: tuple[Retrieval, ...] = ()
    talk: str = ""
    company: str = ""
    memories: tuple[int, ...] = ()


@frozen
class Questions:
    """`questions/<resident>`: what it is to think over in the next step, in the order in which it
    arose.
    """

    items: tuple[Question, ...] = ()


@frozen
class Unsummed:
    """`unsummed/<conversation>`: a conversation that is summed up in the next step."""

    talk: Company | Conversation


@frozen
class QuestionArose:
    """Something is to be thought over in the next step."""

    who: str
    question: Question


@frozen
class QuestionsAnswered:
    """The oldest `count` of the questions have been thought over."""

    who: str
    count: int


@frozen
class SummedUp:
    """A conversation has been summed up, and this is what was said."""

    talk: str
    summary: str
