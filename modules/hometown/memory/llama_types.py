"""The types of LlamaIndex that nodes and vector stores are made of, imported without the rest of
LlamaIndex, which takes seconds.
"""

from __future__ import annotations

from hometown.package_parts import import_parts

import_parts("llama_index.core", "schema", "vector_stores.types")

from llama_index.core.schema import (  # noqa: E402 (after its parts)
    BaseNode,
    NodeWithScore,
    TextNode,
    TransformComponent,
)
from llama_index.core.vector_stores.types import (  # noqa: E402
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)

__all__ = [
    "BaseNode",
    "BasePydanticVectorStore",
    "FilterCondition",
    "FilterOperator",
    "MetadataFilter",
    "MetadataFilters",
    "NodeWithScore",
    "TextNode",
    "TransformComponent",
    "VectorStoreQuery",
    "VectorStoreQueryMode",
    "VectorStoreQueryResult",
]
