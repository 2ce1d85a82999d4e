"""What goes from one process of a run to another, as bytes.

This is the one place in which pickles are read. They come from processes that the run itself has started, over Ray, which hands objects on in the same way;
never from a file, a model or a browser.
"""

from __future__ import annotations

import pickle
from typing import Any


def pickled(value: object) -> bytes:
    return pickle.dumps(value, protocol=5)


def unpickled(data: bytes) -> Any:
    return pickle.loads(data)
