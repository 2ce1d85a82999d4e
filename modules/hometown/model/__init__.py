"""The boundary to language models and embeddings, and what stands on either side of it.

Knows nothing of agents: it is handed rendered requests and gives back text or vectors.
"""
