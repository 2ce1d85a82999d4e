"""Worlds whose residents are drawn from the rows of a table."""
