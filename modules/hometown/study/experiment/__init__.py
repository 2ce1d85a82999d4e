"""Experiments as data: one file defines the simulation, the interviews and the measures;
`docs/science.md` describes it.
"""
