"""The interface through which a society plugs into a town: the work of a step, and the part that
needs, duties, trade and weather have in a resident's thinking.

Without a society, a town has the defaults.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment
from hometown.agent.mind.intent import Intent
from hometown.frozen import frozen
from hometown.memory.schedule import Entry, Task, Tasks
from hometown.optional_parts import load_plugin
from hometown.prompt.outcome import ConversationOutcomeReply
from hometown.prompt.trade import Dealings
from hometown.world.book.amend import Entries
from hometown.world.conversation import Conversation
from hometown.world.deal_records import Deal
from hometown.world.effects import Effect, Logged
from hometown.world.incidents import LawChanged
from hometown.world.state import State
from hometown.world.world import World

Reports = Mapping[str, tuple[ConversationOutcomeReply, Sequence[tuple[str, str]], Dealings]]
"""The reports of a conversation's participants: a reply, the (id, name) of the people in its order,
and the goods that the participant could hand over.
"""


def change_law(world: World, state: State, after: World, entries: Entries) -> Iterator[Effect]:
    """Yield the change of a law in a town without a society."""
    yield LawChanged(tuple(sorted(entries.items())))


async def think_of_nothing(mind: Mind) -> None:
    """Leave a mind as it is."""


async def refuse_steps(
    mind: Mind, entry: Entry, usual: Sequence[str], shortest: int
) -> tuple[Tasks, str]:
    """Raise NotImplementedError: only a society plans errands."""
    raise NotImplementedError("a town without a society has no errands")


@frozen
class SocietyPlugin:
    """The handlers of a society, called in the order of this list.

    Attributes:
        set_up: Yields the effects that set up a new town, as (resident or "", effect).
        replace_rules: Yields the effects of a law's entries; `after` is the world under the law.
        find_affected: Returns the residents whose work or house a law changes.
        equip: Yields the goods, skills and knowledge of a resident who moves in.
        is_kept_awake: Returns True if an urgent need keeps a resident awake.
        is_exhausted: Returns True if a resident in bed is not rested yet.
        look_outside: Remembers today's weather.
        remember_outcomes: Remembers the outcomes of recent errands.
        meet_urgent: Returns the intent that precedes all others: to lie still, meet an urgent need
            or help.
        is_working_together: Returns True if a resident does work that the schedule does not interrupt.
        ends_work_by: Returns True if a resident is at work that ends by a minute of the day.
        continue_work: Returns the intent to continue the current work or the next errand.
        meet_low_need: Returns the intent that meets a need between two tasks.
        rest_while_ill: Returns rest in place of a task, and its address, for an ill resident.
        choose_errand: Returns the first errand of a task or a duty.
        shelter: Returns the activity that replaces outdoor leisure in bad weather; "" for none.
        plan_steps: Returns the tasks of a schedule entry and their cause. Its arguments are the entry,
            the steps of its habit, and the minimum minutes of a task.
        recall_dealings: Returns the goods and prices that a resident has in mind in a conversation.
        match_deals: Yields the deals that the participants of a conversation report.
        leave_work: Yields the effects of leaving current work for an intent.
        work: Yields the effects of a step's work, in the residents' order, by the run's seed; the
            last argument are the step's effects so far. Apply each before taking the next.
    """

    set_up: Callable[[World, State, datetime], Iterable[tuple[str, Effect]]] = lambda *_: ()
    replace_rules: Callable[[World, State, World, Entries], Iterable[Effect]] = change_law
    find_affected: Callable[[World, Entries], frozenset[str]] = lambda *_: frozenset()
    equip: Callable[[World, State, str, Entries], Iterable[Effect]] = lambda *_: ()

    is_kept_awake: Callable[[Mind], bool] = lambda mind: False
    is_exhausted: Callable[[Mind], bool] = lambda mind: False
    look_outside: Callable[[Mind], Awaitable[None]] = think_of_nothing
    remember_outcomes: Callable[[Mind], Awaitable[None]] = think_of_nothing
    meet_urgent: Callable[[Mind], Intent | None] = lambda mind: None
    is_working_together: Callable[[Mind], bool] = lambda mind: False
    ends_work_by: Callable[[Mind, int], bool] = lambda mind, minute: False
    continue_work: Callable[[Mind], Intent | None] = lambda mind: None
    meet_low_need: Callable[[Mind], Intent | None] = lambda mind: None
    rest_while_ill: Callable[[Mind, Task], tuple[Task, str] | None] = lambda mind, task: None
    choose_errand: Callable[[Mind, Task], Intent | None] = lambda mind, task: None
    shelter: Callable[[Mind, str, str], str] = lambda mind, activity, address: ""
    plan_steps: Callable[[Mind, Entry, Sequence[str], int], Awaitable[tuple[Tasks, str]]] = (
        refuse_steps
    )
    recall_dealings: Callable[[Mind, Sequence[str]], Dealings | None] = lambda mind, others: None
    match_deals: Callable[[Conversation, Reports], Iterable[Deal]] = lambda talk, reports: ()

    leave_work: Callable[[World, State, str, Intent], Iterable[Effect]] = lambda *_: ()
    work: Callable[
        [World, State, int, Sequence[str], Moment, Sequence[Logged]], Iterable[Logged]
    ] = lambda *_: ()


WITHOUT_SOCIETY = SocietyPlugin()


def society_in(world: World) -> SocietyPlugin:
    """Return the handlers of a world's society, or the defaults without one.

    Raises:
        MissingPart: The world has a society, and this installation lacks that part.
    """
    if world.book is None:
        return WITHOUT_SOCIETY
    plugin: SocietyPlugin = load_plugin("society")
    return plugin
