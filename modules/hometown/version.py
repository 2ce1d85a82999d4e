"""The version of Hometown, said once."""

__version__ = "0.2.0"
