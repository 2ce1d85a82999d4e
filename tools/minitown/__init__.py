"""How the town of `minitown` is laid out and drawn: run `python -m tools.draw_minitown` after a change."""
