"""Ollama as a backend, on a local server that speaks its API."""
