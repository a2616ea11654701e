"""The same burns, memory tests and copies as the tools of other vendors report them.

Values that a tool does not report are omitted: those of AMD and Huawei compare no results and give no throttle reasons.
"""

from __future__ import annotations

from typing import TypeVar

from rackwright.model.design import Design
from rackwright.model.evidence.load import Burn, BurnedDevice, Copies, Copy, DeviceMemorySpeed, MemoryBandwidth
from rackwright.twin.hardware.accelerators import npu_identifier
from rackwright.twin.hardware.performance import burn, copies, model
from rackwright.twin.hardware.state import State, TwinMachine
from rackwright.twin.mirror import definition

T = TypeVar("T", BurnedDevice, DeviceMemorySpeed)
AMD_BURN, AMD_MEMORY, AMD_COPIES = "hipblaslt-bench", "BabelStream 5.0", "TransferBench 1.64.00"
ASCEND = "ascend-dmi 7.1.RC1"
AMD_EDGE, ASCEND_EDGE = 8192, 256


def amd_burn(state: State, design: Design, node: str) -> Burn:
    """As ``rackwright-burn amd-gemm`` reports it."""
    record = burn.burn(state, model.expectation(design, node), state.machines[node])
    return Burn(tool=AMD_BURN, devices=[_plain_device(_amd(device), AMD_EDGE) for device in record.devices])


def ascend_burn(state: State, design: Design, node: str) -> Burn:
    """As ``rackwright-burn ascend-gemm`` reports it."""
    record = burn.burn(state, model.expectation(design, node), state.machines[node])
    devices = [_plain_device(device, ASCEND_EDGE) for device in _ascend(state.machines[node], record.devices)]
    return Burn(tool=ASCEND, devices=devices)


def amd_memory(state: State, design: Design, node: str) -> MemoryBandwidth:
    """As ``rackwright-burn amd-hbm`` reports it."""
    record = burn.memory(state, model.expectation(design, node), state.machines[node])
    return MemoryBandwidth(tool=AMD_MEMORY, devices=[_amd(device) for device in record.devices])


def ascend_memory(state: State, design: Design, node: str) -> MemoryBandwidth:
    """As ``rackwright-burn ascend-hbm`` reports it."""
    record = burn.memory(state, model.expectation(design, node), state.machines[node])
    return MemoryBandwidth(tool=ASCEND, devices=_ascend(state.machines[node], record.devices))


def amd_copies(state: State, design: Design, node: str) -> Copies:
    """As ``rackwright-burn amd-copy`` reports it; accelerators are numbered as the tool sees them."""
    bill = design.site.software.bill(design.node(node).pool)
    record = copies.copies(
        state, model.expectation(design, node), state.machines[node], definition.module_version("amdgpu", bill.amdgpu)
    )
    copied = [copy.model_copy(update={"engine": "kernel"}) for copy in record.copies]
    return record.model_copy(update={"tool": AMD_COPIES, "copies": copied})


def ascend_copies(state: State, design: Design, node: str) -> Copies:
    """As ``rackwright-burn ascend-copy`` reports it; NPUs have the numbers of their cards."""
    bill = design.site.software.bill(design.node(node).pool)
    record = copies.copies(state, model.expectation(design, node), state.machines[node], bill.vendor_driver)
    cards = [gpu.index for gpu in model.working(state.machines[node])]
    copied = [_numbered_copy(copy, cards) for copy in record.copies]
    return record.model_copy(update={"tool": ASCEND, "copies": copied})


def _numbered_copy(copy: Copy, cards: list[int]) -> Copy:
    source = None if copy.source is None else cards[copy.source]
    target = None if copy.target is None else cards[copy.target]
    return copy.model_copy(update={"source": source, "target": target})


def _amd(device: T) -> T:
    return device.model_copy(update={"uuid": device.uuid.removeprefix("GPU-")})


def _ascend(machine: TwinMachine, devices: list[T]) -> list[T]:
    """With the identifiers of npu-smi: the serial number of the card, and the chip where it has several."""
    gpus = {gpu.index: gpu for gpu in machine.gpus}
    return [device.model_copy(update={"uuid": npu_identifier(gpus[device.index])}) for device in devices]


def _plain_device(device: BurnedDevice, edge: int) -> BurnedDevice:
    gemms = [gemm.model_copy(update={"size": edge, "mismatches": None, "digest": ""}) for gemm in device.gemms]
    samples = device.samples.model_copy(update={"throttle_reasons": [None] * len(device.samples.second)})
    return device.model_copy(update={"gemms": gemms, "samples": samples})
