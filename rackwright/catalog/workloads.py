"""Reads and writes of jobs, read from ``workloads.yaml``: checkpoint state by model size, rates of data loaders."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

Amount = Annotated[float, Field(gt=0)]
GIB = 2**30
"""Bytes of a binary gigabyte."""


class BytesPerParameter(Record):
    """State of one parameter in a checkpoint."""

    model: Amount
    """Weights, in BF16."""
    optimizer: Amount
    """Master weights and two moments, in FP32."""

    @property
    def total(self) -> float:
        """Model and optimizer together."""
        return self.model + self.optimizer


class CheckpointSize(Record):
    """A checkpoint of one published model and configuration."""

    model: Name
    parameters_billions: Amount
    processes: Positive
    """Accelerators that write it together."""
    model_gib: Amount
    optimizer_gib: Amount

    @property
    def gbytes(self) -> float:
        """Size of the whole checkpoint in GB (10**9 bytes)."""
        return (self.model_gib + self.optimizer_gib) * GIB / 1e9


class LoaderProfile(Record):
    """How one accelerator reads samples without stalls."""

    profile: Name
    accelerator: str
    """SKU on which the step time was measured."""
    sample_bytes: Amount
    batch: Positive
    step_seconds: Amount
    min_utilization: Annotated[float, Field(gt=0, le=1)]
    """Share of the time the accelerator must be busy for the storage to pass."""

    @property
    def gbytes_per_s(self) -> float:
        """Read rate of one accelerator that never waits, in GB/s."""
        return self.sample_bytes * self.batch / self.step_seconds / 1e9


class StoragePrecedent(Record):
    """Storage of a published training system."""

    name: Name
    accelerators: Positive
    servers: Positive
    capacity_pbytes: Amount
    sustained_gbytes_per_s: Amount
    peak_gbytes_per_s: Amount
    checkpoint_megabytes_per_accelerator: Annotated[list[float], Field(min_length=2, max_length=2)]
    """Least and most one accelerator writes."""


class Workloads(Record):
    """Everything of ``workloads.yaml``."""

    bytes_per_parameter: BytesPerParameter
    checkpoints: list[CheckpointSize]
    loaders: list[LoaderProfile]
    precedents: list[StoragePrecedent]
    sources: list[Source]

    def loader(self, profile: str) -> LoaderProfile | None:
        """The loader profile of that name; None when there is none."""
        return next((loader for loader in self.loaders if loader.profile == profile), None)


@cache
def load() -> Workloads:
    """``workloads.yaml`` as its record."""
    return read_record("workloads", Workloads)
