"""The constants of memory and reflection in the published systems, by the name of the preset."""

from __future__ import annotations

from typing import Any

PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "ville": {
        "associate": {
            "recency_decay": 0.995,
            "recency_basis": "rank",
            "recency_weight": 0.5,
            "importance_weight": 2.0,
            "relevance_weight": 3.0,
            "normalise": "minmax",
        },
        "think": {"poignancy_max": 150},
    },
    "paper": {
        "associate": {
            "recency_decay": 0.995,
            "recency_basis": "access",
            "recency_weight": 1.0,
            "importance_weight": 1.0,
            "relevance_weight": 1.0,
            "normalise": "minmax",
        },
        "think": {"poignancy_max": 150},
    },
    "tutorial": {
        "associate": {
            "recency_decay": 0.99,
            "recency_basis": "creation",
            "recency_weight": 1.0,
            "importance_weight": 1.0,
            "relevance_weight": 1.0,
            "normalise": "none",
        },
        "think": {"poignancy_max": 50},
    },
}
"""Constants of each preset; all presets set the same keys, so that naming one leaves nothing of
another.
"""
