"""Experiments as data: one file says what is lived, asked and measured; `docs/science.md` describes
it.
"""
