"""Speed of the shared file system from one node: fio, then creating, reading the status of and removing small files.

All files are in a temporary folder, which is removed again. The first mounted file system of a shared kind is measured.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .drive import fio_command
from .failure import Missing

KINDS = ("lustre", "nfs", "nfs4", "beegfs", "ceph", "wekafs", "gpfs")
MOUNTS = "/proc/mounts"
FILES, AT_ONCE = 4000, 16


def mount() -> tuple[str, str]:
    """Folder and kind of the first shared file system; Missing if none is mounted."""
    with Path(MOUNTS).open(encoding="utf-8") as file:
        for line in file:
            _, folder, kind = line.split()[:3]
            if kind in KINDS or kind == "fuse.ceph":
                return folder, kind
    raise Missing("no shared file system is mounted ({})".format(", ".join(KINDS)))


def document() -> dict[str, Any]:
    """Measure it, and return the document for the collector fio_shared."""
    folder, kind = mount()
    scratch = tempfile.mkdtemp(prefix=f".rackwright-{socket.gethostname()}-", dir=folder)
    try:
        done = subprocess.run(fio_command(scratch, ("read", "write")), stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise Missing(f"fio ended with status {done.returncode} on {folder}")
        report = json.loads(done.stdout)
        rates = metadata(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for job in report["jobs"]:
        job.setdefault("job options", {})["directory"] = folder
    return {"schema": 1, "path": folder, "filesystem": kind, "metadata": rates, "fio": report}


def metadata(folder: str) -> dict[str, float]:
    """Rates in files per second at which `AT_ONCE` threads, each in a folder of its own, create, stat and remove files."""
    places = []
    for number in range(AT_ONCE):
        place = Path(folder, str(number))
        place.mkdir()
        places.append([str(place / str(index)) for index in range(FILES // AT_ONCE)])
    return {
        "creates_per_s": _rate(places, _create),
        "stats_per_s": _rate(places, os.stat),
        "removes_per_s": _rate(places, os.unlink),
    }


def _rate(places: list[list[str]], act: Callable[[str], Any]) -> float:
    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda paths: [act(path) for path in paths], places))
    return round(sum(map(len, places)) / (time.monotonic() - began), 1)


def _create(path: str) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
