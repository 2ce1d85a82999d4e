"""The layout of each town, and the looks of its residents: run `python -m tools.draw_worlds` after
a change.
"""
