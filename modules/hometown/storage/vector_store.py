"""The memory store under its earlier name, for programs that import it; the store is in
`modules/hometown/memory/store.py`.
"""

from __future__ import annotations

from hometown.memory.nodes import Unsplit, concept_of_node, node_id, node_of, split_id
from hometown.memory.store import MemoryStore

RunVectorStore = MemoryStore

__all__ = ["RunVectorStore", "Unsplit", "concept_of_node", "node_id", "node_of", "split_id"]
