"""What amd-smi says on a node of the twin; its stub on the hosts (``guest/vendors/amd_smi.py``) says the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

TOLD = frozenset({
    "serial", "vbios", "ecc_enabled", "ecc_corrected_volatile", "ecc_uncorrected_volatile", "ecc_uncorrected_aggregate",
    "pcie_generation", "pcie_width", "temperature_celsius", "temperature_memory_celsius", "power_limit_watts", "power_watts",
    "throttle_reasons", "retired_pages", "retired_pages_pending", "processes", "scale_up_active",
})  # fmt: skip


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with all that amd-smi tells; it has one count of uncorrectable errors."""
    bill = design.site.software.bill(design.node(node).pool)
    found = _vendor.seen(state, design, node, bill.amdgpu, TOLD, runtime=bill.rocm)
    devices = [
        one.model_copy(
            update={"uuid": one.uuid.removeprefix("GPU-"), "ecc_uncorrected_volatile": one.ecc_uncorrected_aggregate}
        )
        for one in found.devices
    ]
    return found.model_copy(update={"devices": devices})
