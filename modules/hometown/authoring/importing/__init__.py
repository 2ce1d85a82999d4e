"""Import of maps from other systems: readers yield a `SourceMap` and `SourcePerson`s, the remaining
steps are shared.
"""
