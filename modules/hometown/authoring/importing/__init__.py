"""Import of maps from other systems: readers yield a `Site` and `SourcePerson`s, the remaining
steps are shared.
"""
