"""The boundary to language models and embeddings.

The package knows nothing of agents: it receives rendered requests and returns text or vectors.
"""
