"""A limit on wrong passwords, for each address and for all together. No request waits in a thread,
and clients who are signed in are not counted.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

ADDRESSES = 4096
"""Maximum number of addresses that are remembered, the latest ones."""


@dataclass(frozen=True)
class AttemptRate:
    """A number of attempts at once, and then one each `every` seconds."""

    burst: int
    every: float


ONE = AttemptRate(10, 6.0)
"""The rate for one address."""

ALL = AttemptRate(60, 1.0)
"""The rate for all addresses: a password of eight random letters and digits lasts for some thousand
years.
"""


class Attempts:
    """The sign-in attempts of the last minutes. `clock` returns seconds. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._all = 0.0
        self._free: OrderedDict[str, float] = OrderedDict()

    def take(self, address: str) -> float:
        """Count an attempt from an address, and return 0; where there were too many, count none and
        return the seconds until the next one.
        """
        key = network_of(address)
        with self._lock:
            now = self._clock()
            times = max(self._free.get(key, now), now), max(self._all, now)
            waits = [
                free - (rate.burst - 1) * rate.every - now
                for free, rate in zip(times, (ONE, ALL), strict=True)
            ]
            if max(waits) > 0:
                return max(waits)
            self._keep(key, times[0] + ONE.every)
            self._all = times[1] + ALL.every
            return 0.0

    def give_back(self, address: str) -> None:
        """Take back an attempt with the right secret."""
        key = network_of(address)
        with self._lock:
            self._all -= ALL.every
            if key in self._free:
                self._free[key] -= ONE.every

    def _keep(self, key: str, free: float) -> None:
        """Record the time when all attempts of an address are forgotten; the address of the oldest
        attempt is dropped if there are too many.
        """
        self._free[key] = free
        self._free.move_to_end(key)
        while len(self._free) > ADDRESSES:
            self._free.popitem(last=False)


def network_of(address: str) -> str:
    """Return the network that one machine owns: an IPv4 address, or an IPv6 network of 64 bits.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::', '192.0.2.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
