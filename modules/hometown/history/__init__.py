"""Reads runs: frames, diaries, conversations, how news spreads. No model takes part, and nothing is
written.
"""
