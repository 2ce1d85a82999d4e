"""The connection between a run and one of its shards: whole messages, and a door for the one who
knows the secret.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from hometown.shards.channel import Channel, Door, called_on

HOST, SECRET = "127.0.0.1", b"the secret of this shard"


async def met() -> tuple[Channel, Channel]:
    inside: asyncio.Future[Channel] = asyncio.get_running_loop().create_future()
    outside = await called_on(await Door(SECRET, inside.set_result).open(HOST), SECRET)
    return outside, await inside


def test_messages_arrive_whole_in_both_directions_until_one_end_is_gone() -> None:
    async def talk() -> None:
        one, other = await met()
        for message in (b"", b"a", bytes(3_000_000)):
            one.send(message)
            other.send(message)
            assert await one.receive() == await other.receive() == message
        other.close()
        with pytest.raises((EOFError, OSError)):
            await one.receive()

    asyncio.run(talk())


def test_a_door_opens_for_the_secret_alone_and_once() -> None:
    async def knock() -> None:
        entered: list[Channel] = []
        door = Door(SECRET, entered.append)
        address = await door.open(HOST)
        stranger = await called_on(address, SECRET[:-1] + b"?")
        with pytest.raises((EOFError, OSError)):
            await stranger.receive()
        assert not entered
        await called_on(address, SECRET)
        while not entered:
            await asyncio.sleep(0)
        with suppress(OSError):
            late = await called_on(address, SECRET)
            with pytest.raises((EOFError, OSError)):
                await late.receive()
        assert len(entered) == 1

    asyncio.run(knock())


def test_a_door_for_two_is_shut_behind_the_second() -> None:
    async def knock() -> None:
        entered: list[Channel] = []
        door = Door(SECRET, entered.append, 2)
        address = await door.open(HOST)
        for _ in range(2):
            (await called_on(address, SECRET)).send(b"good day")
        while len(entered) < 2:
            await asyncio.sleep(0)
        assert [await one.receive() for one in entered] == [b"good day", b"good day"]
        with suppress(OSError):
            late = await called_on(address, SECRET)
            with pytest.raises((EOFError, OSError)):
                await late.receive()

    asyncio.run(knock())


def test_who_shows_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometown.shards.channel.TIME_TO_ENTER", 0.01)

    async def say_nothing() -> None:
        address = await Door(
            SECRET, lambda channel: pytest.fail("nobody has shown the secret")
        ).open(HOST)
        silent = await called_on(address, b"")
        with pytest.raises((EOFError, OSError)):
            await silent.receive()

    asyncio.run(say_nothing())
