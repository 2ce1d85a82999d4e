"""What residents mean to do keeps its hour, place, people and parts, or its loss is remembered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.agent.acting.act import decide
from hometown.agent.conversation.called_over import list_errands
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.meant import is_refraining
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.agent.planning.agreements import enter_promise
from hometown.agent.planning.changed_occasions import learn_of_changes
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.displacing import DISPLACED_PREDICATE, reschedule
from hometown.agent.planning.entry_origins import REASON_ORIGIN
from hometown.agent.planning.entry_tasks import begin_due_task
from hometown.agent.planning.known_rooms import find_person
from hometown.agent.planning.participation import withdraw_from_occasion
from hometown.agent.planning.plan_acts import split_acts
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE
from hometown.agent.planning.plan_settling import drop_entries
from hometown.agent.planning.planned_intentions import is_planned_for_later
from hometown.agent.planning.undone import UNDONE_PREDICATE, conclude_entry
from hometown.agent.planning.weekly_agreements import renew_weekly
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.memory.concept import INTENTION_PREDICATE, NEVER, Concept
from hometown.memory.schedule import Entry, PlacedEntry, PlacedTask, Schedule, Task, Tasks
from hometown.model.llm import Completion, Request
from hometown.prompt.tasks import DecomposeVars, PlaceVars
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.conversation import Line
from hometown.world.incidents import Happenings
from hometown.world.occasion import OCCASION_ORIGIN, Guest, Occasion
from hometown.world.rows import Body, Promise, Promises, Relation
from hometown.world.social import OccasionSet
from tests.support.agreements import remembered
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"
NOON = datetime(2025, 2, 13, 12, 0)
PARK, CAFE, LIBRARY = "park/grounds", "cafe/main", "library/hall"
ASKING = "asking Chen Siyuan about the poster"


class Staying(ScriptedModel):
    """A model that stays where its resident is, and notes the questions for places and tasks."""

    def __init__(self) -> None:
        self.asked: list[PlaceVars] = []
        self.split: list[DecomposeVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        asked = request.variables
        if isinstance(asked, DecomposeVars):
            self.split.append(asked)
        if not isinstance(asked, PlaceVars):
            return await super().complete(request, seed=seed, priority=priority)
        self.asked.append(asked)
        here = next(at for at, spot in enumerate(asked.spots, 1) if spot.address == asked.here)
        reply = {"place": here, "emoji": "♟", "thing_state": ""}
        return Completion(orjson.dumps(reply).decode(), 1, 1)


class Noon:
    """A town at ten past noon."""

    def __init__(self, folder: Path, lang: Lang = "en") -> None:
        begin_town(folder, lang, start=NOON)
        self.model = Staying()
        self.run = RunFile.open(folder, "town", write=True)
        self.game: Game = game_on(self.run, minitown(lang), self.model)

    def mind(self, who: str = LIN, *entries: Entry, tasks: Tasks | None = None) -> Mind:
        """Return the mind of a resident with this plan."""
        if entries:
            self.game.state.put(keys.SCHEDULE.of(who), Schedule(NOON.date(), entries))
            self.game.state.put(keys.TASKS.of(who), tasks or Tasks())
        return minds_of(self.game, [who])[who]


@pytest.fixture
def town(tmp_path: Path) -> Any:
    noon = Noon(tmp_path)
    with noon.run:
        yield noon


def test_what_begins_later_is_remembered_and_with_others_a_reason(town: Noon) -> None:
    mind = town.mind(
        LIN,
        Entry(0, 1080, "drawing"),
        Entry(1080, 1140, "having supper with Chen Siyuan"),
        Entry(1140, 1440, "reading"),
    )
    letter = Entry(1070, 1110, "posting a letter")
    planned = mind.state.schedule(LIN).splice(letter)
    made = asyncio.run(reschedule(mind, planned, "reason:1", letter.activity, "rule:test"))
    (text,) = remembered(mind, DISPLACED_PREDICATE)
    assert "from 18:00 to 18:30: having supper with Chen Siyuan" in text
    assert [memory.text for memory in made] == [text]


def test_an_act_that_is_over_leaves_the_other_act_of_its_line(town: Noon) -> None:
    lines = (
        Entry(0, 1020, "drawing"),
        Entry(1020, 1080, f"watering the roses and {ASKING}"),
        Entry(1080, 1440, "reading"),
    )
    mind = town.mind(LIN, *lines)
    assert list_errands(mind, [CHEN]) == ((1020, ASKING),)
    drop_entries(mind, [(1020, ASKING)], "rule:test")
    entries = mind.state.schedule(LIN).entries
    assert entries == (lines[0], replace(lines[1], activity="watering the roses"), lines[2])
    agreed = Promise(ASKING, (LIN, CHEN), CAFE, NOON.replace(hour=20), 30, "talk")
    mind = town.mind(LIN, *lines)
    asyncio.run(enter_promise(mind, agreed, "rule:test"))
    assert mind.state.schedule(LIN).at(1030).activity == "watering the roses"
    assert mind.state.schedule(LIN).at(1200).activity == ASKING


def test_a_conversation_can_call_over_what_it_replaces(town: Noon) -> None:
    """Its words may be about the next few of the acts of the plan."""
    meals = tuple(Entry(780 + 60 * n, 840 + 60 * n, f"cooking dish {n}") for n in range(8))
    rest = (Entry(1260, 1320, "drawing the mill"), Entry(1320, 1440, ASKING))
    mind = town.mind(LIN, Entry(0, 780, "cooking porridge"), *meals, *rest)
    line = Line(CHEN, "Don't cook tonight, come to my place and eat with me!", "")
    errands = list_errands(mind, [CHEN], [line])
    assert errands == ((1320, ASKING), *((each.start, each.activity) for each in meals[:5]))


def test_an_act_that_is_over_leaves_the_line_under_way(town: Noon) -> None:
    tasks = Tasks(0, (Task(0, 1440, ASKING),))
    mind = town.mind(LIN, Entry(0, 1440, f"watering the roses and {ASKING}"), tasks=tasks)
    drop_entries(mind, [(0, ASKING)], "rule:test")
    assert mind.state.schedule(LIN).at(720).activity == "watering the roses"
    assert not mind.state.tasks(LIN).items, "they are made anew"


def test_an_intention_is_planned_if_a_line_has_its_act(town: Noon) -> None:
    line = "returning Chen Siyuan's book and asking him to speak at the circle"
    mind = town.mind(LIN, Entry(0, 1200, "drawing"), Entry(1200, 1440, line))
    text = "Lin Yue will ask Chen Siyuan at the library tonight to speak at the circle."
    new = NewMemory("thought", text, LIN, INTENTION_PREDICATE, about=(CHEN,))
    (intention,) = asyncio.run(mind.remember([new], [6], "rule:test"))
    assert is_planned_for_later(mind, intention)


def test_what_is_left_of_a_line_goes_with_it_when_it_is_over(town: Noon) -> None:
    """An alarm has taken the first part of the hour since the line was shown."""
    mind = town.mind(LIN, Entry(0, 700, "drawing"), Entry(700, 800, ASKING), Entry(800, 1440, "x"))
    for alarm in (Entry(710, 730, "fetching water"), Entry(730, 760, "sweeping")):
        left = mind.state.schedule(LIN).splice(alarm)
        mind.state.put(keys.SCHEDULE.of(LIN), left)
    drop_entries(mind, [(730, ASKING)], "rule:test")
    assert mind.state.schedule(LIN).at(770).activity != ASKING


def test_an_hour_for_oneself_that_becomes_one_with_others_is_not_lost(town: Noon) -> None:
    alone = Entry(1200, 1220, "looking for Jupiter in the south-west")
    mind = town.mind(LIN, Entry(0, 1200, "drawing"), alone, Entry(1220, 1440, "reading"))
    parts = ("showing it without formulas", "asking questions")
    start = NOON.replace(hour=20)
    agreed = Promise("looking at Jupiter", (LIN, CHEN), CAFE, start, 20, "talk", parts=parts)
    asyncio.run(enter_promise(mind, agreed, "rule:test"))
    assert remembered(mind, DISPLACED_PREDICATE) == []


def test_a_search_that_is_shared_now_is_not_lost(town: Noon) -> None:
    searching = "looking for the notebook along the road and asking around"
    lines = (Entry(0, 780, "drawing"), Entry(780, 840, searching), Entry(840, 1440, "reading"))
    mind = town.mind(LIN, *lines)
    joint = Entry(780, 840, "looking for the notebook along the road to the pub")
    planned = mind.state.schedule(LIN).splice(joint)
    made = reschedule(mind, planned, "x", joint.activity, "rule:test", company=[LIN, CHEN])
    assert asyncio.run(made) == []
    mind = town.mind(LIN, *lines[:1], replace(lines[1], activity="drawing roses"), lines[2])
    made = reschedule(mind, planned, "x", joint.activity, "rule:test", company=[LIN, CHEN])
    assert len(asyncio.run(made)) == 1


@pytest.mark.parametrize(("place", "is_cooked"), [(CAFE, False), ("lin_home/room", True)])
def test_who_eats_out_does_not_cook_at_that_hour(town: Noon, place: str, is_cooked: bool) -> None:
    cooking = Entry(1065, 1140, "cooking supper and writing the chapter")
    mind = town.mind(LIN, Entry(0, 1065, "drawing"), cooking, Entry(1140, 1440, "reading"))
    agreed = Promise("eating fried fish", (LIN, CHEN), place, NOON.replace(hour=18), 40, "talk")
    asyncio.run(enter_promise(mind, agreed, "rule:test"))
    left = " ".join(entry.activity for entry in mind.state.schedule(LIN).entries)
    assert ("cooking" in left) == is_cooked
    assert "writing the chapter" in left
    assert remembered(mind, DISPLACED_PREDICATE) == []


def test_a_meal_agreed_on_is_cooked_before_it_is_eaten(town: Noon) -> None:
    lunch = Entry(770, 840, "cooking the fish and eating with Chen Siyuan")
    mind = town.mind(LIN, Entry(0, 770, "drawing"), lunch, Entry(840, 1440, "reading"))
    start = NOON + timedelta(minutes=70)
    agreed = Promise("having lunch", (LIN, CHEN), "lin_home/living", start, 50, "talk")
    asyncio.run(enter_promise(mind, agreed, "rule:test"))
    at = mind.state.schedule(LIN).at
    assert (at(770).activity, at(790).activity) == ("cooking the fish", agreed.what)
    assert remembered(mind, DISPLACED_PREDICATE) == []


@pytest.mark.parametrize(
    ("activity", "acts"),
    [
        ("asking Chen Siyuan and Wang Fang about the evening", 1),
        ("having tea, visiting Chen Siyuan, then walking home", 3),
        ("having supper with Chen Siyuan and asking about the song", 1),
        (f"having supper with Wang Fang and {ASKING}", 2),
    ],
)
def test_acts_of_a_line_are_told_apart(town: Noon, activity: str, acts: int) -> None:
    assert len(split_acts(town.mind(), activity)) == acts


def test_what_ends_without_those_whom_it_concerned_is_remembered_once(town: Noon) -> None:
    entries = (Entry(0, 720, ASKING), Entry(720, 1440, "reading"))
    tasks = Tasks(0, (Task(0, 720, ASKING, "doing"),))
    mind = town.mind(LIN, *entries, tasks=tasks)
    for _ in range(2):
        asyncio.run(conclude_entry(mind))
    (text,) = remembered(mind, UNDONE_PREDICATE)
    assert ASKING in text
    assert len(mind.state.reasons(LIN)) == 1
    mind = town.mind(LIN, *entries, tasks=tasks)
    later = Promise("handing over the draft", (LIN, CHEN), CAFE, NOON.replace(hour=22), 20, "talk")
    mind.state.put(keys.PROMISES.of(LIN), Promises((later,)))
    asyncio.run(conclude_entry(mind))
    assert remembered(mind, UNDONE_PREDICATE) == [], "they meet later"
    town.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, NOON))
    mind = town.mind(LIN, *entries, tasks=tasks)
    asyncio.run(conclude_entry(mind))
    assert remembered(mind, UNDONE_PREDICATE) == []


@pytest.mark.parametrize("is_resumed", [True, False])
def test_who_goes_on_with_something_knows_what_is_done_already(
    town: Noon, is_resumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what was done in between, nor before."""
    monkeypatch.setattr(Mind, "is_near_habit", lambda *_: False)
    drawing = Entry(660 if is_resumed else 690, 840, "drawing the tea tin")
    mind = town.mind(LIN, Entry(0, drawing.start, "reading"), drawing, Entry(840, 1440, "reading"))
    now = mind.now
    for minutes, act in ((75, "reading"), (50, "lettering the name"), (25, "helping")):
        mind.now = now - timedelta(minutes=minutes)
        memory = NewMemory("event", f"Lin Yue is {act}", LIN, act)
        asyncio.run(mind.remember([memory], [1], "rule:test"))
    mind.now = now
    schedule = mind.state.schedule(LIN).splice(Entry(690, 720, "helping", origin="react:1"))
    mind.state.put(keys.SCHEDULE.of(LIN), schedule)
    asyncio.run(begin_due_task(mind))
    (asked,) = town.model.split
    assert asked.entry.activity == drawing.activity
    assert asked.done == (("lettering the name",) if is_resumed else ())


