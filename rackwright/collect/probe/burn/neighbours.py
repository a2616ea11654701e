"""Copies between host and accelerators on the first half of a node, alone and while the other half copies as well.

Two tenants of one node share the links above its accelerators and the memory of its processors.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .drive import COPIES, device_count, settle, tool
from .failure import Missing

VISIBLE = "CUDA_VISIBLE_DEVICES"
AGAIN = 'while "$@" >/dev/null 2>&1; do :; done'


def document() -> dict[str, Any]:
    """Two reports of nvbandwidth: ``alone`` and ``beside``.

    Missing if the node has one accelerator or the tool fails.
    """
    program = tool("nvbandwidth", "/usr/local/cuda/bin")
    count = device_count("/dev/nvidia[0-9]*")
    if count == 1:
        raise Missing("the only accelerator of this node has no neighbour")
    settle()
    words = [program, "-j", "-t", *COPIES[:2]]
    alone = _report(words, range(count // 2))
    with _load(words, range(count // 2, count)):
        beside = _report(words, range(count // 2))
    return {"alone": alone, "beside": beside}


def _report(words: list[str], devices: range) -> Any:
    done = subprocess.run(words, env=_environment(devices), capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["it printed nothing"]
        raise Missing(f"nvbandwidth ended with {done.returncode}: {lines[-1]}")
    return json.loads(done.stdout[max(done.stdout.find("{"), 0) :])


@contextmanager
def _load(words: list[str], devices: range) -> Iterator[None]:
    """Run copies on `devices` while the block runs; Missing if they ended before it."""
    load = subprocess.Popen(["sh", "-c", AGAIN, "sh", *words], env=_environment(devices), start_new_session=True)
    try:
        yield
        if load.poll() is not None:
            raise Missing("the other half of the accelerators did not copy all the time: run nvbandwidth there by hand")
    finally:
        if load.poll() is None:
            os.killpg(load.pid, signal.SIGKILL)
        load.wait()


def _environment(devices: range) -> dict[str, str]:
    return {**os.environ, VISIBLE: ",".join(map(str, devices))}
