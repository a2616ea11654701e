"""Copies within the memory of every accelerator, one accelerator after the other."""

from __future__ import annotations

import time
from typing import Any

from .cuda import Cuda, CudaDevice
from .failure import Missing
from .telemetry import Telemetry

BUFFER = 4 << 30
REPETITIONS, COPIES = 8, 20
"""Readings of each accelerator, copies in each reading."""
SHARE = 0.4


def document() -> dict[str, Any]:
    """Measure all accelerators, and return the document for the collector hbm_bandwidth."""
    cuda, telemetry = Cuda(), Telemetry()
    devices = [{**telemetry.identity(device.bus_id), **_measure(device)} for device in cuda.devices]
    return {"schema": 1, "tool": "rackwright-burn 1, copies of the CUDA driver", "devices": devices}


def _measure(device: CudaDevice) -> dict[str, Any]:
    device.use()
    size = min(BUFFER, int(device.memory()[0] * SHARE) // 4096 * 4096)
    if size <= 0:
        raise Missing(f"no free memory on {device.bus_id}: something else runs there")
    source, target = device.allocate(size), device.allocate(size)
    try:
        device.fill(source, 0x5A5A5A5A, size // 4)
        device.copy(target, source, size)
        device.wait()
        rates = [_rate(device, target, source, size) for _ in range(REPETITIONS)]
    finally:
        device.free(source)
        device.free(target)
    return {"bytes": size, "copy_gbytes_per_s": rates}


def _rate(device: CudaDevice, target: int, source: int, size: int) -> float:
    """Rate in GB/s, bytes read and bytes written together, as BabelStream counts a copy."""
    began = time.monotonic()
    for _ in range(COPIES):
        device.copy(target, source, size)
    device.wait()
    return round(2 * size * COPIES / (time.monotonic() - began) / 1e9, 1)
