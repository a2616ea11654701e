"""What can be wrong inside one accelerator of the twin, beside what `state.Gpu` says."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node


@dataclass(frozen=True)
class GpuHealth:
    """Readings that a fault changes; the defaults are those of a healthy accelerator."""


def healthy(node: Node, index: int) -> GpuHealth:
    """Accelerator `index` of `node` as it leaves the factory."""
    del node, index
    return GpuHealth()
