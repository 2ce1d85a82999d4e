"""The town: its map, its state, and the effects that are the only way to change it.

Knows nothing of models, prompts or storage.
"""