@pytest.mark.parametrize("is_alone", [True, False])
def test_who_has_walked_to_ask_around_can_still_ask_those_who_are_there(
    town: Noon, is_alone: bool
) -> None:
    ask = "asking who can mend a steam pipe"
    game = town.game
    for who in game.world.personas:
        place = CAFE if who == LIN or (who == CHEN and not is_alone) else LIBRARY
        game.state.put(keys.BODY.of(who), Body(game.world.open_tiles[place][0]))
    entries = (Entry(0, 710, "drawing"), Entry(710, 720, ask), Entry(720, 1440, "reading"))
    mind = town.mind(LIN, *entries, tasks=Tasks(710, (Task(710, 720, ask, "doing"),)))
    asyncio.run(conclude_entry(mind))
    assert len(remembered(mind, UNDONE_PREDICATE)) == is_alone


def test_the_loss_of_a_promise_is_told(town: Noon) -> None:
    """Once, and it is a reason to reconsider the day."""
    lost = Entry(710, 720, "carrying the chess table", origin="1-x")
    entries = (Entry(0, 710, "drawing"), lost, Entry(720, 1440, "reading"))
    mind = town.mind(LIN, *entries, tasks=Tasks(0, (Task(0, 710, "drawing", "done"),)))
    for _ in range(2):
        asyncio.run(conclude_entry(mind))
    (text,) = remembered(mind, UNDONE_PREDICATE)
    assert "planned for 11:50: carrying the chess table" in text
    assert len(mind.state.reasons(LIN)) == 1


