"""Hometown: a town of residents who remember, plan, talk and reflect."""

__version__ = "0.1.0"
