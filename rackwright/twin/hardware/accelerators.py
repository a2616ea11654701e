"""Renders the accelerators of a node, of any vendor, for the stub tools of the vendors (amd-smi, npu-smi, hl-smi ...).

The result is the JSON text of `FILE`, an object with

    node          name of the node
    vendor        nvidia, amd, huawei ... (``hardware/vendors/``)
    module        kernel module that drives them (amdgpu); they answer only while /sys/module/<module> is there, and
                  /sys/module/<module>/version holds the release of the driver that is loaded
    count         how many should be there, those that fell off the bus included
    accelerators  those that are there, in bus order, each with
        index, card, chip, chips (which device of which part, and how many it has), vendor, architecture (cdna3), product (AMD Instinct MI300X), serial, uuid,
        bus_id (0000:1b:00.0), pci_vendor and pci_device (4 hex digits), memory_mib, memory_used_mib,
        firmware (release that the board carries; what an installer flashed stands in FIRMWARE_FILE and wins),
        temperature_celsius, power_watts, power_limit_watts, pcie_generation, pcie_width, links (scale-up links, all up),
        links_down, ecc_uncorrected, ecc_uncorrected_life, ecc_corrected, ecc (switched on), memory_celsius, throttled,
        retired_pages, retired_pending, healthy (false with an uncorrectable error)
    ports         network ports of NPUs by number of the NPU (`npu_ports.document`); none for other accelerators

Numbers are integers, but for optical power in mW.
"""

from __future__ import annotations

import json

from rackwright.base.content import Roots
from rackwright.twin.hardware import ids, npu_ports
from rackwright.twin.hardware.state import Gpu, TwinMachine

FILE = "/run/rackwright-twin/accelerators.json"
"""Where the tools find it on a node."""
FIRMWARE_FILE = "/var/lib/rackwright-twin/nvram/accelerator-firmware"
"""Release that an installer flashed into all accelerators of the node; one line. It outlives a reboot, as flash does."""
FIRST_RENDER = 128
"""Minor number of the first render node (Linux, Documentation/admin-guide/devices.txt)."""
IDLE_POWER_SHARE = 10
"""An idle accelerator draws limit/10: the twin's own choice, as in nvml/devices.yaml; no check may rest on it."""


def render(machine: TwinMachine, roots: Roots | None = None) -> str:
    """The text of `FILE` for `machine`; `roots` for vendors that the site brings."""
    vendor = machine.gpus[0].vendor
    document = {
        "node": machine.node,
        "vendor": vendor,
        "module": ids.of_vendor(vendor, roots)["module"],
        "count": len(machine.gpus),
        "accelerators": [_accelerator(gpu, number, roots) for number, gpu in numbered(machine, roots)],
        "ports": {number: npu_ports.document(nic) for number, nic in npu_ports.npu_ports(machine).items()},
    }
    return json.dumps(document, indent=1) + "\n"


def device_files(machine: TwinMachine, roots: Roots | None = None) -> list[str]:
    """Names below /dev of the accelerators that are there, single ones first."""
    by_accelerator = files_by_accelerator(machine, roots)
    if not by_accelerator:
        return []
    control: list[str] = ids.of_vendor(machine.gpus[0].vendor, roots)["control"]
    return [*(name for files in by_accelerator for name in files), *control]


def files_by_accelerator(machine: TwinMachine, roots: Roots | None = None) -> list[list[str]]:
    """Names below /dev of each accelerator that is there."""
    present = [number for number, _ in numbered(machine, roots)]
    names: list[str] = ids.of_vendor(machine.gpus[0].vendor, roots)["devices"] if present else []
    return [[name.format(index=index, render=FIRST_RENDER + index) for name in names] for index in present]


def numbered(machine: TwinMachine, roots: Roots | None = None) -> list[tuple[int, Gpu]]:
    """The accelerators on the bus by number: in order, or by their slot where one that is missing leaves a gap."""
    present = [gpu for gpu in machine.gpus if gpu.present]
    by_slot = bool(present) and ids.numbered_by_slot(present[0].vendor, roots)
    return [(gpu.index if by_slot else position, gpu) for position, gpu in enumerate(present)]


def npu_identifier(gpu: Gpu) -> str:
    """By what npu-smi tells an NPU from others: the serial number of its card, and the chip where that has several."""
    return f"{gpu.serial}-{gpu.chip}" if gpu.chips > 1 else gpu.serial


def _accelerator(gpu: Gpu, index: int, roots: Roots | None) -> dict[str, object]:
    vendor, device = ids.of_accelerator(gpu.vendor, gpu.product_name, roots)
    return {
        "index": index,
        "card": gpu.module,
        "chip": gpu.chip,
        "chips": gpu.chips,
        "vendor": gpu.vendor,
        "architecture": gpu.architecture,
        "product": gpu.product_name,
        "serial": gpu.serial,
        "uuid": gpu.uuid,
        "bus_id": gpu.pci_bus_id[4:],
        "pci_vendor": vendor,
        "pci_device": device,
        "memory_mib": gpu.memory_bytes >> 20,
        "memory_used_mib": 0,
        "firmware": gpu.vbios,
        "temperature_celsius": gpu.temperature_celsius,
        "power_watts": gpu.health.power_watts or gpu.power_limit_watts // IDLE_POWER_SHARE,
        "power_limit_watts": gpu.power_limit_watts,
        "pcie_generation": gpu.pcie_generation,
        "pcie_width": gpu.pcie_width,
        "links": gpu.scale_up_links,
        "links_down": sum(not up for up in gpu.nvlinks),
        "ecc_uncorrected": gpu.ecc_uncorrected_volatile,
        "ecc_uncorrected_life": max(gpu.ecc_uncorrected_volatile, gpu.ecc_uncorrected_aggregate),
        "ecc_corrected": gpu.health.ecc_corrected_dram,
        "ecc": gpu.health.ecc_enabled,
        "memory_celsius": gpu.health.memory_celsius,
        "throttled": bool(gpu.throttle_reasons),
        "retired_pages": gpu.health.retired_pages or 0,
        "retired_pending": gpu.health.retired_pages_pending,
        "healthy": gpu.ecc_uncorrected_volatile == 0,
    }
