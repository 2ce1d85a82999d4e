"""Read-only views of a run: frames, diaries, conversations, the spread of news. They call no model
and write nothing.
"""
