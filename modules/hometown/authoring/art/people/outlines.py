"""The outlines of heads, hair, hats and beards, listed in `data/art/heads.json`.

There is one for each view of a head: facing the viewer (`down`), to the left (`left`) or away
(`up`). Units are those of a head: its middle is (0, 0), its face reaches from −7 to 7 both ways, y
grows downward. Corners are rounded in painting, so they are slightly outside of the visible shape.
"""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ConfigDict

from hometown.authoring.art.drawings import ART

Outline = tuple[tuple[float, float], ...]
Puff = tuple[float, float, float]
"""A curl: its middle and its radius."""


class Hairstyle(BaseModel):
    """Hair by view: `over` the head and `behind` it; `curls` are painted one by one, over (`down`,
    …) or behind (`behind_down`, …). `extra` are separate parts, such as a bun, a tail or a plait;
    painted over the head, in `down` behind it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    over: dict[str, Outline] = {}
    behind: dict[str, Outline] = {}
    curls: dict[str, tuple[Puff, ...]] = {}
    extra: dict[str, Outline] = {}


class Heads(BaseModel):
    """The skull by view, hairstyles by name, hats and beards by name and view."""

    model_config = ConfigDict(extra="forbid")

    skull: dict[str, Outline]
    hair: dict[str, Hairstyle]
    hats: dict[str, dict[str, Outline]]
    beards: dict[str, dict[str, Outline]]


@cache
def load_heads() -> Heads:
    """Return the outlines."""
    return Heads.model_validate_json((ART / "heads.json").read_bytes())
