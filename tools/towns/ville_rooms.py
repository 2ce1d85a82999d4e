"""Kinds of rooms, and things, that several homes of the Ville share."""

from __future__ import annotations

from tools.towns.blueprint import Space, Thing


def living(
    floor: str = "w", address: str = "living", en: str = "living room", zh: str = "客厅"
) -> Space:
    return Space(address, floor, en, zh, "home, living, kitchen", public=False)


def bathroom() -> Space:
    return Space("bathroom", "b", "bathroom", "浴室", "home, bathroom", public=False)


def bedroom(
    address: str = "bedroom", en: str = "bedroom", zh: str = "卧室", floor: str = "c"
) -> Space:
    return Space(address, floor, en, zh, "home, bedroom", public=False)


def garden() -> Space:
    return Space("garden", ".", "garden", "花园", "home, garden, outdoor", public=False)


def room_of(who: str, en: str, zh: str, floor: str = "c") -> Space:
    return bedroom(f"{who}_room", f"{en}'s room", f"{zh}的房间", floor)


def bed_of(who: str, en: str, zh: str) -> Thing:
    return Thing(f"bed_{who}", "bed", f"{en}'s bed", f"{zh}的床")


GARDEN_BENCH = Thing("bench", "bench", "garden bench", "花园长椅")
