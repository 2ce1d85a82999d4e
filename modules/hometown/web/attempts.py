"""A limit on attempts, such as wrong passwords, for each address or visitor and for all together. No
request waits in a thread.
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


RATE_OF_ADDRESS = AttemptRate(10, 6.0)
"""The rate for one address."""

RATE_OF_ALL = AttemptRate(60, 1.0)
"""The rate for all addresses: a password of eight random letters and digits lasts for some thousand
years.
"""


class Attempts:
    """The attempts of the last minutes, by default to sign in, limited for each address and for all
    together. `clock` returns seconds. Thread-safe.

    The limits are leaky buckets. For each, the time is kept at which its attempts are forgotten. An
    attempt moves that time `AttemptRate.every` seconds further ahead. It is refused if the time
    lies more than `AttemptRate.burst` - 1 such intervals ahead already.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        each: AttemptRate = RATE_OF_ADDRESS,
        together: AttemptRate = RATE_OF_ALL,
    ) -> None:
        self._clock, self._each, self._together = clock, each, together
        self._lock = threading.Lock()
        self._all_free_at = 0.0
        self._free_at: OrderedDict[str, float] = OrderedDict()

    def take(self, address: str) -> float:
        """Count an attempt from an address, and return 0; if there were too many from it or from
        all, count none and return the seconds until the next one.
        """
        key = network_of(address)
        with self._lock:
            now = self._clock()
            free_at = max(self._free_at.get(key, now), now)
            all_free_at = max(self._all_free_at, now)
            wait = max(
                _seconds_to_wait(self._each, free_at - now),
                _seconds_to_wait(self._together, all_free_at - now),
            )
            if wait > 0:
                return wait
            self._record(key, free_at + self._each.every)
            self._all_free_at = all_free_at + self._together.every
            return 0.0

    def give_back(self, address: str) -> None:
        """Take an attempt out of the count, since it had the right secret."""
        key = network_of(address)
        with self._lock:
            self._all_free_at -= self._together.every
            if key in self._free_at:
                self._free_at[key] -= self._each.every

    def _record(self, key: str, free_at: float) -> None:
        """Record the time when all attempts of an address are forgotten; the address of the oldest
        attempt is dropped if there are too many.
        """
        self._free_at[key] = free_at
        self._free_at.move_to_end(key)
        while len(self._free_at) > ADDRESSES:
            self._free_at.popitem(last=False)


def _seconds_to_wait(rate: AttemptRate, seconds_until_free: float) -> float:
    """Return the seconds until a rate permits the next attempt; 0 or less if it does now."""
    return seconds_until_free - (rate.burst - 1) * rate.every


def network_of(address: str) -> str:
    """Return the network that one machine owns: an IPv4 address, or an IPv6 network of 64 bits; a
    text that is no IP address unchanged.

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
