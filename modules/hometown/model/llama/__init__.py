"""`gguf:FILE`: llama.cpp in a process of our own, with which the backend for OpenAI-compatible
servers talks.
"""
