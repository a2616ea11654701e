"""Load on AMD accelerators by ROCm's tools: hipblaslt-bench, BabelStream (hip-stream), TransferBench; amd-smi
identifies the devices.

Prints sections (`sections`). Everything runs on all accelerators at the same time except the copies, which are between
them.
"""

from __future__ import annotations

import json

from .drive import tool
from .failure import Missing
from .sections import Stopwatch, read, sampled, say
from .together import together

ROCM = "/opt/rocm/bin"
SIZE, ITERATIONS, COLD = 8192, 20000, 50
"""Edge of the matrices (as ROCm/cvs), products of one run (half a minute at 650 TFLOPS), and warm-up products before
the measurement.
"""
PRECISION = ("bf16", "bf16_r")
STREAM_ELEMENTS, STREAM_RUNS, STREAM_TIMES = 268435456, 5, 100
"""Doubles of an array (2 GiB), runs, and kernels of each run."""
ELEMENT_BYTES = 8


def gemm(seconds: float) -> int:
    """Run products on every accelerator for `seconds`, and print the samples of amd-smi meanwhile."""
    program, monitor = tool("hipblaslt-bench", ROCM, "/opt/hipblaslt/bin"), tool("amd-smi", ROCM)
    devices, clock = _devices(monitor), Stopwatch()
    edge = str(SIZE)
    words = [
        program, "-m", edge, "-n", edge, "-k", edge, "--transA", "T", "--precision", PRECISION[1], "--compute_type", "f32_r",
        "-i", str(ITERATIONS), "-j", str(COLD), "--device",
    ]  # fmt: skip

    def look() -> None:
        printed = read([monitor, "metric", "--json"])
        say("sample", printed, second=clock.now())

    def work(number: int) -> None:
        while clock.now() < seconds:
            began = clock.now()
            printed = read([*words, str(devices[number])])
            facts = {"device": devices[number], "precision": PRECISION[0], "from": began, "until": clock.now()}
            say("gemm", printed, **facts)

    sampled(look, len(devices), work)
    return 0


def memory() -> int:
    """Run BabelStream on every accelerator."""
    program, monitor = tool("hip-stream", ROCM, "/opt/babelstream/bin", "/usr/local/bin"), tool("amd-smi", ROCM)
    devices = _devices(monitor)
    words = [program, "-s", str(STREAM_ELEMENTS), "-n", str(STREAM_TIMES), "--device"]

    def work(number: int) -> None:
        for _ in range(STREAM_RUNS):
            printed = read([*words, str(devices[number])])
            say("stream", printed, device=devices[number], bytes=STREAM_ELEMENTS * ELEMENT_BYTES)

    together(len(devices), work)
    return 0


def copies() -> int:
    """Run TransferBench's peer-to-peer test: between host and accelerators, each with each."""
    program, monitor = tool("TransferBench", ROCM, "/opt/TransferBench"), tool("amd-smi", ROCM)
    say("version", read([monitor, "version", "--json"]))
    say("transferbench", read([program, "p2p"]))
    return 0


def _devices(monitor: str) -> list[int]:
    """Numbers of the accelerators; prints the sections that identify them."""
    listed = read([monitor, "list", "--json"])
    say("list", listed)
    say("static", read([monitor, "static", "--json"]))
    indices = [int(row["gpu"]) for row in json.loads(listed)]
    if not indices:
        raise Missing("amd-smi lists no accelerator")
    return indices