def test_a_coffee_that_becomes_an_appointment_is_not_displaced(town: Noon) -> None:
    coffee = Entry(1040, 1070, "having the coffee that Chen Siyuan owes")
    mind = town.mind(LIN, Entry(0, 1040, "drawing"), coffee, Entry(1070, 1440, "reading"))
    start = NOON.replace(hour=17, minute=20)
    agreed = Promise("buying Lin Yue a coffee", (LIN, CHEN), CAFE, start, 40, "talk")
    asyncio.run(enter_promise(mind, agreed, "rule:test"))
    assert remembered(mind, DISPLACED_PREDICATE) == []


def test_a_word_that_is_said_early_leaves_the_present_hour(town: Noon) -> None:
    begun = Tasks(NOON.hour * 60, (Task(NOON.hour * 60, 1080, ASKING, "doing"),))
    mind = town.mind(LIN, Entry(0, 1080, ASKING), Entry(1080, 1440, "reading"), tasks=begun)
    assert list_errands(mind, [CHEN]) == ((0, ASKING),)
    drop_entries(mind, [(0, ASKING)], "rule:test")
    assert mind.state.tasks(LIN) == Tasks(), "nor do they go on asking"
    free, reading = mind.words.say("free_time"), "reading"
    entries = mind.state.schedule(LIN).entries
    assert [entry.activity for entry in entries] == [ASKING, free, reading]
    assert mind.state.schedule(LIN).at(mind.minute).activity == free


