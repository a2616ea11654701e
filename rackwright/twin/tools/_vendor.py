"""What the tools of vendors other than NVIDIA report of the accelerators of a node, and the state that their programs print from."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.twin.guest.vendors.node import VendorNode
from rackwright.twin.hardware import accelerators
from rackwright.twin.hardware.state import Gpu, State
from rackwright.twin.tools import Failed

MIB = 2**20
RELEASE = "25.2.3"
"""Of a driver whose version no field of the bill names."""


def observe(
    state: State, design: Design, node: str, driver: str, keep: frozenset[str], *, runtime: str = ""
) -> Accelerators:
    """Every accelerator on the bus, with the readings `keep` of `Device` beside those that every tool gives."""
    present = accelerators.numbered(state.machines[node])
    if not present:
        raise Failed(1, "no accelerators found, or the driver is not loaded")
    del design
    return Accelerators(
        driver_version=state.machines[node].system.driver or driver or RELEASE,
        cuda_driver_version=runtime,
        devices=[_device(gpu, number, keep) for number, gpu in present],
    )


def _device(gpu: Gpu, index: int, keep: frozenset[str]) -> Device:
    health, down = gpu.health, sum(not up for up in gpu.nvlinks)
    life = max(gpu.ecc_uncorrected_aggregate, gpu.ecc_uncorrected_volatile)
    readings = {
        "serial": gpu.serial,
        "vbios": gpu.vbios,
        "ecc_enabled": health.ecc_enabled,
        "ecc_corrected_volatile": health.ecc_corrected_dram,
        "ecc_corrected_dram": health.ecc_corrected_dram,
        "ecc_uncorrected_volatile": gpu.ecc_uncorrected_volatile,
        "ecc_uncorrected_aggregate": life,
        "pcie_generation": gpu.pcie_generation or None,
        "pcie_width": gpu.pcie_width or None,
        "pcie_replays": gpu.pcie_replays,
        "temperature_celsius": gpu.temperature_celsius,
        "temperature_memory_celsius": health.memory_celsius,
        "power_limit_watts": float(gpu.power_limit_watts),
        "power_watts": float(health.power_watts or gpu.power_limit_watts // accelerators.IDLE_POWER_SHARE),
        "throttle_reasons": ["throttled"] if gpu.throttle_reasons else [],
        "retired_pages": health.retired_pages or 0,
        "retired_pages_pending": health.retired_pages_pending,
        "processes": [pid for pid, _ in health.processes],
        "scale_up_active": [link >= down for link in range(gpu.scale_up_links)],
        "health": "OK" if gpu.ecc_uncorrected_volatile == 0 else "Alarm",
    }
    return Device.bare(
        index=index,
        uuid=gpu.uuid,
        product_name=gpu.product_name,
        pci_bus_id=gpu.pci_bus_id,
        memory_total_bytes=gpu.memory_bytes,
        **{name: value for name, value in readings.items() if name in keep},
    )


def node(record: Accelerators) -> VendorNode:
    """`record` as the programs of the vendors read it on a host; a reading that is None stays None."""
    processes = [
        (str(device.index), str(pid), "python3") for device in record.devices for pid in device.processes or ()
    ]
    return VendorNode(record.driver_version, [_accelerator(device) for device in record.devices], processes)


def _accelerator(device: Device) -> dict[str, Any]:
    """The fields of ``hardware/accelerators.py``."""
    return {
        "index": device.index,
        "card": device.index,
        "chip": 0,
        "chips": 1,
        "architecture": "",
        "product": device.product_name,
        "serial": device.serial or "N/A",
        "uuid": device.uuid,
        "unique_id": device.uuid,
        "bus_id": device.pci_bus_id[4:],
        "pci_vendor": "1002",
        "pci_device": "0000",
        "memory_mib": device.memory_total_bytes // MIB,
        "memory_used_mib": 0,
        "firmware": device.vbios,
        "temperature_celsius": device.temperature_celsius,
        "memory_celsius": device.temperature_memory_celsius,
        "power_watts": _whole_watts(device.power_watts),
        "power_limit_watts": _whole_watts(device.power_limit_watts),
        "pcie_generation": device.pcie_generation,
        "pcie_width": device.pcie_width,
        "pcie_replays": device.pcie_replays,
        "links_active": device.scale_up_active,
        "ecc_corrected": device.ecc_corrected_volatile,
        "ecc_corrected_life": device.ecc_corrected_dram,
        "ecc_uncorrected": device.ecc_uncorrected_volatile,
        "ecc_uncorrected_life": device.ecc_uncorrected_aggregate,
        "ecc": device.ecc_enabled,
        "throttled": None if device.throttle_reasons == ["unknown"] else bool(device.throttle_reasons),
        "retired_pages": device.retired_pages,
        "retired_pending": device.retired_pages_pending,
        "processes_unread": device.processes is None,
        "health": device.health,
    }


def _whole_watts(watts: float | None) -> int | None:
    return None if watts is None else round(watts)
