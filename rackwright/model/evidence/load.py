"""Results of the accelerators of a node under load: matrix products, memory, copies, the vendor's own diagnostic.

Vendor-neutral. None means that a tool does not report a value; it is never zero. Collectives and rails are in ``collective.py`` and ``rail.py``,
storage in ``storage.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import model_validator

from rackwright.model.base import Record

Direction = Literal["host_to_device", "device_to_host", "device_to_device", "device_local"]


class Sample(Record):
    """One look at an accelerator while it works."""

    second: float
    """Since the burn began."""
    power_watts: float | None
    sm_clock_mhz: int | None
    temperature_celsius: int | None
    throttle_reasons: list[str] | None
    """Names as in `Device.throttle_reasons`."""


class Samples(Record):
    """All samples of one accelerator in order of time, as columns of equal length: a burn has hundreds, and a check reads one column."""

    second: list[float]
    power_watts: list[float | None]
    sm_clock_mhz: list[int | None]
    temperature_celsius: list[int | None]
    throttle_reasons: list[list[str] | None]

    @model_validator(mode="after")
    def _equal(self) -> Self:
        if len({*map(len, self.__dict__.values())}) > 1:
            raise ValueError("columns of different length")
        return self

    @classmethod
    def of(cls, looks: Sequence[Sample]) -> Self:
        """The columns of `looks`."""
        return cls.model_validate({name: [getattr(look, name) for look in looks] for name in Sample.model_fields})

    def looks(self) -> list[Sample]:
        """The samples one by one."""
        names = tuple(Sample.model_fields)
        rows = zip(*(getattr(self, name) for name in names), strict=True)
        return [Sample.model_validate(dict(zip(names, row, strict=True))) for row in rows]


class Gemm(Record):
    """One precision, multiplied for minutes on one accelerator."""

    precision: Literal["fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"]
    size: int
    """Edge of the square matrices."""
    began: float
    """Second of the burn."""
    seconds: float
    tflops: list[float]
    """Of every interval of equal length, in order: dense, 2 n^3 per product; tera operations per second for int8."""
    mismatches: int | None
    """Results that differ from the first one of the same input, byte by byte; None when they were not compared."""
    digest: str
    """SHA-256 of the first result: equal inputs give equal digests on parts of one model."""


class BurnedDevice(Record):
    """Result of a burn on one accelerator."""

    index: int
    uuid: str
    serial: str
    pci_bus_id: str
    gemms: list[Gemm]
    samples: Samples


class Burn(Record):
    """Sustained matrix products on every accelerator of a node at the same time."""

    tool: str
    """Name and version of the program and of its library (``rackwright-burn 1, cuBLAS 13.0.2``)."""
    devices: list[BurnedDevice]


class DeviceMemorySpeed(Record):
    """Memory of one accelerator, copied within itself; bytes read and bytes written both count."""

    index: int
    uuid: str
    serial: str
    pci_bus_id: str
    bytes: int
    """Of one of the two buffers."""
    copy_gbytes_per_s: list[float]
    """Of every repetition, in order."""


class MemoryBandwidth(Record):
    """Memory bandwidth of every accelerator of a node."""

    tool: str
    devices: list[DeviceMemorySpeed]


class PatternRun(Record):
    """One pattern, written over the memory of one accelerator and read back."""

    pattern: str
    """``0x00000000``, ``0x55555555`` ..., or ``address``."""
    bytes: int
    """How much of the memory was written and compared."""
    mismatches: int
    """Words of four bytes that came back changed."""
    first_address: int | None
    """Offset in bytes of the first of them."""


class DevicePatterns(Record):
    """The patterns of one accelerator."""

    index: int
    uuid: str
    serial: str
    pci_bus_id: str
    memory_bytes: int
    runs: list[PatternRun]


class Corruption(Record):
    """Search for silently changed data in the memory of every accelerator of a node."""

    tool: str
    devices: list[DevicePatterns]


class Copy(Record):
    """One kind of copy (direction and method) and its bandwidth."""

    direction: Direction
    source: int | None
    """Index of the accelerator that is read; None for the host."""
    target: int | None
    gbytes_per_s: float
    engine: Literal["copy_engine", "kernel"]


class Copies(Record):
    """Copies between host and accelerators and among accelerators (nvbandwidth, and its like)."""

    tool: str
    driver_version: str
    copies: list[Copy]


class Diagnostic(Record):
    """One test of a diagnostic on one part."""

    test: str
    category: str
    part: str
    """``GPU 3``, ``CPU 0``; empty for a test of the whole node."""
    status: Literal["pass", "fail", "warn", "skip", "not_run"]
    messages: list[str]
    error_code: int | None
    error_category: str
    """Cause according to the tool (``Hardware``, ``Software``); empty where it reports none."""


class Diagnosis(Record):
    """A vendor's own diagnostic (`dcgmi diag`)."""

    tool: str
    driver_version: str
    level: str
    devices: int
    """Accelerators that it looked at."""
    results: list[Diagnostic]


class StressedDevice(Record):
    """One accelerator in a stress test."""

    index: int
    product_name: str
    uuid: str
    gflops: float | None
    """Of the last line that shows it."""
    errors: int | None
    temperature_celsius: int | None
    faulty: bool


class Stress(Record):
    """A stress test that compares results (gpu-burn)."""

    tool: str
    devices: list[StressedDevice]