def test_what_is_done_is_no_open_intention_any_more(town: Noon) -> None:
    """A book is looked for as resolved; the note about another book stays."""
    looking = "looking for the lost book under the sofa"
    entries = (Entry(0, 720, looking), Entry(720, 1440, "reading"))
    mind = town.mind(LIN, *entries, tasks=Tasks(0, (Task(0, 720, looking, "doing"),)))
    meant = [
        NewMemory("thought", text, LIN, INTENTION_PREDICATE)
        for text in ("Lin Yue looks for the book under the café sofa", "Lin Yue pays her rent")
    ]
    done, other = asyncio.run(mind.remember(meant, [5, 5], "rule:test"))
    mind.state.put(
        keys.SCHEDULE.of(LIN),
        Schedule(
            NOON.date(), (replace(entries[0], origin=f"{REASON_ORIGIN}{done.id}"), entries[1])
        ),
    )
    asyncio.run(conclude_entry(mind))
    assert list_open_intentions(mind) == [other]


@pytest.mark.parametrize("is_planned", [True, False])
def test_a_guest_learns_once_that_an_occasion_is_called_off(town: Noon, is_planned: bool) -> None:
    start = NOON.replace(hour=18)
    party = Promise("the party", (CHEN, "wang_fang"), CAFE, start, 60, "1-x")
    guests = (Guest(CHEN, NOON, part="gives"), Guest("wang_fang", NOON, part="comes"))
    held = Occasion(party.what, CAFE, start, 60, (*guests, Guest(LIN, NOON, CHEN)))
    origin = f"{OCCASION_ORIGIN}party" if is_planned else ""
    going = Entry(1080, 1140, "going to the party", "appointment", CAFE, origin)
    mind = town.mind(LIN, Entry(0, 1080, "reading"), going, Entry(1140, 1440, "sleeping", "sleep"))
    mind.do(OccasionSet("party", held), "rule:test")
    asyncio.run(learn_of_changes(mind))
    assert remembered(mind, CALLED_OFF_PREDICATE) == []
    withdraw_from_occasion(mind, party, CHEN, "rule:test")
    for _ in range(2):
        asyncio.run(learn_of_changes(mind))
    (text,) = remembered(mind, CALLED_OFF_PREDICATE)
    assert "the party" in text
    is_free = mind.state.schedule(LIN).at(1100).activity == mind.words.say("free_time")
    assert is_free == is_planned


