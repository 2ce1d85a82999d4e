"""Checks whether a run would work on this machine, and how long a game day would take. Models are
tested by asking them.
"""
