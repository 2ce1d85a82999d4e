"""A large town of districts, each a copy of a small one with residents of its own, made once as an
ordinary world folder.
"""
