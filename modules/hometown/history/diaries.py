"""The day of a resident as the page shows it."""

from __future__ import annotations

from datetime import date

from hometown.history import shapes
from hometown.history.conversations import conversation_shape
from hometown.history.day_narrator import Sentence
from hometown.history.day_story import DayStories
from hometown.history.diary import Stay, conversations_on, days_of, memories_on, stays
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
    held = conversations_on(run, day, last)
    made = memories_on(run, day, last, ("plan", "thought"), who)
    life = stays(run, who, day, last, held, workdays.list_begun_work(who, day, last))
    return {
        "day": day.isoformat(),
        "days": [other.isoformat() for other in days_of(run, last)],
        "story": [
            [_sentence_view(run, sentence) for sentence in paragraph]
            for paragraph in stories.tell(who, day, life, held)
        ],
        "work": workdays.of(who, day),
        "plans": [memory_shape(run, memory) for memory in made if memory.concept.type == "plan"],
        "thoughts": [
            memory_shape(run, memory) for memory in made if memory.concept.type == "thought"
        ],
        "stays": [_stay_view(run, stay) for stay in life],
    }


def _sentence_view(run: RunReader, sentence: Sentence) -> shapes.StorySentence:
    return {
        "tick": run.tick(sentence.moment),
        "text": sentence.text,
        "conversation": sentence.conversation,
        "link": sentence.link,
    }


def _stay_view(run: RunReader, stay: Stay) -> shapes.StayView:
    return {
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
