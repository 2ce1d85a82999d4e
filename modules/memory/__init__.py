"""What a resident keeps: events, the memory stream, the schedule, places and the action at hand.

Knows nothing of models, prompts or storage.
"""
