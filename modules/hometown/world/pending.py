"""Deferred work: questions answered during the next step, and conversations to summarise."""

from __future__ import annotations

from hometown.frozen import frozen
from hometown.records import Retrieval
from hometown.world.conversation import Company, Conversation


@frozen
class Question:
    """A question put to a resident in the next step, in the context of its origin.

    Attributes:
        kind: The kind of its prompt.
        variables: The prompt's variables, in JSON.
        retrieved: The memories retrieved for it.
        memories: The ids of all memories it is about, which stay active until it is answered.
        talk: The conversation it is about, in which the resident spoke to `company`; "" for none.
    """

    kind: str
    variables: str
    retrieved: tuple[Retrieval, ...] = ()
    talk: str = ""
    company: str = ""
    memories: tuple[int, ...] = ()


@frozen
class Questions:
    """`questions/<resident>`: the questions for the next step, in order of origin."""

    items: tuple[Question, ...] = ()


@frozen
class Unsummed:
    """`unsummed/<conversation>`: a conversation to summarise in the next step."""

    talk: Company | Conversation


@frozen
class QuestionArose:
    """A question is deferred to the next step."""

    who: str
    question: Question


@frozen
class QuestionsAnswered:
    """The oldest `count` questions have been answered."""

    who: str
    count: int


@frozen
class SummedUp:
    """A conversation has been summarised."""

    talk: str
    summary: str
