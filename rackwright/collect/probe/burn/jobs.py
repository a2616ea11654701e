"""Starts the small jobs of ``smoke`` with the Python that has PyTorch: ``finetune --python P`` and ``serving --python
P``.

Their files are written to a temporary folder, which is removed again. Ranks get the environment that torchrun sets, but
are children of this process, so that ending the probe ends them too; torchrun starts its workers in new sessions.
"""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .. import smoke
from .drive import settle
from .failure import Missing

PACKAGE = "rackwright_smoke"
SECONDS, REQUESTS = 60, 32
LOOK_SECONDS = 0.2
LIBRARY = {
    "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # so that an index means the same as in the vendor's own tool
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # without it results of cuBLAS are not reproducible
    "OMP_NUM_THREADS": "4",
}


def finetune(python: str, cpus: int = 0, seconds: float = SECONDS) -> int:
    """Train on every accelerator; with `cpus` on that many processes without one."""
    settle()
    with contextlib.closing(_Folder(python)) as job:
        kind, count = job.devices(cpus)
        words = [python, "-m", f"{PACKAGE}.train", kind, str(seconds)]
        return _ranks([(words, job.environment(rank, count)) for rank in range(count)])


def serving(python: str, cpus: int = 0, requests: int = REQUESTS) -> int:
    """Generate text on every accelerator."""
    settle()
    with contextlib.closing(_Folder(python)) as job:
        kind, count = job.devices(cpus)
        words = [python, "-m", f"{PACKAGE}.clients", kind, str(count), str(requests)]
        sys.stdout.flush()
        return subprocess.run(words, env=job.environment(0, count), check=False).returncode


class _Folder:
    """The files of the jobs, on disk while one of them runs."""

    def __init__(self, python: str) -> None:
        if shutil.which(python) is None:
            raise Missing(
                f"{python}, the Python with PyTorch that the site names (acceptance.torch_python), is not on this node"
            )
        self._python = python
        self._place = tempfile.mkdtemp(prefix="rackwright-smoke-")
        inside = Path(self._place, PACKAGE)
        inside.mkdir()
        for name in ("__init__", *(module.name for module in pkgutil.iter_modules(smoke.__path__))):
            (inside / f"{name}.py").write_bytes(pkgutil.get_data(smoke.__name__, f"{name}.py") or b"")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._place, ignore_errors=True)

    def environment(self, rank: int, count: int) -> dict[str, str]:
        """Variables of one process, as torchrun sets them."""
        values = {
            "RANK": rank,
            "LOCAL_RANK": rank,
            "WORLD_SIZE": count,
            "LOCAL_WORLD_SIZE": count,
            "MASTER_PORT": self._port,
        }
        variables = {name: str(value) for name, value in values.items()}
        return {**os.environ, **LIBRARY, **variables, "MASTER_ADDR": "127.0.0.1", "PYTHONPATH": self._place}

    def devices(self, cpus: int) -> tuple[str, int]:
        """Kind and number of devices; Missing with the reason if PyTorch does not load or shows none."""
        if cpus:
            return "cpu", cpus
        words = [self._python, "-m", f"{PACKAGE}.device"]
        done = subprocess.run(words, env=self.environment(0, 1), capture_output=True, check=False)
        if done.returncode:
            message = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise Missing(f"{self._python} cannot compute here: {message[-1]}")
        ready: dict[str, Any] = json.loads(done.stdout.decode().strip().splitlines()[-1])
        return str(ready["kind"]), int(ready["count"])


def _ranks(starts: list[tuple[list[str], dict[str, str]]]) -> int:
    """Run all ranks at once; if one fails, the others are ended, because they would wait for it forever.

    The first status that is not 0.
    """
    sys.stdout.flush()
    running = [subprocess.Popen(words, env=environment) for words, environment in starts]
    try:
        while True:
            states = [process.poll() for process in running]
            failed = next((state for state in states if state), 0)
            if failed or None not in states:
                return failed
            time.sleep(LOOK_SECONDS)
    finally:
        for process in running:
            process.kill()
            process.wait()
