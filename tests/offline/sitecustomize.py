"""Refuses every connection that leaves this machine, and notes it in $OFFLINE_LOG.

Python imports a module of this name by itself, so with this folder on PYTHONPATH it holds in
every process that a test starts. Noted as well as refused: whoever swallows the error is found out.
"""

from __future__ import annotations

import os
import socket
from ipaddress import ip_address
from typing import Any

EXAMPLE = "192.0.2.1"
"""An address that is kept for examples (RFC 5737) and belongs to no machine."""


def _refuse(what: object) -> None:
    if not str(what).endswith(
        ".invalid"
    ):  # reserved for what exists nowhere: a test of bad input, not a download
        with open(os.environ.get("OFFLINE_LOG", os.devnull), "a", encoding="utf-8") as log:
            log.write(f"{what}\n")
    raise OSError(f"no network in this test: {what}")


def _local(host: str) -> bool:
    if host in ("localhost", "", "0.0.0.0", "::"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == socket.gethostname()


def _sends_nothing(kind: int, host: str) -> bool:
    """Return True if a connection is a question about this machine's own address: a datagram socket
    that is connected to an example's.
    """
    return kind == socket.SOCK_DGRAM and host == EXAMPLE


class OfflineSocket(socket.socket):
    def connect(self, address: Any, /) -> None:
        self._check(address)
        super().connect(address)

    def connect_ex(self, address: Any, /) -> int:
        self._check(address)
        return super().connect_ex(address)

    def _check(self, address: Any) -> None:
        if self.family not in (socket.AF_INET, socket.AF_INET6) or _sends_nothing(
            self.type, str(address[0])
        ):
            return
        if not _local(str(address[0])):
            _refuse(address)


def _resolve(host: Any, *more: Any, **named: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name is not None and not _local(name):
        _refuse(name)
    return _getaddrinfo(host, *more, **named)


_getaddrinfo = socket.getaddrinfo
socket.getaddrinfo = _resolve
socket.socket = OfflineSocket  # type: ignore[misc]