def test_a_weekly_agreement_is_made_anew_when_it_is_over(town: Noon) -> None:
    chess = Promise(
        "playing chess every Thursday",
        (LIN, CHEN),
        PARK,
        datetime(2025, 2, 6, 16, 0),
        60,
        "talk",
    )
    once = replace(chess, what="playing chess", start=datetime(2025, 2, 6, 9, 0))
    for who in (LIN, CHEN):
        mind = town.mind(who)
        asyncio.run(renew_weekly(mind, [once, chess], "rule:test"))
        promises = mind.state.promises(who).items
        assert promises == (replace(chess, start=datetime(2025, 2, 13, 16, 0)),)
        assert any(promises[0].what in text for text in remembered(mind, "agree"))
        ours = [each for _, each in mind.state.occasions if each.what == chess.what]
        assert [each.start for each in ours] == [promises[0].start]


def test_the_place_of_an_act_with_those_who_are_here_is_asked_for_after_a_talk(
    town: Noon,
) -> None:
    state, tile = town.game.state, town.game.world.open_tiles[PARK][0]
    for who in (LIN, CHEN):
        state.put(keys.BODY.of(who), Body(tile))
    doing = "playing chess with Chen Siyuan"
    entry = PlacedEntry(0, 1440, doing, room=LIBRARY)
    task = PlacedTask(0, 1440, doing, "doing", address=LIBRARY, emoji="♟")
    town.mind(CHEN, Entry(0, 1440, "reading"))
    mind = town.mind(LIN, entry, tasks=Tasks(0, (task,)))
    asyncio.run(decide(mind, ()))
    assert town.model.asked == [], "they have not talked"
    state.put(keys.RELATION.of(LIN, CHEN), Relation(1, town.game.state.clock.now))
    intent = asyncio.run(decide(town.mind(), ()))
    assert len(town.model.asked) == 1
    assert intent.action
    assert intent.action.address == PARK


