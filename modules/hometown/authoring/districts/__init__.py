"""A large town of districts, each a copy of a small one with people of its own: an ordinary world
folder, made once.
"""
