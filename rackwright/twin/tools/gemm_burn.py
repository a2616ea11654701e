"""What ``rackwright-burn gemm`` prints on a node."""

from __future__ import annotations

import json
from typing import Any

from rackwright.collect.loadlogs import clock_event_reasons
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
    return json.dumps(
        {"schema": 2, "tool": record.tool, "devices": [_device(device) for device in record.devices]}
    ).encode()


def _device(device: BurnedDevice) -> dict[str, Any]:
    return {
        "index": device.index,
        "uuid": device.uuid,
        "serial": device.serial,
        "pci_bus_id": device.pci_bus_id,
        "gemms": [gemm.model_dump() for gemm in device.gemms],
        "samples": _columns(device.samples),
    }


def _columns(samples: Samples) -> dict[str, Any]:
    return {
        "second": samples.second,
        "power_milliwatts": [None if watts is None else round(watts * 1000) for watts in samples.power_watts],
        "sm_clock_mhz": samples.sm_clock_mhz,
        "temperature_celsius": samples.temperature_celsius,
        "reasons": [None if names is None else clock_event_reasons.mask(names) for names in samples.throttle_reasons],
    }
