"""What is read as a reply, and what is refused."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from hometown.model.reply_parsing import UnusableReply, parse
from hometown.prompt.dialogue import UtteranceReply
from hometown.prompt.prompt import Reply
from hometown.prompt.reactions import PoignancyReply
from tests.support.callers import GOOD
from tests.support.fake_models import BAD, HARMLESS


@pytest.mark.parametrize("dress", HARMLESS)
def test_a_dressed_up_reply_is_found(dress: Any) -> None:
    assert parse(UtteranceReply, dress(GOOD)).say == "Is the old lamp (那盏灯) still burning?"


@pytest.mark.parametrize("spoil", BAD)
def test_a_spoilt_reply_is_refused(spoil: Any) -> None:
    with pytest.raises(UnusableReply):
        parse(UtteranceReply, spoil(GOOD))


def test_thoughts_that_hold_json_are_not_the_reply() -> None:
    assert parse(UtteranceReply, f'<think>{{"say": "no"}}</think>{GOOD}').end
    assert parse(UtteranceReply, f'{{"say": "no"}} or so</think>{GOOD}').end


def test_the_last_of_several_objects_is_the_reply() -> None:
    assert parse(UtteranceReply, f"{GOOD}\n{GOOD}").end
    assert parse(UtteranceReply, f'{GOOD}\n{{"say": "something else"}}').say == "something else"


def test_raw_line_breaks_within_a_string_are_read_as_spaces() -> None:
    assert parse(UtteranceReply, '{"say": "one\ntwo", "end": false}').say == "one two"


def test_half_a_character_does_not_get_through() -> None:
    assert parse(UtteranceReply, '{"say": "one \\ud83d two"}').model_dump_json()


class Falsy(Reply):
    number: int
    flag: bool
    text: str


def test_zero_false_and_empty_are_replies() -> None:
    assert parse(Falsy, '{"number": 0, "flag": false, "text": ""}') == Falsy(
        number=0, flag=False, text=""
    )


def test_an_error_is_short_and_names_the_field() -> None:
    with pytest.raises(UnusableReply, match="ratings") as caught:
        parse(PoignancyReply, orjson.dumps({"ratings": ["x"] * 200}).decode())
    assert len(str(caught.value)) <= 300
