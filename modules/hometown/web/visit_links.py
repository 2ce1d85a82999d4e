"""Links by which others visit a run from their own devices, also as pictures that a phone reads."""

from __future__ import annotations

import socket
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

import segno

from hometown.language import Lang
from hometown.web.access import Access

EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""The hosts of a server that listens on all addresses of its machine."""


@dataclass(frozen=True)
class VisitLink:
    """A link by which others visit one run.

    Attributes:
        token: Its secret.
        address: The whole address.
        code: The address as a QR code: a picture in SVG, in a data: URI.
        is_reachable: Whether other devices reach the address, as far as the server knows.
    """

    token: str
    address: str
    code: str
    is_reachable: bool


def make_visit_link(
    access: Access, run: str, lang: Lang, asked: str, listens: Collection[str]
) -> VisitLink:
    """Return the link to a run for a request to the address `asked`, such as
    "http://127.0.0.1:5000/"; `listens` are the hosts at which the server listens.
    """
    token = access.sign_visit(run)
    root, is_reachable = _root_for_others(access, asked, listens)
    address = f"{root}/?{urlencode({'name': run, 'visit': token, 'lang': lang})}"
    code = segno.make(address, error="l", micro=False).svg_data_uri(scale=4, border=4)
    return VisitLink(token, address, code, is_reachable)


def _root_for_others(access: Access, asked: str, listens: Collection[str]) -> tuple[str, bool]:
    """Return the server's address for other devices, and True if they reach it: that of its proxy,
    that at which it was asked, or, if it was asked at one for this machine alone, its own in the
    network.
    """
    if access.proxy:
        return access.proxy.rstrip("/"), True
    parts = urlsplit(asked)
    if not is_loopback(parts.hostname or ""):
        return asked.rstrip("/"), True
    own = find_own_address() if EVERYWHERE & set(listens) else ""
    if not own:
        return asked.rstrip("/"), False
    return f"{parts.scheme}://{own}:{parts.port or 80}", True


def is_loopback(host: str) -> bool:
    """Return True if a host name means this machine alone.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "192.168.0.7", "tower")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def find_own_address() -> str:
    """Return this machine's address in its network, "" without a network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address that is kept for examples
        return str(probe.getsockname()[0])
    return ""
