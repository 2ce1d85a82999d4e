"""Files that residents learn: reading, cutting into passages, and storing as background
knowledge.
"""
