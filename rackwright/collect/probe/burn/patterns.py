"""Patterns over the memory of every accelerator: written, read back over the host link, compared word by word.

Out: the document that the collector sdc reads. Six patterns, as oracle-quickstart/oci-hpc uses six: all bits off and on, both chessboards,
nibbles, and every word its own address within the block, which finds address lines that answer for each other.
"""

from __future__ import annotations

import array
import ctypes
import struct
from typing import Any

from .cuda import Cuda, CudaDevice
from .failure import Missing
from .telemetry import Telemetry
from .together import together

WORDS = {
    "0x00000000": 0,
    "0xffffffff": 0xFFFFFFFF,
    "0x55555555": 0x55555555,
    "0xaaaaaaaa": 0xAAAAAAAA,
    "0x0f0f0f0f": 0x0F0F0F0F,
}
ADDRESS = "address"
CHUNK = 64 << 20
SHARE = 0.95
"""Of the free memory that is tested; contexts take some."""


def document() -> dict[str, Any]:
    """Test all accelerators at the same time."""
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
    address, back = device.allocate(size), device.host(CHUNK)
    try:
        runs = [_run(device, address, size, back, name) for name in (*WORDS, ADDRESS)]
    finally:
        device.free(address)
    return {"memory_bytes": total, "runs": runs}


def _run(device: CudaDevice, address: int, size: int, back: Any, name: str) -> dict[str, Any]:
    pattern = expected(name)
    for at in range(0, size, CHUNK):
        device.upload(address + at, pattern, CHUNK)
    device.wait()
    lost, first = 0, None
    for at in range(0, size, CHUNK):
        device.download(back, address + at, CHUNK)
        wrong = changed(pattern, back)
        if wrong and first is None:
            first = at + wrong[0]
        lost += len(wrong)
    return {"pattern": name, "bytes": size, "mismatches": lost, "first_address": first}


def expected(name: str) -> bytes:
    """What every chunk must hold."""
    if name == ADDRESS:
        return array.array("I", range(0, CHUNK, 4)).tobytes()
    return struct.pack("<I", WORDS[name]) * (CHUNK // 4)


def changed(pattern: bytes, back: Any) -> list[int]:
    """Offsets of the words that differ; equal memory costs one comparison by the C library."""
    if not ctypes.CDLL(None).memcmp(pattern, ctypes.byref(back), ctypes.c_size_t(len(pattern))):
        return []
    data = bytes(back)
    return [at for at in range(0, len(pattern), 4) if pattern[at : at + 4] != data[at : at + 4]]
