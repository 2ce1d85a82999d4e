"""Benchmarks: commands that print figures. `make bench` runs them all."""
