"""Files that residents learn: how they are read, cut into passages, and entered as background
knowledge.
"""
