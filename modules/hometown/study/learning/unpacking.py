"""Text of packed files, read by LlamaIndex's readers where their packages are installed.

Readers of such files unpack any content, so they run in a process of their own, with a time limit
and, where the system supports it, a memory limit. It prints the text.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from hometown.errors import BadInput
from hometown.read_budget import MB
from hometown.system import is_installed, own_environment

READERS = "llama_index.readers.file"

PACKED: dict[str, tuple[str, ...]] = {
    ".html": ("bs4",),
    ".pdf": ("pypdf",),
    ".docx": ("docx2txt",),
    ".epub": ("ebooklib", "html2text"),
}
"""The modules that a kind of file needs beside LlamaIndex's readers."""

DISTRIBUTIONS = {READERS: "llama-index-readers-file", "bs4": "beautifulsoup4"}
"""The packages of modules with other names than theirs."""

MAX_SECONDS = 60
"""Seconds allowed for a file."""

MAX_MEMORY_BYTES = 512 * MB
"""Maximum number of bytes that a reader may allocate beside its own code, on Linux."""


def extract_text(file: Path, most: int) -> str:
    """Return the text of a packed file, or, of a longer one, a little more than `most` characters.

    Raises BadInput where the packages are missing, or the file can't be read with them.
    """
    missing = [
        DISTRIBUTIONS.get(module, module)
        for module in (READERS, *PACKED[file.suffix.lower()])
        if not is_installed(module)
    ]
    if missing:
        raise BadInput(
            "{file} can't be read without the packages {packages}: pip install {command}, or save it as .txt or .md",
            file=file.name,
            packages=missing,
            command=" ".join(missing),
        )
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(file.absolute()), str(most)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=own_environment(),
            timeout=MAX_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(
            "{file} takes longer than {seconds} s to read: it is damaged, or made to do so",
            file=file.name,
            seconds=MAX_SECONDS,
        ) from None
    if done.returncode:
        raise BadInput(
            "{file} can't be read: it is damaged, protected, or made to fill memory",
            file=file.name,
        )
    return done.stdout.decode("utf-8", "ignore")


def _limit_memory() -> None:
    """Allow this process `MAX_MEMORY_BYTES` more than it has, where the system has such a limit."""
    if find_spec("resource") is None or not Path("/proc/self/statm").exists():
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MAX_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _load(file: Path) -> str:
    from llama_index.core import SimpleDirectoryReader

    pages = import_module(READERS).HTMLTagReader(tag="body")
    _limit_memory()
    documents = SimpleDirectoryReader.load_file(
        file, lambda _: {}, {".html": pages}, raise_on_error=True
    )
    return "\n\n".join(document.text for document in documents)


if __name__ == "__main__":
    text = _load(Path(sys.argv[1]))[: int(sys.argv[2]) + 1]
    sys.stdout.buffer.write(text.encode("utf-8", "ignore"))
