"""The languages of a town: what its residents speak, and what its user is spoken to in."""

from __future__ import annotations

from typing import Literal

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")
