"""Exports of a run: movement.json, Markdown, one HTML file, tables. No model is used."""
