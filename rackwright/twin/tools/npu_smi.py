"""What npu-smi prints on a node of the twin; the program on its hosts (``guest/vendors/npu_smi.py``) prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.software import Bill
from rackwright.twin.guest.vendors import npu_smi
from rackwright.twin.hardware import accelerators
from rackwright.twin.hardware.parts.gpu import FACTORY_VBIOS
from rackwright.twin.hardware.state import Gpu, State
from rackwright.twin.tools import _vendor

READINGS = frozenset({
    "serial", "vbios", "ecc_corrected_volatile", "ecc_corrected_dram", "ecc_uncorrected_volatile", "ecc_uncorrected_aggregate",
    "temperature_celsius", "power_watts", "retired_pages", "processes", "health",
})  # fmt: skip


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of npu-smi, which has no identifier but the serial number, and the chip where a card has several.

    Their firmware is that of the bill, which onboarding flashes.
    """
    bill = design.site.software.bill(design.node(node).pool)
    record = _vendor.observe(state, design, node, bill.ascend_driver, READINGS)
    gpus = [gpu for _, gpu in accelerators.numbered(state.machines[node])]
    silent = {"power_watts": None} if any(gpu.product_name.startswith("310P") for gpu in gpus) else {}
    devices = [
        device.model_copy(update={"uuid": accelerators.npu_identifier(gpu), "vbios": _firmware(gpu, bill), **silent})
        for device, gpu in zip(record.devices, gpus, strict=True)
    ]
    return record.model_copy(update={"devices": devices})


def _firmware(npu: Gpu, bill: Bill) -> str:
    """What onboarding flashed, unless somebody flashed another one."""
    return (bill.ascend_firmware if npu.vbios == FACTORY_VBIOS else "") or npu.vbios


def render(record: Accelerators) -> bytes:
    """The table, then board and ECC counts of each card; memory must be whole MiB."""
    node = _vendor.node(record)
    chips = [
        int(device.uuid.removeprefix(f"{device.serial}-")) if device.uuid != device.serial else 0
        for device in record.devices
    ]
    for npu, chip in zip(node.accelerators, chips, strict=True):
        npu |= {"card": npu["index"] // (max(chips) + 1), "chip": chip, "chips": max(chips) + 1}
    text = f"== table\n{npu_smi.table(node, record.driver_version)}\n"
    for card in dict.fromkeys(npu["card"] for npu in node.accelerators):
        text += f"== card {card}\n" + "".join(npu_smi.typed(kind, card, node) for kind in ("board", "ecc"))
    return text.encode()
