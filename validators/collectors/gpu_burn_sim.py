"""Prints a stress test as gpu-burn does: devices, the last progress line, verdicts."""

from rackwright.model.evidence.load import Stress


def render(seen: Stress) -> bytes:
    """The output whose parse is `seen`."""
    named = [f"GPU {one.index}: {one.product_name} (UUID: {one.uuid})" for one in seen.devices]
    rates = [f"512 ({one.gflops!r} Gflop/s)" if one.gflops is not None else "--" for one in seen.devices]
    errors = [
        "--" if one.errors is None else f"{one.errors}{'  (WARNING!)' if one.errors else ''}" for one in seen.devices
    ]
    heat = ["--" if one.temperature_celsius is None else f"{one.temperature_celsius} C" for one in seen.devices]
    progress = f"100.0%  proc'd: {' - '.join(rates)}   errors: {' - '.join(errors)}   temps: {' - '.join(heat)} "
    verdicts = [f"\tGPU {one.index}: {'FAULTY' if one.faulty else 'OK'}" for one in seen.devices]
    return "\n".join([*named, progress, "", f"Tested {len(seen.devices)} GPUs:", *verdicts, ""]).encode()
