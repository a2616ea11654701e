"""What gpu-burn prints on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import Stress
from rackwright.twin.hardware.performance import burn, model
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Stress:
    """Every accelerator that is there."""
    return burn.stress(state, model.expectation(design, node), state.machines[node])


def render(record: Stress) -> bytes:
    """The output that the collector parses to `record`."""
    headers = [f"GPU {device.index}: {device.product_name} (UUID: {device.uuid})" for device in record.devices]
    rates = [f"512 ({device.gflops!r} Gflop/s)" if device.gflops is not None else "--" for device in record.devices]
    errors = [
        "--" if device.errors is None else f"{device.errors}{'  (WARNING!)' if device.errors else ''}"
        for device in record.devices
    ]
    heat = [
        "--" if device.temperature_celsius is None else f"{device.temperature_celsius} C" for device in record.devices
    ]
    progress = f"100.0%  proc'd: {' - '.join(rates)}   errors: {' - '.join(errors)}   temps: {' - '.join(heat)} "
    verdicts = [f"\tGPU {device.index}: {'FAULTY' if device.faulty else 'OK'}" for device in record.devices]
    return "\n".join([*headers, progress, "", f"Tested {len(record.devices)} GPUs:", *verdicts, ""]).encode()
