"""What is printed arrives, whatever the terminal's encoding; where it can't, the exit code says so
and no run is harmed.
"""

from __future__ import annotations

import errno
import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hometown.cli import compress, replay
from hometown.cli.commands import main as hometown
from hometown.cli.log_file import PrintableFormatter
from hometown.cli.output import readable_output
from hometown.cli.start import main
from hometown.paths import ROOT
from hometown.storage.run import RunFile

ENCODINGS = ("ascii", "cp1252", "cp437", "gbk", "latin-1", "shift_jis", "utf-8")
HOSTILE = "故里 ✓ … \x1b[2J \x9b31m \x9d0;title\x07 \x7f \u202egnp\u202c \u2066x\u2069 \udcff 😀"
TOWN = (
    "--world",
    "minitown",
    "--llm",
    "scripted",
    "--residents",
    "2",
    "--seed",
    "3",
    "--start",
    "20250213-12:00",
    "--step",
    "4",
)
CLOSED, FULL = 141, 3


class Broken(io.StringIO):
    """A stream that fails after so many characters, as a closed pipe or a full disk does."""

    def __init__(self, after: int, number: int) -> None:
        super().__init__()
        self._left, self._number = after, number

    def write(self, text: str) -> int:
        self._left -= len(text)
        if self._left < 0:
            raise OSError(self._number, os.strerror(self._number))
        return super().write(text)


def printed(encoding: str, text: str) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding, errors="strict", newline="")
    before, sys.stdout = sys.stdout, stream
    try:
        with readable_output():
            print(text, flush=True)
    finally:
        sys.stdout = before
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_any_text_can_be_printed_and_none_is_obeyed(encoding: str) -> None:
    line = printed(encoding, HOSTILE)
    assert not set(line.rstrip("\n")) & {
        *map(chr, range(32)),
        *map(chr, range(0x7F, 0xA0)),
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    }
    assert r"\x1b[2J \x9b31m \x9d0;title\x07 \x7f \u202egnp\u202c \u2066x\u2069" in line
    assert ("故里" in line) == (encoding in ("gbk", "utf-8")) or encoding == "shift_jis"


def test_marks_have_lookalikes(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed("ascii", "✓ good – 3 × 4 …") == "+ good - 3 x 4 ...\n"
    with readable_output():
        print("\rbar\ttab\nline", file=sys.stderr)
    assert capsys.readouterr().err == "\rbar\ttab\nline\n", "what a progress bar needs is left"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("encoding", ENCODINGS[:-1])
def test_every_help_can_be_printed(
    encoding: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "C", "zh": "zh_CN"}[lang])
    for program in (main, hometown, compress.main, replay.main):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding, newline=""))
        assert program(["--help"]) == 0
        assert len(raw.getvalue()) > 200


def live(results: Path, out: Any, monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        return main(["--name", "town", *TOWN, *more, "--results", str(results)])


@pytest.mark.parametrize("after", [0, 200])
@pytest.mark.parametrize(("number", "code"), [(errno.EPIPE, CLOSED), (errno.ENOSPC, FULL)])
def test_output_that_cannot_be_written_stops_a_run_that_can_be_resumed(
    number: int,
    code: int,
    after: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    status = live(tmp_path, Broken(after, number), monkeypatch)
    told = capsys.readouterr().err
    with RunFile.open(tmp_path, "town") as run:
        steps = run.last.step
    assert (status, steps) == (code, 0 if after == 0 else 1)
    assert "--name town --resume" in told
    assert ("No space left" in told) == (code == FULL)
    assert main(["--name", "town", "--resume", "--results", str(tmp_path)]) == 0


def test_messages_that_cannot_be_written_stop_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", Broken(0, errno.ENOSPC))
    assert live(tmp_path, io.StringIO(), monkeypatch, "--verbose", "debug") == 0


def test_a_program_without_output_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `>&-`."""
    monkeypatch.setattr(sys, "stderr", None)
    assert live(tmp_path, None, monkeypatch) == 0


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a device that is always full"
)
def test_a_log_that_cannot_be_written_stops_nothing_and_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert live(tmp_path, io.StringIO(), monkeypatch, "--log", "/dev/full") == 0
    told = capsys.readouterr().err
    assert told.count("can't be written any more (No space left on device)") == 1
    assert "Traceback" not in told


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a device that is always full"
)
def test_a_process_whose_output_is_lost_says_so_and_ends_without_complaint() -> None:
    """Python itself would fail when it exits, with what is left in its buffers."""
    help_text = [sys.executable, str(ROOT / "replay.py"), "--help"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            help_text,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    assert (done.returncode, done.stderr) == (
        FULL,
        "can't write the output: No space left on device\n",
    )
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run(
        help_text, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (closed.returncode, closed.stderr) == (CLOSED, "")


def test_no_memory_is_one_line_and_the_run_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    with monkeypatch.context() as patched:
        patched.setattr("hometown.storage.run.to_canonical", _no_memory)
        assert live(tmp_path, sys.stdout, monkeypatch) == FULL
    told = capsys.readouterr()
    assert (
        told.err
        == "there is not enough memory: close other programs, or use fewer residents or a smaller model\n"
    )
    assert "--name town --resume" in told.out


def _no_memory(*_: object) -> None:
    raise MemoryError


def test_log_lines_show_control_characters() -> None:
    record = logging.LogRecord(
        "hometown", logging.INFO, "", 0, "she says %s", ("\x9b2J\u202e",), None
    )
    assert PrintableFormatter().format(record).endswith(r"she says \x9b2J\u202e")
