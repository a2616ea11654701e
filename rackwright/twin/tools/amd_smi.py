"""What amd-smi prints on a node of the twin; the program on its hosts (``guest/vendors/amd_smi.py``) prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import amd_partition, amd_smi
from rackwright.twin.hardware.state import State
from rackwright.twin.mirror import definition
from rackwright.twin.tools import _vendor

VERBS = ("list", "static", "metric", "process", "bad-pages")
"""Those that print a row for each accelerator."""
READINGS = frozenset({
    "serial", "vbios", "ecc_enabled", "ecc_corrected_volatile", "ecc_uncorrected_volatile", "ecc_uncorrected_aggregate",
    "pcie_generation", "pcie_width", "temperature_celsius", "temperature_memory_celsius", "power_limit_watts", "power_watts",
    "throttle_reasons", "retired_pages", "retired_pages_pending", "processes", "scale_up_active",
})  # fmt: skip


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of amd-smi, which has one count of uncorrectable errors."""
    bill = design.site.software.bill(design.node(node).pool)
    driver = definition.module_version("amdgpu", bill.amdgpu) if bill.amdgpu else ""
    record = _vendor.observe(state, design, node, driver, READINGS, runtime=bill.rocm)
    devices = [
        device.model_copy(
            update={
                "uuid": device.uuid.removeprefix("GPU-"),
                "ecc_uncorrected_volatile": device.ecc_uncorrected_aggregate,
            }
        )
        for device in record.devices
    ]
    return record.model_copy(update={"devices": devices})


def render(record: Accelerators) -> bytes:
    """The sections of the collector's command; powers must be whole watts, memory whole MiB."""
    node = _vendor.node(record)
    texts = {"version": amd_smi.version(node, record.cuda_driver_version)}
    texts |= {verb: amd_smi.document(verb, node, amd_partition.DEFAULT) for verb in VERBS}
    texts["links"] = amd_smi.links(node)
    return "".join(f"== {name}\n{text}\n" for name, text in texts.items()).encode()
