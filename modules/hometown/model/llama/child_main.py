"""The process that runs llama.cpp: it serves one GGUF file on a port of its own until its parent
ends.

It is started as a script, with nothing but the standard library and `xllamacpp`, so that it is up
as soon as the model is. The first line of its input is an order (`LlamaOptions` of
`hometown.model.llama.process`, as JSON); the end of its input means that the parent has ended. Its
output is llama.cpp's log and one report: the mark below, then JSON, either `{"address": URL,
"guided": BOOLEAN}` once it serves, or `{"failure": KIND}`.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any

MARK = "hometown-llama "
"""Start of the report, which may stand in the middle of a line of the log."""

HOST = "127.0.0.1"

PR_SET_PDEATHSIG = 1
"""From Linux's <sys/prctl.h>: the signal for a process at the end of the thread that started it."""

SIMILAR = 0.5
"""Share of a prompt that a slot must hold to be chosen, rather than the least recently used slot.

llama.cpp's default of 0.1 is less than the part that all prompts have in common, so that calls
would displace each other from a few slots; `benchmarks/costs.py` measures it.
"""

TOKENS_AT_ONCE = 128
"""Tokens of prompts that a processor reads at once, about a second's work: only in between does llama.cpp
turn to another request, or away from one that was cancelled.
"""

CACHED_SHARE = 0.25
"""Share of the free RAM that cached beginnings of prompts may take, at most."""


def serve_requests() -> None:
    """Read the order and serve until standard input ends, which ends the process; return once a
    failure has been reported.
    """
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    # Ctrl-C is for the parent, which may still need replies to end its step.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(order["parent"])
    gone = threading.Thread(target=_end_with_input, daemon=True)
    gone.start()
    try:
        import xllamacpp
    except ImportError as error:
        _report(failure="package", detail=str(error))
        return
    ram, others = _free_bytes(xllamacpp.get_device_info())
    if order["needed"] > ram + others:
        _report(failure="memory", free=ram + others)
        return
    try:
        server = xllamacpp.Server(_parameters(xllamacpp, order, ram, has_gpu=others > 0))
    except RuntimeError as error:
        _report(failure="load", detail=str(error))
        return
    _report(
        address=server.listening_address,
        guided=xllamacpp.json_schema_to_grammar({}).startswith("%llguidance"),
    )
    gone.join()


def _parameters(
    xllamacpp: Any, order: dict[str, Any], free_ram: int, *, has_gpu: bool = False
) -> Any:
    """Return llama.cpp's parameters. The context of an order is that of one slot; the cache of
    prompts has at most `CACHED_SHARE` of the free memory; as many layers as fit are put on a GPU
    unless configured otherwise.
    """
    parameters = xllamacpp.CommonParams()
    parameters.model.path = order["file"]
    parameters.hostnames, parameters.port, parameters.api_keys = [HOST], 0, [order["key"]]
    parameters.ui, parameters.endpoint_slots, parameters.offline = False, False, True
    parameters.n_parallel = order["slots"]
    parameters.n_ctx = order["slots"] * order["context"]
    parameters.cache_ram_mib = min(order["cached"], int(CACHED_SHARE * free_ram)) >> 20
    parameters.slot_prompt_similarity = SIMILAR
    if order["threads"]:
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = order["threads"]
    parameters.n_gpu_layers = order["gpu_layers"]
    if order["embedding"]:
        parameters.embedding = True
        # A text is read in one batch, or not at all.
        parameters.n_batch = parameters.n_ubatch = order["context"]
    elif not has_gpu:
        parameters.n_batch = parameters.n_ubatch = TOKENS_AT_ONCE
    return parameters


def _free_bytes(devices: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the free memory of this machine and of its GPUs, as llama.cpp sees it; for RAM, as
    Linux reports it.
    """
    cpu: int = sum(device["memory_free"] for device in devices if device["name"] == "CPU")
    others: int = sum(device["memory_free"] for device in devices) - cpu
    return min(cpu, _available_ram() or cpu), others


def _available_ram() -> int:
    """Return the available bytes in /proc/meminfo; 0 on systems without it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            return next(
                int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")
            )
    except (OSError, StopIteration):
        return 0


def _end_with(parent: int) -> None:
    """On Linux, make the kernel end this process together with its parent, even while llama.cpp
    lets no other thread run.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended meanwhile
        os._exit(0)


def _end_with_input() -> None:
    while sys.stdin.read(4096):
        pass
    os._exit(0)


def _report(**report: Any) -> None:
    """Write the report with one call, which a pipe does not split."""
    sys.stdout.flush()
    os.write(1, f"{MARK}{json.dumps(report)}\n".encode())


if __name__ == "__main__":
    serve_requests()
