"""Exports of a run: movement.json, the diary and the newspaper in Markdown, the page as one HTML
file, and tables. No model is used.
"""
