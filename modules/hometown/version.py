"""The version of Hometown, defined once."""

__version__ = "0.2.0"
