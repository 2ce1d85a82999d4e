"""Reads and writes of SQLite that do less than they were asked to, as the operating system may at
any time.

SQLite lets its system calls be replaced. What a call has not done, SQLite asks for again, so that
nothing of it may be noticed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw

NAMES = {"read": 0, "write": 0, "pread": 1, "pwrite": 1, "pread64": 1, "pwrite64": 1}
"""Calls that transfer bytes, on systems that have them; how many arguments follow the file, the
address and the number of bytes.
"""


@contextmanager
def transfers(vfs: apsw.VFS, allowed: Callable[[int], int]) -> Iterator[None]:
    """While the context lasts, each call is asked for no more bytes than `allowed` says for their
    number.
    """
    kept: list[Any] = []
    there = {name: address for name in NAMES if (address := _address(vfs, name))}
    for name, address in there.items():
        form = ctypes.CFUNCTYPE(
            ctypes.c_ssize_t,
            ctypes.c_int,
            ctypes.c_void_p,
            ctypes.c_size_t,
            *[ctypes.c_long] * NAMES[name],
        )
        kept.append(form(_shorter(form(address), allowed)))
        vfs.xSetSystemCall(name, ctypes.cast(kept[-1], ctypes.c_void_p).value or 0)
    try:
        yield
    finally:
        for name, address in there.items():
            vfs.xSetSystemCall(name, address)


def _address(vfs: apsw.VFS, name: str) -> int:
    try:
        return vfs.xGetSystemCall(name) or 0
    except apsw.Error:
        return 0


def _shorter(call: Callable[..., int], allowed: Callable[[int], int]) -> Callable[..., int]:
    return lambda file, data, size, *more: call(file, data, allowed(size), *more)
