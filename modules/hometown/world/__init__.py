"""The town: its map, its state, and the effects that alone change it.

It knows nothing of models, prompts or storage.
"""
