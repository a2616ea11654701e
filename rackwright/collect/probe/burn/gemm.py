"""Matrix products on every accelerator at the same time, precision by precision, for minutes.

The first result of each precision is kept on the host; at the end of every interval the newest result is compared with
it byte by byte. The rate of an interval excludes the comparison.
"""

from __future__ import annotations

import ctypes
import hashlib
import time
from functools import partial
from typing import Any

from . import blas, numbers
from .cuda import Cuda, CudaDevice
from .telemetry import Telemetry
from .together import together

INTERVAL_SECONDS = 10.0
LARGEST, SMALLEST = 16384, 2048
"""Edges of the matrices: large ones reach the power cap; a device with little free memory gets smaller ones."""
BATCH = 4
"""Products that are started between two looks at the clock."""
FP8_CAPABILITY = (8, 9)
SHARE = 0.6
"""Share of the free memory that the matrices may take."""


def document(seconds: float, precisions: list[str] | None = None) -> dict[str, Any]:
    """Burn for `seconds` in total, and return the document for the collector gemm_burn."""
    cuda, library, telemetry = Cuda(), blas.load(), Telemetry()
    chosen = precisions or (["bf16", "fp8"] if cuda.devices[0].capability >= FP8_CAPABILITY else ["bf16", "tf32"])
    devices = [{**telemetry.identity(device.bus_id), "gemms": []} for device in cuda.devices]
    telemetry.start()

    def burn(number: int, precision: str) -> None:
        reached = _burn(cuda.devices[number], library, precision, seconds / len(chosen), telemetry)
        devices[number]["gemms"].append(reached)

    for precision in chosen:
        together(len(devices), partial(burn, precision=precision))
    telemetry.stop()
    for report in devices:
        report["samples"] = telemetry.samples[report["pci_bus_id"]]
    return {"schema": 2, "tool": f"rackwright-burn 1, cuBLAS {blas.version(library)}", "devices": devices}


def edge(free: int, entry_bytes: int, result_bytes: int) -> int:
    """The largest edge, halved until two inputs and a result fit into `SHARE` of `free` bytes."""
    size = LARGEST
    while size > SMALLEST and (2 * entry_bytes + result_bytes) * size * size > free * SHARE:
        size //= 2
    return size


def _burn(device: CudaDevice, library: Any, precision: str, seconds: float, telemetry: Telemetry) -> dict[str, Any]:
    device.use()
    _, _, _, _, entry_bytes, result_bytes = blas.KINDS[precision]
    size = edge(device.memory()[0], entry_bytes, result_bytes)
    product = blas.Product(library, precision, size)
    inputs, results = size * size * entry_bytes, size * size * result_bytes
    first, second, result, room = (
        device.allocate(size_bytes) for size_bytes in (inputs, inputs, results, blas.WORKSPACE_BYTES)
    )
    try:
        _fill_with_block(device, first, inputs, numbers.block(precision))
        _fill_with_block(
            device, second, inputs, numbers.block(precision)[::-1] if entry_bytes == 1 else numbers.block(precision)
        )
        reference, newest = (ctypes.c_char * results)(), (ctypes.c_char * results)()
        product.run(first, second, result, room)
        device.wait()
        device.download(reference, result, results)
        began, ends = telemetry.second(), time.monotonic() + seconds
        rates, lost = [], 0
        while time.monotonic() < ends:
            rates.append(
                _interval(
                    device, lambda: product.run(first, second, result, room), size, min(INTERVAL_SECONDS, seconds)
                )
            )
            device.download(newest, result, results)
            lost += differing(reference, newest, results, result_bytes)
        digest = hashlib.sha256(reference).hexdigest()
    finally:
        for address in (first, second, result, room):
            device.free(address)
    took = round(telemetry.second() - began, 2)
    return {
        "precision": precision, "size": size, "began": began, "seconds": took, "tflops": rates, "mismatches": lost, "digest": digest,
    }  # fmt: skip


def _fill_with_block(device: CudaDevice, address: int, size: int, block: bytes) -> None:
    """Fill `size` bytes with repetitions of `block`: one upload from the host, then copies that double."""
    written = min(len(block), size)
    device.upload(address, block, written)
    while written < size:
        more = min(written, size - written)
        device.copy(address + written, address, more)
        written += more
    device.wait()


def _interval(device: CudaDevice, start: Any, size: int, seconds: float) -> float:
    """Rate over one interval in TFLOPS (2 n^3 operations per product)."""
    count, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        for _ in range(BATCH):
            start()
        device.wait()
        count += BATCH
    return round(2.0 * size**3 * count / (time.monotonic() - began) / 1e12, 2)


def differing(reference: Any, newest: Any, size: int, width: int) -> int:
    """Number of results of `width` bytes that differ; equal memory costs one comparison by the C library."""
    compare = ctypes.CDLL(None).memcmp
    if not compare(ctypes.byref(reference), ctypes.byref(newest), ctypes.c_size_t(size)):
        return 0
    step, lost = 1 << 20, 0
    for at in range(0, size, step):
        old, new = reference[at : min(at + step, size)], newest[at : min(at + step, size)]
        if old != new:
            lost += sum(old[i : i + width] != new[i : i + width] for i in range(0, len(old), width))
    return lost
