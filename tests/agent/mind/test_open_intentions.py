"""Open intentions stay in sight until they are settled."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from hometown.agent.conversation.aftermath import store_outcome
from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.open_intentions import find_open_intentions, is_meant_already
from hometown.game import Game
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.prompt.dialogue import ConversationSummaryReply, ConversationSummaryVars
from hometown.storage.run import RunFile
from hometown.world.conversation import Conversation, Line
from hometown.world.interventions import VOICE_PREDICATE
from tests.support.prompt_samples import SAMPLES
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"


def remember(mind: Mind, text: str, rating: int, predicate: str = INTENTION_PREDICATE) -> Concept:
    memory = NewMemory("thought", text, LIN, predicate)
    (made,) = asyncio.run(mind.remember([memory], [rating], "rule:test"))
    return made


def test_a_wish_that_did_not_come_to_mind_can_be_settled_by_a_conversation(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        mind = minds_of(game, [LIN])[LIN]
        whisper = remember(mind, "Lin Yue wants to hear the bell", 8, VOICE_PREDICATE)
        towards = remember(mind, "Lin Yue means to ask Siyuan about rent", 5)
        remember(mind, "The bell is old", 9, "think")
        assert find_open_intentions(mind, [CHEN]) == (towards, whisper)
        assert find_open_intentions(mind, [CHEN], [towards.id]) == (whisper,)

        sample = SAMPLES["talk_summary"]
        assert isinstance(sample, ConversationSummaryVars)
        other = replace(sample.company[0].other, id=CHEN)
        asked = replace(
            sample,
            situation=mind.situation,
            people=((LIN, "Lin Yue"), (CHEN, "Chen Siyuan")),
            company=(replace(sample.company[0], other=other),),
            lines=(),
            open_intentions=(whisper,),
        )
        reply = ConversationSummaryReply(
            summary="They rang the bell.",
            relations=["Friends."],
            closer=[1],
            settled=[len(asked.candidates_to_settle)],
            concerns="Lin Yue has heard the bell.",
        )
        line = Line(CHEN, "There it rings!", "")
        talk = Conversation(
            "1-lin_yue", 1, LIN, CHEN, "park/grounds", mind.now, 5, (line,), "", "word"
        )
        side = SideSummary(reply, "rule:test", asked)
        asyncio.run(store_outcome(mind, talk, reply.summary, side, []))
        assert whisper.id in mind.state.settled_memories(LIN)
        assert find_open_intentions(mind) == (towards,)
        assert mind.situation.currently == "Lin Yue has heard the bell."

    begin_town(tmp_path)
    with RunFile.open(tmp_path, "town", write=True) as run:
        check(game_on(run, minitown("en")))


def test_an_intention_that_is_part_of_another_is_meant_already(tmp_path: Path) -> None:
    begin_town(tmp_path, lang="zh")
    with RunFile.open(tmp_path, "town", write=True) as run:
        mind = minds_of(game_on(run, minitown("zh")), [LIN])[LIN]
        remember(mind, "本子找着了，到酒吧请陈思远一轮，记在二月的账上", 5)
        assert is_meant_already(mind, "找着本子就到酒吧请陈思远一轮")
        assert not is_meant_already(mind, "明天到酒吧请陈思远一轮")
        assert not is_meant_already(mind, "到书店替陈思远找本子")
