"""Deposits: a study or a run in one file for an archive, and its citation."""