def test_residents_are_sought_where_one_has_talked_with_them_and_not_where_they_left(
    town: Noon,
) -> None:
    def remember(number: int, kind: Any, subject: str, thing: str, room: str) -> None:
        when = NOON + timedelta(minutes=number - 100)
        memory = Concept(number, kind, "", subject, "", thing, room, 3, when, NEVER, about=(CHEN,))
        town.game.state.memory(LIN).add(memory, None)

    def rooms() -> tuple[str, ...]:
        found = find_person(town.mind(), CHEN)
        assert found
        return found.rooms

    town.game.state.put(keys.BODY.of(LIN), Body(town.game.world.open_tiles["square/plaza"][0]))
    remember(101, "event", CHEN, "park/grounds/bench", PARK)
    assert rooms()[0] == PARK
    remember(102, "chat", LIN, CHEN, LIBRARY)
    assert rooms()[0] == LIBRARY
    agreed = Promise("having coffee", (LIN, CHEN), CAFE, NOON, 60, "talk")
    town.game.state.put(keys.PROMISES.of(LIN), Promises((agreed,)))
    assert rooms()[0] == CAFE, "they are due to meet there"
    town.game.state.put(keys.PROMISES.of(LIN), Promises())
    remember(103, "event", CHEN, "cafe/main/counter", LIBRARY)
    assert LIBRARY not in rooms(), "they were about to leave"
    remember(104, "event", CHEN, "", PARK)
    assert rooms()[0] == PARK
    passed = town.game.state.memory(LIN).concept(104)
    way = catalogue("en", "outside")["way_seen"]
    town.game.state.memory(LIN).add(replace(passed, id=105, predicate=way), None)
    assert PARK not in rooms(), "they were only seen in passing"
    remember(106, "event", CHEN, "", LIBRARY)
    course, seen_at = usual_course("A fire breaks out", "en"), NOON + timedelta(minutes=6)
    seen = replace(passed, id=107, subject=LIBRARY, text="A fire breaks out")
    town.game.state.memory(LIN).add(seen, None)
    for since in (seen_at + timedelta(minutes=1), seen_at):
        burning = begin_happening(LIBRARY, "A fire breaks out", course, since)
        town.game.state.put(keys.HAPPENINGS.key, Happenings((burning,)))
        is_busy_there = since == seen_at
        assert (LIBRARY in rooms()) == is_busy_there, "they were seen in the closed room"
    town.game.state.put(keys.BODY.of(CHEN), town.game.state.body(LIN))
    found = find_person(town.mind(), CHEN)
    assert found
    assert found.sought.is_here
    assert found.rooms[0] == "square/plaza", "they are here, whatever was agreed or seen"


