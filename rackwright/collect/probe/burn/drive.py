"""Drivers of other load tools: wait until the accelerators are free and cool, start the tool, pass its output through
unchanged.

A tool that is not installed raises `Missing`. Bandwidth right after a burn is that of hot parts, and some tools find
memory that is not free yet (NVIDIA/DCGM issue 272): so every tool except those for storage waits first.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from . import hccl_links
from .failure import Missing
from .telemetry import Telemetry

COOL_CELSIUS, SETTLE_SECONDS, LOOK_SECONDS = 55, 180.0, 5.0
SIZES = ("-b", "16M", "-e", "8G", "-f", "8")
NCCL = {"NCCL_DEBUG": "INFO", "NCCL_DEBUG_SUBSYS": "INIT,GRAPH,NET,P2P,NVLS,TUNING"}
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "alltoall")
COPIES = ("host_to_device_memcpy_ce", "device_to_host_memcpy_ce", "device_to_device_memcpy_write_ce")
HCCL = "/usr/local/Ascend/ascend-toolkit/latest/tools/hccl_test/bin"
STRESS_SECONDS = 300
FIO = (
    "--ioengine=libaio",
    "--direct=1",
    "--group_reporting",
    "--time_based",
    "--runtime=30",
    "--size=4G",
    "--unlink=1",
    "--output-format=json",
)
JOBS = {
    "read": ("--rw=read", "--bs=1M", "--numjobs=16", "--iodepth=32"),
    "write": ("--rw=write", "--bs=1M", "--numjobs=16", "--iodepth=32"),
    "randread": ("--rw=randread", "--bs=4k", "--numjobs=16", "--iodepth=16"),
}


def tool(name: str, *folders: str) -> str:
    """The path of a program; Missing if it is not installed."""
    path = shutil.which(name) or next(
        (f"{folder}/{name}" for folder in folders if os.access(f"{folder}/{name}", os.X_OK)), None
    )
    if path is None:
        raise Missing(f"{name} is not installed on this node")
    return path


def settle(telemetry: Any = None) -> None:
    """Wait until no program computes and the warmest accelerator is cool, for at most `SETTLE_SECONDS`; the tool runs
    in any case.
    """
    try:
        watched = telemetry or Telemetry()
    except Missing:
        return
    ends = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < ends and (watched.busy() or (watched.warmest() or 0) > COOL_CELSIUS):
        time.sleep(LOOK_SECONDS)


def nvbandwidth() -> int:
    """Run copies with the copy engines; prints JSON."""
    program = tool("nvbandwidth", "/usr/local/cuda/bin")
    settle()
    return _run([program, "-j", "-t", *COPIES])


def dcgmi() -> int:
    """Run the diagnostic of level 3; prints JSON."""
    program = tool("dcgmi")
    settle()
    return _run([program, "diag", "-r", "3", "-j"])


def gpu_burn() -> int:
    """Run gpu-burn with tensor cores; it needs its kernel file in its folder."""
    program = tool("gpu_burn", "/opt/gpu-burn", "/usr/local/gpu-burn")
    return _run([program, "-tc", str(STRESS_SECONDS)], folder=str(Path(program).resolve().parent))


def nccl() -> int:
    """Run four collectives of nccl-tests on every GPU."""
    return _collectives(device_count("/dev/nvidia[0-9]*"), "/usr/local/bin", "/opt/nccl-tests/build")


def rccl() -> int:
    """Run four collectives of rccl-tests on every accelerator."""
    return _collectives(device_count("/dev/dri/renderD*"), "/opt/rocm/bin", "/opt/rccl-tests/build")


def hccl() -> int:
    """Run four collectives of hccl_test on every NPU; prints the ranks before each, and the traffic of ports and links
    around it.
    """
    count, host = device_count("/dev/davinci[0-9]*"), socket.gethostname().split(".")[0]
    start = tool("mpirun")
    for name in COLLECTIVES:
        program = tool(name + "_test", HCCL)
        words = [program, *SIZES, "-p", str(count), "-c", "1"]
        print("# Command: {}".format(" ".join(words)))
        print("\n".join(f"# rank {rank} {host} NPU {rank}" for rank in range(count)), flush=True)
        status = hccl_links.around(count, lambda words=words: _run([start, "-n", str(count), *words]))  # type: ignore[misc]
        if status:
            return status
    return 0


def fio(words: list[str]) -> int:
    """Read, write and read at random in one folder: ``--directory FOLDER``."""
    if len(words) != 2 or words[0] != "--directory":
        raise Missing("fio needs --directory FOLDER")
    if not Path(words[1]).is_dir():
        raise Missing(f"{words[1]} is no folder: the local file system is not mounted")
    return _run(fio_command(words[1], tuple(JOBS)))


def fio_command(folder: str, jobs: tuple[str, ...]) -> list[str]:
    """Command of fio with some of `JOBS`, one after the other."""
    words = [tool("fio"), f"--directory={folder}", *FIO]
    for name in jobs:
        words += [f"--name={name}", "--stonewall", *JOBS[name]]
    return words


def _collectives(count: int, *folders: str) -> int:
    settle()
    for name in COLLECTIVES:
        words = [tool(name + "_perf", *folders), *SIZES, "-g", str(count)]
        print(f"# Command: {' '.join(words)}")
        status = _run(words, environment=NCCL)
        if status:
            return status
    return 0


def device_count(pattern: str) -> int:
    """Number of device files that match `pattern`; Missing without any."""
    place = Path(pattern)
    matches = len(list(place.parent.glob(place.name)))
    if not matches:
        raise Missing(f"no device file {pattern} on this node")
    return matches


def _run(words: list[str], *, folder: str | None = None, environment: dict[str, str] | None = None) -> int:
    sys.stdout.flush()
    return subprocess.run(words, cwd=folder, env={**os.environ, **(environment or {})}, check=False).returncode
