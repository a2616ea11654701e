"""Patterns over the memory of every accelerator, written and compared word by word by the accelerator, at the speed of
its memory.

Six patterns, as in oracle-quickstart/oci-hpc: all bits off and on, both chessboards, nibbles, and the address of every
word, which finds address lines that are stuck together. Nearly all of the memory is written before any of it is read,
so that the comparison reads the memory and not a cache. Over the host link the same takes minutes (an H200: 30 seconds
a pattern).
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from .cuda import Cuda, CudaDevice
from .failure import Missing
from .kernels import MEMORY_TEST
from .telemetry import Telemetry
from .together import together

PATTERNS = {
    **{f"0x{word:08x}": (word << 32 | word, 0) for word in (0, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA, 0x0F0F0F0F)},
    "address": (0, 8),
}
"""Name -> first word of eight bytes, and the increment for each further word."""
WORD_BYTES = 8
REPORT = struct.Struct("<QQ")
NOWHERE = (1 << 64) - 1
CHUNK = 64 << 20
"""The size of the tested memory is a multiple of this."""
SHARE = 0.95
"""Share of the free memory that is tested; contexts take some."""


def document() -> dict[str, Any]:
    """Test all accelerators at the same time, and return the document for the collector sdc."""
    cuda, telemetry = Cuda(), Telemetry()
    devices: list[dict[str, Any]] = [telemetry.identity(device.bus_id) for device in cuda.devices]

    def test(number: int) -> None:
        devices[number].update(_test(cuda.devices[number]))

    together(len(devices), test)
    return {"tool": "rackwright-burn 1, patterns of the CUDA driver", "schema": 1, "devices": devices}


def _test(device: CudaDevice) -> dict[str, Any]:
    device.use()
    free, total = device.memory()
    size = int(free * SHARE) // CHUNK * CHUNK
    if not size:
        raise Missing(f"no free memory on {device.bus_id}: something else runs there")
    kernels = device.kernels(MEMORY_TEST, "write", "compare")
    memory, report = device.allocate(size), device.allocate(REPORT.size)
    try:
        runs = [_run(device, kernels, memory, size, report, name) for name in PATTERNS]
    finally:
        device.free(memory)
        device.free(report)
    return {"memory_bytes": total, "runs": runs}


def _run(device: CudaDevice, kernels: dict[str, Any], memory: int, size: int, report: int, name: str) -> dict[str, Any]:
    words = memory, size // WORD_BYTES, *PATTERNS[name]
    device.launch(kernels["write"], *words)
    device.wait()
    mismatches, first = mismatching(device, kernels["compare"], words, report)
    return {"pattern": name, "bytes": size, "mismatches": mismatches, "first_address": first if mismatches else None}


def mismatching(device: CudaDevice, compare: Any, words: tuple[int, ...], report: int) -> tuple[int, int]:
    """Number of words of four bytes that differ from the pattern, and the offset of the first in bytes (`NOWHERE`
    without any).
    """
    device.upload(report, REPORT.pack(0, NOWHERE), REPORT.size)
    device.launch(compare, *words, report)
    device.wait()
    counted = ctypes.create_string_buffer(REPORT.size)
    device.download(counted, report, REPORT.size)
    mismatches, first = REPORT.unpack(counted.raw)
    return mismatches, first