def test_a_guitar_and_others_are_no_pronouns(tmp_path: Path) -> None:
    town = Noon(tmp_path, "zh")
    with town.run:
        mind = town.mind()
        assert split_acts(mind, "打扫院子，练吉他") == ["打扫院子", "练吉他"]
        assert find_concerned(mind, "林悦答应陈思远，教王芳弹吉他") == ["wang_fang"]
        assert find_concerned(mind, "林悦答应陈思远，帮其他人和王芳搬东西") == ["wang_fang"]


@pytest.mark.parametrize(
    ("text", "lang", "refrains"),
    [
        ("Lin Yue wants to ask Chen Siyuan why he does not sing", "en", False),
        ("Lin Yue does not want to tell Wang Fang. It is a surprise.", "en", True),
        ("林悦要问陈思远能不能来", "zh", False),
        ("林悦特别想跟陈思远说", "zh", False),
        ("别让王芳知道那封信", "zh", True),
        ("林悦答应小美，不把她写歌的事告诉赵刚", "zh", True),
        ("林悦答应陈思远，裁员的事谁也不说", "zh", True),
        ("林悦答应陈思远，今晚从家里带条毯子去", "zh", False),
        ("Lin Yue keeps the layoffs to herself and tells nobody, not even Wang Fang.", "en", True),
        ("Lin Yue promised Xiao Mei not to tell Wang Fang of it.", "en", True),
        ("Lin Yue promised Xiao Mei to tell Wang Fang of it.", "en", False),
        ("别忘了把书还给陈思远", "zh", False),
        ("不要忘记告诉陈思远聚会的事", "zh", False),
        ("林悦不得不去找陈思远谈谈", "zh", False),
        ("林悦不能不告诉陈思远", "zh", False),
        ("别忘了别告诉陈思远", "zh", True),
        ("背着画板去找陈思远画画", "zh", False),
        ("绕过池塘去找陈思远", "zh", False),
        ("避开人群去找陈思远", "zh", False),
        ("背着陈思远准备聚会", "zh", True),
        ("避开陈思远", "zh", True),
        ("Don't hesitate to tell Chen Siyuan", "en", False),
        ("Lin Yue can't wait to tell Chen Siyuan", "en", False),
        ("Lin Yue will not wait for Chen Siyuan", "en", True),
        ("Not only tell Chen Siyuan, but invite everybody", "en", False),
        ("Keep your promise to bring Chen Siyuan the book from school", "en", False),
        ("Keep Chen Siyuan company from noon on", "en", False),
        ("Keep a seat for Chen Siyuan at the talk from six", "en", False),
        ("Show Chen Siyuan the hidden path by the mill", "en", False),
        ("Keep the letter from Chen Siyuan", "en", True),
        ("Keep Chen Siyuan from reading it", "en", True),
        ("Keep the party a secret", "en", True),
    ],
)
def test_to_refrain_is_told_from_to_act(text: str, lang: Lang, refrains: bool) -> None:
    assert is_refraining(text, lang) == refrains


def test_what_was_decided_before_a_conversation_is_done_after_it(town: Noon) -> None:
    """The act of before the decision would still go on."""
    new = Entry(730, 760, "moving the roses", address=CAFE, origin="react:1")
    tasks = Tasks(730, (Task(730, 760, new.activity),))
    mind = town.mind(LIN, Entry(0, 730, "drawing"), new, Entry(760, 1440, "reading"), tasks=tasks)
    before = Action("act", "throwing water", CAFE, 60, "", started=NOON)
    town.game.state.put(keys.ACTION.of(LIN), before)
    intent = asyncio.run(decide(mind, ()))
    assert intent.action is not None
    assert intent.action.activity == new.activity
