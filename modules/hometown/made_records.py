"""The records of `hometown.Run`, made of what its database holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.memory.concept import Concept
from hometown.run_records import (
    AnswerRecord,
    ConversationRecord,
    DecisionRecord,
    JudgedAnswerRecord,
    Memory,
    Retrieved,
)
from hometown.world.conversation import Conversation

if TYPE_CHECKING:
    from hometown.history.shapes import Causes
    from hometown.study.interview import InterviewAnswer
    from hometown.study.tally import Judged


@frozen
class RecordMaker:
    """Makes records of a run, with names instead of ids."""

    reader: RunReader
    names: Names

    def make_decisions(self, who: str, block: Causes) -> dict[str, DecisionRecord]:
        """Return the model calls of a block of causes, by `<step> <cause>`."""
        decisions = {}
        for key, call in block["calls"].items():
            scores = {memory: scores for memory, *scores in call["retrieved"]}
            memories = tuple(
                Retrieved(self.make_memory(who, found.concept), *scores[found.concept.id])
                for found in self.reader.recall(who, list(scores))
            )
            results = tuple(dict(result) for result in block["led_to"].get(key, ()))
            decisions[key] = DecisionRecord(
                int(key.partition(" ")[0]),
                call["kind"],
                call["model"],
                call["outcome"],
                call["reply"],
                memories,
                results,
            )
        return decisions

    def make_conversation(self, held: Conversation) -> ConversationRecord:
        """Return a conversation with the names of its speakers and its place."""
        person = self.names.person
        return ConversationRecord(
            held.id,
            held.step,
            held.started,
            held.minutes,
            tuple(map(person, held.people)),
            self.names.place(held.address),
            tuple((person(line.speaker), line.text) for line in held.lines),
            held.summary,
        )

    def make_memory(self, who: str, memory: Concept) -> Memory:
        """Return a memory of the resident `who`."""
        return Memory(
            self.names.person(who),
            memory.id,
            memory.type,
            memory.text,
            memory.created,
            memory.poignancy,
            memory.evidence,
        )

    def make_answer(self, answer: InterviewAnswer) -> AnswerRecord:
        """Return a resident's answer with the memories that it cites."""
        return AnswerRecord(
            self.names.person(answer.who),
            answer.step,
            answer.text,
            answer.knows,
            tuple(self.make_memory(answer.who, memory) for memory in answer.cited),
            answer.outcome,
        )

    def make_judged_answer(self, judged: Judged) -> JudgedAnswerRecord:
        """Return an answer to a questionnaire with the verdict on it."""
        return JudgedAnswerRecord(
            judged.question.category,
            judged.question.text,
            self.make_answer(judged.answer),
            judged.judgement.verdict,
        )
