"""The PCI bus of a node: its accelerators, NVSwitches, network adapters and the bridges above them.

Layout: PCI Express Base
Specification 5.0, chapter 7 (header, PCI Express capability, Access Control Services).
"""

from __future__ import annotations

import struct

from rackwright.base.content import Roots
from rackwright.twin.hardware import ids
from rackwright.twin.hardware.state import MachinePort, TwinMachine

CONFIG_BYTES = 0x108
"""The bytes of the 4096 that are not all zero."""
EXPRESS, EXPRESS_ID = 0x40, 0x10
ACS, ACS_ID = 0x100, 0x000D
ACS_OFFERED = 0x005F
"""What a switch port can do: source validation, translation blocking, redirects, upstream forwarding, direct translated."""
ACS_AT_BOOT = 0x001D
"""What Linux switches on on every bridge when the IOMMU runs (drivers/pci/pci.c, pci_std_enable_acs): SV, RR, CR, UF."""
ENDPOINT, DOWNSTREAM = 0x0, 0x6
NIC_BUS, SWITCH_BUS = 0xA0, 0x05
NIC_GENERATION, NIC_WIDTH = 5, 16

Function = dict[str, object]


def bus(machine: TwinMachine, roots: Roots | None = None) -> list[Function]:
    """Every function of `machine`, in order of address, without accelerators that fell off the bus."""
    functions: list[Function] = []
    by_address = {gpu.pci_bus_id[4:].lower(): gpu for gpu in sorted(machine.gpus, key=lambda gpu: gpu.present)}
    for address, gpu in by_address.items():
        functions.append(_bridge(int(address[5:7], 16)))
        if gpu.present:
            pci_id, kind = (
                ids.of_accelerator(gpu.vendor, gpu.product_name, roots),
                ids.accelerator_class(gpu.vendor, roots),
            )
            functions.append(_endpoint(address, pci_id, kind, (gpu.pcie_generation, gpu.pcie_width)))
    switch = ids.of_nvswitch(machine.gpus[0].product_name) if machine.gpus and machine.nvswitches else None
    classes = ids.data()["classes"]
    for index in range(machine.nvswitches if switch else 0):
        assert switch is not None
        functions.append(_endpoint(f"0000:{SWITCH_BUS + index:02x}:00.0", switch, classes["nvswitch"], (2, 2)))
    for nic in machine.nics:
        adapter = ids.of_adapter(nic.adapter)
        if adapter:
            kind = classes["infiniband" if nic.infiniband else "ethernet"]
            functions.append(_endpoint(adapter_address(machine, nic), adapter, kind, (NIC_GENERATION, NIC_WIDTH)))
    return sorted(functions, key=lambda function: str(function["address"]))


def adapter_address(machine: TwinMachine, port: MachinePort) -> str:
    """Address of the function of an adapter port."""
    number, function = machine.slot(port)
    return f"0000:{NIC_BUS + number:02x}:00.{function}"


def _endpoint(address: str, pci_id: ids.Id, kind: str, link: tuple[int, int]) -> Function:
    return _function(address, pci_id, kind, _config(pci_id, kind, link, ENDPOINT))


def _bridge(below: int) -> Function:
    """The switch port above bus number `below`, with Access Control Services as Linux leaves them."""
    facts, kind = ids.data()["bridge"], ids.data()["classes"]["bridge"]
    pci_id = facts["vendor"], facts["device"]
    config = _config(pci_id, kind, (5, 16), DOWNSTREAM)
    config[0x0E] = 1  # header of a bridge: numbers of the buses on both sides follow
    config[0x18:0x1B] = bytes([below - 1, below, below])
    struct.pack_into("<IHH", config, ACS, ACS_ID | 1 << 16, ACS_OFFERED, ACS_AT_BOOT)
    return _function(f"0000:{below - 1:02x}:00.0", pci_id, kind, config)


def _config(pci_id: ids.Id, kind: str, link: tuple[int, int], port: int) -> bytearray:
    """Configuration space: header and PCI Express capability, link trained to `link` (generation, width)."""
    config = bytearray(CONFIG_BYTES)
    vendor, device = (int(part, 16) for part in pci_id)
    struct.pack_into(
        "<HHHH", config, 0x00, vendor, device, 0x0546, 0x0010
    )  # memory, bus master, INTx off; capabilities
    config[0x0A:0x0C] = bytes.fromhex(kind)[::-1]
    struct.pack_into("<HH", config, 0x2C, vendor, device)
    config[0x34] = EXPRESS
    generation, width = link
    trained = max(generation, 1) | max(width, 1) << 4
    struct.pack_into("<BBH", config, EXPRESS, EXPRESS_ID, 0, 0x0002 | port << 4)
    struct.pack_into("<I", config, EXPRESS + 0x0C, trained)
    struct.pack_into("<HH", config, EXPRESS + 0x10, 0, trained)
    return config


def _function(address: str, pci_id: ids.Id, kind: str, config: bytearray) -> Function:
    vendor, device = pci_id
    wide = f"v0000{vendor.upper()}d0000{device.upper()}sv0000{vendor.upper()}sd0000{device.upper()}"
    return {
        "address": address,
        "files": {
            "vendor": f"0x{vendor}\n",
            "device": f"0x{device}\n",
            "subsystem_vendor": f"0x{vendor}\n",
            "subsystem_device": f"0x{device}\n",
            "class": f"0x{kind}00\n",
            "modalias": f"pci:{wide}bc{kind[:2].upper()}sc{kind[2:].upper()}i00\n",
            "irq": "0\n",
            "resource": "0x0000000000000000 0x0000000000000000 0x0000000000000000\n" * 13,
            "numa_node": "-1\n",
        },
        "config": bytes(config).rstrip(b"\0").hex(),
    }
