"""The day of a resident as the page shows it."""

from __future__ import annotations

from datetime import date

from hometown.history import shapes
from hometown.history.conversations import conversation_shape
from hometown.history.day_story import DayStories
from hometown.history.diary import days_of, stays, steps_of
from hometown.history.memories import memory_shape
from hometown.history.reader import RunReader
from hometown.history.workday import Workdays


def diary(
    run: RunReader, workdays: Workdays, stories: DayStories, who: str, day: date
) -> shapes.Diary:
    """Return a resident's day: plans, thoughts, work, stays with their actions, and
    conversations.
    """
    last = run.last_step()
    first, end = steps_of(run, day, last)
    held = [
        conversation
        for conversation in run.conversations(first, end)
        if conversation.started.date() == day
    ]
    made = [
        memory
        for memory in run.memories(first, end, ("plan", "thought"), who)
        if memory.concept.created.date() == day
    ]
    life = stays(run, who, day, last, held, workdays.list_begun_work(who, day, last))
    story = stories.tell(who, day, life, held)
    return {
        "day": day.isoformat(),
        "days": [other.isoformat() for other in days_of(run, last)],
        "story": [
            [
                {
                    "tick": run.tick(sentence.moment),
                    "text": sentence.text,
                    "conversation": sentence.conversation,
                }
                for sentence in paragraph
            ]
            for paragraph in story
        ],
        "work": workdays.of(who, day),
        "plans": [memory_shape(run, memory) for memory in made if memory.concept.type == "plan"],
        "thoughts": [
            memory_shape(run, memory) for memory in made if memory.concept.type == "thought"
        ],
        "stays": [
            {
                "tick": run.tick(stay.start),
                "end": run.tick(stay.end),
                "address": stay.address,
                "doings": [
                    {
                        "tick": run.tick(doing.start),
                        "label": doing.label,
                        "asleep": doing.asleep,
                        "conversation": conversation_shape(run, doing.conversation)
                        if doing.conversation
                        else None,
                    }
                    for doing in stay.doings
                ],
            }
            for stay in life
        ],
    }
