"""What ``rackwright-burn gemm`` says on a node."""

from __future__ import annotations

import json
from typing import Any

from rackwright.collect.loadlogs import reasons
from rackwright.model.design import Design
from rackwright.model.evidence.load import Burn, BurnedDevice, Samples
from rackwright.twin.hardware.performance import burn, model
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Burn:
    """Every accelerator that is there."""
    return burn.burn(state, model.expectation(design, node), state.machines[node])


def render(record: Burn) -> bytes:
    """The document that the collector parses to `record`."""
    return json.dumps({"schema": 2, "tool": record.tool, "devices": [_device(one) for one in record.devices]}).encode()


def _device(one: BurnedDevice) -> dict[str, Any]:
    return {
        "index": one.index,
        "uuid": one.uuid,
        "serial": one.serial,
        "pci_bus_id": one.pci_bus_id,
        "gemms": [gemm.model_dump() for gemm in one.gemms],
        "samples": _columns(one.samples),
    }


def _columns(one: Samples) -> dict[str, Any]:
    return {
        "second": one.second,
        "power_milliwatts": [None if watts is None else round(watts * 1000) for watts in one.power_watts],
        "sm_clock_mhz": one.sm_clock_mhz,
        "temperature_celsius": one.temperature_celsius,
        "reasons": [None if names is None else reasons.mask(names) for names in one.throttle_reasons],
    }
