"""`gguf:FILE`: llama.cpp in a process of our own, reached through the backend for OpenAI-compatible
servers.
"""
