"""What is kept for a resident: events, the memory stream, the schedule and the current action.

Knows nothing of models, prompts or storage.
"""
