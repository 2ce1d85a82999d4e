"""Addresses of model servers."""

from __future__ import annotations

from urllib.parse import urlsplit


def through_proxy(address: str) -> bool:
    """Whether a proxy of the environment may be asked: not about this machine's own servers.

    >>> through_proxy("http://127.0.0.1:11434"), through_proxy("localhost:11434"), through_proxy("http://gpu.example:8000")
    (False, False, True)
    """
    name = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    return not (name in ("localhost", "::1") or name.startswith("127."))
