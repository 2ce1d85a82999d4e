"""Judges of answers: language models, which have to be admitted by controls, and people."""
