"""When something hangs: the only limit in real time that tests may set upwards."""

HANG = 600.0
"""Seconds. Nothing that works takes so long, however busy the machine is; no verdict depends on it but that something hangs."""
