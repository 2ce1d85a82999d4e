"""Typed prompts: a template per language, declared variables, a reply schema and a fallback."""
