"""Windows, simulated: what `hometown.system` does there, as far as it can be done elsewhere. The
workflow for a public forge runs the rest on it.
"""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from filelock import FileLock

from hometown import system
from hometown.cli import output
from hometown.errors import OutputClosed


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Handles by the number of the process, for those that live; what was opened and not closed
    again stays in `open`.
    """
    processes, opened = {os.getpid(): 44}, set[int]()

    def open_process(access: int, inherit: bool, process: int) -> int:
        assert (access, inherit) == (0x00100000, False)
        handle = processes.get(process, 0)
        opened.update({handle} - {0})
        return handle

    def close_handle(handle: int) -> int:
        opened.remove(handle)
        return 1

    kernel = SimpleNamespace(OpenProcess=open_process, CloseHandle=close_handle)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(system, "sys", SimpleNamespace(platform="win32"))
    return processes


def test_locks_are_looked_at_by_taking_them(windows: dict[int, int], tmp_path: Path) -> None:
    file = tmp_path / "run.lock"
    with FileLock(file):
        assert system.is_locked(file)
    assert not system.is_locked(file)
    with FileLock(file, timeout=0):
        pass  # who looked has let it go


def test_processes_are_told_by_their_handle(windows: dict[int, int]) -> None:
    assert system.is_alive(os.getpid())
    assert not system.is_alive(os.getpid() + 1)


def test_folders_need_no_waiting(windows: dict[int, int], tmp_path: Path) -> None:
    """They can't even be opened there."""
    system.sync_folder(tmp_path / "missing")


def test_a_closed_pipe_has_another_number(monkeypatch: pytest.MonkeyPatch) -> None:
    invalid = OSError(errno.EINVAL, "Invalid argument")
    assert isinstance(output._output_lost(invalid), OutputClosed) == (os.name == "nt")
    monkeypatch.setattr(output, "PIPE_CLOSED", (errno.EPIPE, errno.EINVAL))
    assert isinstance(output._output_lost(invalid), OutputClosed)
