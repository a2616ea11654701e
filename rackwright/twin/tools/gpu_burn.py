"""What gpu-burn says on a node."""

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
    named = [f"GPU {one.index}: {one.product_name} (UUID: {one.uuid})" for one in record.devices]
    rates = [f"512 ({one.gflops!r} Gflop/s)" if one.gflops is not None else "--" for one in record.devices]
    errors = [
        "--" if one.errors is None else f"{one.errors}{'  (WARNING!)' if one.errors else ''}" for one in record.devices
    ]
    heat = ["--" if one.temperature_celsius is None else f"{one.temperature_celsius} C" for one in record.devices]
    progress = f"100.0%  proc'd: {' - '.join(rates)}   errors: {' - '.join(errors)}   temps: {' - '.join(heat)} "
    verdicts = [f"\tGPU {one.index}: {'FAULTY' if one.faulty else 'OK'}" for one in record.devices]
    return "\n".join([*named, progress, "", f"Tested {len(record.devices)} GPUs:", *verdicts, ""]).encode()
