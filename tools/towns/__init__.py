"""How each town is laid out, and how its people look: run `python -m tools.draw_worlds` after a change."""
