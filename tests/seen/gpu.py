"""Healthy records of accelerators, the kernel log and the PCI bus, as a node of the example site gives them."""

from __future__ import annotations

from typing import Any

from rackwright.model.evidence.kernel_log import KernelLog


def kernel_log(**change: Any) -> KernelLog:
    healthy = {"begins": "2026-11-21T06:02:11+0000", "xids": [], "switch_errors": [], "bus_errors": []}
    return KernelLog(**(healthy | change))


SEEN = {KernelLog: kernel_log}
