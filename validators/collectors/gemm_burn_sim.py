"""Prints a burn as ``rackwright-burn gemm`` does; power must be whole milliwatts."""

import json
from typing import Any

from rackwright.collect.loadlogs import reasons
from rackwright.model.evidence.load import Burn, BurnedDevice, Sample


def render(seen: Burn) -> bytes:
    """The document whose parse is `seen`."""
    return json.dumps({"schema": 1, "tool": seen.tool, "devices": [_device(one) for one in seen.devices]}).encode()


def _device(one: BurnedDevice) -> dict[str, Any]:
    return {
        "index": one.index,
        "uuid": one.uuid,
        "serial": one.serial,
        "pci_bus_id": one.pci_bus_id,
        "gemms": [gemm.model_dump() for gemm in one.gemms],
        "samples": [_sample(sample) for sample in one.samples.looks()],
    }


def _sample(one: Sample) -> dict[str, Any]:
    return {
        "second": one.second,
        "power_milliwatts": None if one.power_watts is None else round(one.power_watts * 1000),
        "sm_clock_mhz": one.sm_clock_mhz,
        "temperature_celsius": one.temperature_celsius,
        "reasons": None if one.throttle_reasons is None else reasons.mask(one.throttle_reasons),
    }
