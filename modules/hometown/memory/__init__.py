"""The data of a resident's mind: events, the memory stream, the schedule and the current action.

The package knows nothing of models, prompts or storage.
"""
