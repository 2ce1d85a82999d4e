"""The playback page as served: its script and its styles, each bundled into one file, its
templates, and lessons for a class.
"""
