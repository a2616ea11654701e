"""Renders the file that the twin's NVML library reads.

In: one machine of the twin. Out: text of ``key=value`` lines in NVML's units (bytes, milliwatts, degrees Celsius).
Cut here because it is the only place where the twin's records meet NVML's names; a key that is left out is a reading that
the device does not support. What daemons and packages decide (driver version, persistence, fabric state) is not in here:
the library reads that from the node itself.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rackwright.errors import Problem, ProblemsError
from rackwright.twin.state import Gpu, Machine

STATE_FILE = "/run/rackwright-twin/nvml.state"
"""Where the library looks for the state on a node."""

MODULE_LOADED = "/sys/module/nvidia/version"
"""Version of the kernel module that is loaded; the first user of the driver has it loaded."""

IDLE = "gpu_idle"

CLOCKS_EVENT_REASONS = {
    IDLE: 0x001,
    "applications_clocks_setting": 0x002,
    "sw_power_cap": 0x004,
    "hw_slowdown": 0x008,
    "sync_boost": 0x010,
    "sw_thermal_slowdown": 0x020,
    "hw_thermal_slowdown": 0x040,
    "hw_power_brake_slowdown": 0x080,
    "display_clock_setting": 0x100,
}
"""Bits of nvmlDeviceGetCurrentClocksEventReasons (nvml.h, nvmlClocksEventReasons)."""


def render(machine: Machine) -> str:
    """The state file of `machine`; GPUs that have fallen off the bus are left out and the others move up, as on a real node.

    Raises `ProblemsError` when a GPU throttles for a reason that NVML does not know.
    """
    present = [gpu for gpu in machine.gpus if gpu.present]
    lines = [f"# {machine.node}", f"gpus={len(present)}"]
    for index, gpu in enumerate(present):
        lines += [f"gpu.{index}.{key}={value}" for key, value in _readings(machine, gpu, index).items()]
    return "\n".join(lines) + "\n"


def _readings(machine: Machine, gpu: Gpu, index: int) -> dict[str, object]:
    return {
        "minor": index,
        "name": gpu.product_name,
        "uuid": gpu.uuid,
        "serial": gpu.serial,
        "bus_id": gpu.pci_bus_id,
        "vbios": gpu.vbios,
        "memory.total": gpu.memory_bytes,
        "memory.used": 0,
        "compute_mode": 0,
        "performance_state": _devices()["idle_performance_state"],
        "temperature": gpu.temperature_celsius,
        "power.limit": gpu.power_limit_watts * 1000,
        "power.usage": int(gpu.power_limit_watts * 1000 * _devices()["idle_power_share"]),
        "clocks_event_reasons": _reasons(machine, gpu),
        **_memory_health(gpu),
        **_pcie(machine, gpu),
        **_nvlink(gpu),
        **_product(gpu),
    }


def _memory_health(gpu: Gpu) -> dict[str, object]:
    remapped = gpu.row_remap_pending or gpu.row_remap_failed
    return {
        "ecc.mode": 1,
        "ecc.corrected.volatile": 0,
        "ecc.corrected.aggregate": 0,
        "ecc.uncorrected.volatile": gpu.ecc_uncorrected_volatile,
        "ecc.uncorrected.aggregate": gpu.ecc_uncorrected_aggregate,
        "remapped.corrected": 0,
        "remapped.uncorrected": int(remapped),  # a remap is asked for by an uncorrectable error, so there is one
        "remapped.pending": int(gpu.row_remap_pending),
        "remapped.failed": int(gpu.row_remap_failed),
    }


def _pcie(machine: Machine, gpu: Gpu) -> dict[str, object]:
    # The state holds what a link trained to; what the slot could do is what the best GPU of the same machine has.
    return {
        "pcie.generation": gpu.pcie_generation,
        "pcie.width": gpu.pcie_width,
        "pcie.generation_max": max(other.pcie_generation for other in machine.gpus),
        "pcie.width_max": max(other.pcie_width for other in machine.gpus),
        "pcie.replays": gpu.pcie_replays,
    }


def _nvlink(gpu: Gpu) -> dict[str, object]:
    if not gpu.nvlinks:
        return {}
    crc = [gpu.nvlink_crc_errors, *[0] * (len(gpu.nvlinks) - 1)]
    return {
        "nvlink.up": "".join("1" if up else "0" for up in gpu.nvlinks),
        "nvlink.crc_flit": ",".join(str(errors) for errors in crc),
    }


def _product(gpu: Gpu) -> dict[str, object]:
    products: dict[str, dict[str, object]] = _devices()["products"]
    matching = [name for name in products if gpu.product_name.startswith(name)]
    facts = products[max(matching, key=len)] if matching else {}
    return {key.replace("nvlink_", "nvlink."): value for key, value in facts.items()}


def _reasons(machine: Machine, gpu: Gpu) -> int:
    unknown = [reason for reason in gpu.throttle_reasons if reason not in CLOCKS_EVENT_REASONS]
    if unknown:
        raise ProblemsError([_unknown_reason(machine, gpu, reason) for reason in unknown])
    return sum(CLOCKS_EVENT_REASONS[reason] for reason in {IDLE, *gpu.throttle_reasons})


def _unknown_reason(machine: Machine, gpu: Gpu, reason: str) -> Problem:
    return Problem(
        place=machine.node,
        path=f"gpus[{gpu.index}].throttle_reasons",
        message="NVML has no such clocks event reason",
        expected=", ".join(sorted(CLOCKS_EVENT_REASONS)),
        found=reason,
        next_step="use one of the names above in the fault",
        code="twin.unknown_throttle_reason",
    )


@cache
def _devices() -> dict[str, Any]:
    loaded = yaml.safe_load(Path(__file__).with_name("devices.yaml").read_text())
    assert isinstance(loaded, dict)
    return loaded
