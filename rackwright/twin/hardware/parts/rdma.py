"""Faults of the RDMA software of one machine of the twin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RdmaStack:
    """State that a fault changes; the defaults are those of an onboarded machine."""

    open_driver: bool = True
    """The GPU driver has open kernel modules, which give adapters a way to GPU memory by DMA-BUF."""
    modules: tuple[str, ...] = ("ib_core", "ib_uverbs", "ib_umad", "mlx5_core", "mlx5_ib", "nvidia")
    subnet_manager: bool = True
    """A machine for subnet managers runs its own."""
