"""The same burns, memory tests and copies as the tools of other vendors tell of them.

What a tool does not tell is left out: those of AMD and Huawei compare no results and name no reasons of a clock that is held.
"""

from __future__ import annotations

from typing import TypeVar

from rackwright.model.design import Design
from rackwright.model.evidence.load import Burn, BurnedDevice, Copies, Copy, DeviceMemorySpeed, MemoryBandwidth
from rackwright.twin.hardware.performance import burn, copies, model
from rackwright.twin.hardware.state import State

T = TypeVar("T", BurnedDevice, DeviceMemorySpeed)
AMD_BURN, AMD_MEMORY, AMD_COPIES = "hipblaslt-bench", "BabelStream 5.0", "TransferBench 1.64.00"
ASCEND = "ascend-dmi 7.1.RC1"
AMD_EDGE, ASCEND_EDGE = 8192, 256


def amd_burn(state: State, design: Design, node: str) -> Burn:
    """As ``rackwright-burn amd-gemm`` tells it."""
    found = burn.burn(state, model.expectation(design, node), state.machines[node])
    return Burn(tool=AMD_BURN, devices=[_plain(_amd(one), AMD_EDGE) for one in found.devices])


def ascend_burn(state: State, design: Design, node: str) -> Burn:
    """As ``rackwright-burn ascend-gemm`` tells it."""
    found = burn.burn(state, model.expectation(design, node), state.machines[node])
    return Burn(tool=ASCEND, devices=[_plain(_ascend(one), ASCEND_EDGE) for one in found.devices])


def amd_memory(state: State, design: Design, node: str) -> MemoryBandwidth:
    """As ``rackwright-burn amd-hbm`` tells it."""
    found = burn.memory(state, model.expectation(design, node), state.machines[node])
    return MemoryBandwidth(tool=AMD_MEMORY, devices=[_amd(one) for one in found.devices])


def ascend_memory(state: State, design: Design, node: str) -> MemoryBandwidth:
    """As ``rackwright-burn ascend-hbm`` tells it."""
    found = burn.memory(state, model.expectation(design, node), state.machines[node])
    return MemoryBandwidth(tool=ASCEND, devices=[_ascend(one) for one in found.devices])


def amd_copies(state: State, design: Design, node: str) -> Copies:
    """As ``rackwright-burn amd-copy`` tells it; accelerators are numbered as they are seen."""
    bill = design.site.software.bill(design.node(node).pool)
    found = copies.copies(state, model.expectation(design, node), state.machines[node], bill.amdgpu)
    told = [one.model_copy(update={"engine": "kernel"}) for one in found.copies]
    return found.model_copy(update={"tool": AMD_COPIES, "copies": told})


def ascend_copies(state: State, design: Design, node: str) -> Copies:
    """As ``rackwright-burn ascend-copy`` tells it; NPUs have the numbers of their cards."""
    bill = design.site.software.bill(design.node(node).pool)
    found = copies.copies(state, model.expectation(design, node), state.machines[node], bill.vendor_driver)
    cards = [gpu.index for gpu in model.working(state.machines[node])]
    told = [_numbered(one, cards) for one in found.copies]
    return found.model_copy(update={"tool": ASCEND, "copies": told})


def _numbered(one: Copy, cards: list[int]) -> Copy:
    source = None if one.source is None else cards[one.source]
    target = None if one.target is None else cards[one.target]
    return one.model_copy(update={"source": source, "target": target})


def _amd(one: T) -> T:
    return one.model_copy(update={"uuid": one.uuid.removeprefix("GPU-")})


def _ascend(one: T) -> T:
    return one.model_copy(update={"uuid": one.serial})


def _plain(one: BurnedDevice, edge: int) -> BurnedDevice:
    gemms = [gemm.model_copy(update={"size": edge, "mismatches": None, "digest": ""}) for gemm in one.gemms]
    samples = one.samples.model_copy(update={"throttle_reasons": [None] * len(one.samples.second)})
    return one.model_copy(update={"gemms": gemms, "samples": samples})
