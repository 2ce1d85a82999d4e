"""The blocks of a run: the JSON documents that the server returns and `replay.html` embeds.

`python -m tools.write_types` makes `frontend/js/data/shapes.d.ts` of them, against which the page's scripts are checked. Time is
counted in ticks of 10 game seconds from the start of the run; `since` is the step from which on something holds.
"""

from hometown.history.shapes.causes import Attempt, Call, CausedAction, Causes, Message, Prompts, Result
from hometown.history.shapes.people import (
    Acquaintance,
    Appointment,
    Arenas,
    Change,
    LastConversation,
    Memories,
    Memory,
    Mind,
    Persona,
    ResidentBlock,
    ScheduleDay,
    ScheduleEntry,
    ScheduleTask,
    Trail,
)
from hometown.history.shapes.summaries import Diary, Doing, Held, Mark, Marks, Spread, Stay, Story, Thread
from hometown.history.shapes.town import Action, Conversation, Conversations, Frames, Happening, Line, Resident, Retrieval, Run, Thing, ThingChange, Track

__all__ = [
    "Acquaintance",
    "Action",
    "Appointment",
    "Arenas",
    "Attempt",
    "Call",
    "CausedAction",
    "Causes",
    "Change",
    "Conversation",
    "Conversations",
    "Diary",
    "Doing",
    "Frames",
    "Happening",
    "Held",
    "LastConversation",
    "Line",
    "Mark",
    "Marks",
    "Memories",
    "Memory",
    "Message",
    "Mind",
    "Persona",
    "Prompts",
    "Resident",
    "ResidentBlock",
    "Result",
    "Retrieval",
    "Run",
    "ScheduleDay",
    "ScheduleEntry",
    "ScheduleTask",
    "Spread",
    "Stay",
    "Story",
    "Thing",
    "ThingChange",
    "Thread",
    "Track",
    "Trail",
]
