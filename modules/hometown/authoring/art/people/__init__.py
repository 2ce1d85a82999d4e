"""The residents: walking sprites and portraits, from one description of how each looks."""

from hometown.authoring.art.people.look import Look, look_for
from hometown.authoring.art.people.portrait import portrait
from hometown.authoring.art.people.sprite import FACINGS, sprites

__all__ = ["FACINGS", "Look", "look_for", "portrait", "sprites"]
