"""The residents: walking sprites and portraits, from one description of how each looks."""

from modules.art.people.look import Look, look_for
from modules.art.people.portrait import portrait
from modules.art.people.sprite import FACINGS, sprites

__all__ = ["FACINGS", "Look", "look_for", "portrait", "sprites"]
