"""Renders the file that the twin's NVML library reads.

What daemons and packages decide (driver version, persistence, fabric state) is not in here:
the library reads that from the node itself.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.twin.hardware.state import Gpu, TwinMachine

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


def render(machine: TwinMachine) -> str:
    """The state file of `machine`; GPUs that have fallen off the bus are left out and the others move up, as on a real node.

    Raises `ProblemsError` when a GPU throttles for a reason that NVML does not know.
    """
    present = [gpu for gpu in machine.gpus if gpu.present]
    lines = [f"# {machine.node}", f"gpus={len(present)}"]
    for index, gpu in enumerate(present):
        lines += [f"gpu.{index}.{key}={value}" for key, value in _readings(machine, gpu, index).items()]
    return "\n".join(lines) + "\n"


def _readings(machine: TwinMachine, gpu: Gpu, index: int) -> dict[str, object]:
    return {
        "minor": index,
        "name": gpu.product_name,
        "uuid": gpu.uuid,
        "serial": gpu.serial,
        "bus_id": gpu.pci_bus_id,
        "vbios": gpu.vbios,
        "memory.total": gpu.memory_bytes,
        "memory.used": 0,
        "compute_mode": gpu.health.compute_mode,
        "performance_state": _devices()["idle_performance_state"],
        "temperature": gpu.temperature_celsius,
        "power.limit": gpu.power_limit_watts * 1000,
        "power.default": default_watts(machine) * 1000,
        "power.usage": int(watts(gpu) * 1000),
        "clocks_event_reasons": _reasons(machine, gpu),
        **_memory_health(gpu),
        **_pcie(machine, gpu),
        **_nvlink(machine, gpu),
        **_board(gpu),
        **_product(gpu),
    }


def watts(gpu: Gpu) -> float:
    """What a GPU draws: the twin runs no load, so it idles."""
    share: float = _devices()["idle_power_share"]
    return gpu.health.power_watts or gpu.power_limit_watts * share


def default_watts(machine: TwinMachine) -> int:
    """The limit that a GPU of the machine leaves the factory with: that of most of them, as a fault lowers one."""
    limits = [gpu.power_limit_watts for gpu in machine.gpus]
    return max(limits, key=limits.count)


def margin(gpu: Gpu) -> int:
    """Degrees that are left before a GPU slows down."""
    slowdown: int = _devices()["slowdown_celsius"]
    celsius = gpu.health.margin_celsius
    return slowdown - gpu.temperature_celsius if celsius is None else celsius


def fabric_uuid(machine: TwinMachine) -> str:
    """The identifier of the NVLink domain of a machine, 32 hex digits."""
    return hashlib.sha256(f"{machine.node}/nvlink".encode()).hexdigest()[:32]


def _board(gpu: Gpu) -> dict[str, object]:
    health = gpu.health
    retired = {} if health.retired_pages is None else {
        "retired.pages": health.retired_pages, "retired.pending": int(health.retired_pages_pending),
    }  # fmt: skip
    return {
        **retired,
        "part_number": health.part_number,
        "inforom": health.inforom,
        "inforom.valid": int(health.inforom_valid),
        **({"gsp_firmware": health.gsp_firmware} if health.gsp_firmware else {}),
        "temperature.memory": health.memory_celsius,
        "temperature.margin": margin(gpu),
        "clock.sm.max": health.clock_sm_mhz,
        "clock.sm.application": health.application_clock_mhz or health.clock_sm_mhz,
        "processes": ",".join(str(pid) for pid, _ in health.processes),
        "recovery_action": health.recovery_action,
        "persistence": int(health.persistence),
        **({"mig.enabled": 1} if health.mig else {}),
    }


def rows(gpu: Gpu) -> int:
    """Rows remapped after uncorrectable errors: a pending or failed remap follows such an error as well."""
    return gpu.health.remapped_rows or int(gpu.row_remap_pending or gpu.row_remap_failed)


def _memory_health(gpu: Gpu) -> dict[str, object]:
    health = gpu.health
    return {
        "ecc.mode": int(health.ecc_enabled),
        "ecc.corrected.volatile": 0,
        "ecc.corrected.aggregate": health.ecc_corrected_dram + health.ecc_corrected_sram,
        "ecc.corrected.sram": health.ecc_corrected_sram,
        "ecc.uncorrected.sram": health.ecc_uncorrected_sram,
        "ecc.uncorrected.volatile": gpu.ecc_uncorrected_volatile,
        "ecc.uncorrected.aggregate": gpu.ecc_uncorrected_aggregate,
        "remapped.corrected": 0,
        "remapped.uncorrected": rows(gpu),
        "remapped.banks": ",".join(str(count) for count in health.spare_banks),
        "remapped.pending": int(gpu.row_remap_pending),
        "remapped.failed": int(gpu.row_remap_failed),
    }


def _pcie(machine: TwinMachine, gpu: Gpu) -> dict[str, object]:
    # The state holds what a link trained to; what the slot could do is what the best GPU of the same machine has.
    return {
        "pcie.generation": gpu.pcie_generation,
        "pcie.width": gpu.pcie_width,
        "pcie.generation_max": max(neighbour.pcie_generation for neighbour in machine.gpus),
        "pcie.width_max": max(neighbour.pcie_width for neighbour in machine.gpus),
        "pcie.replays": gpu.pcie_replays,
    }


def _nvlink(machine: TwinMachine, gpu: Gpu) -> dict[str, object]:
    if not gpu.nvlinks:
        return {}
    health, count = gpu.health, len(gpu.nvlinks)
    columns = {
        "crc_flit": [gpu.nvlink_crc_errors, *[0] * (count - 1)],
        "replay": filled(health.link_replays, count),
        "recovery": filled(health.link_recoveries, count),
        "mbps": link_rates(gpu),
    }
    return {
        "nvlink.up": "".join("1" if up else "0" for up in gpu.nvlinks),
        **{f"nvlink.{name}": ",".join(str(value) for value in values) for name, values in columns.items()},
        "nvlink.direct": "".join("1" if link in health.direct_links else "0" for link in range(count)),
        "fabric.uuid": fabric_uuid(machine),
        "fabric.clique": health.clique,
        "fabric.health": int(health.fabric_degraded),
        "fabric.joined": int(health.fabric_joined),
    }


def filled(values: tuple[int, ...], count: int) -> list[int]:
    """One value per link; those that no fault names are zero."""
    return [*values, *[0] * count][:count]


def link_rates(gpu: Gpu) -> list[int]:
    """Raw rate of every link; a slow one has half of it, one that is down none."""
    full, slow = gpu.health.link_mbps, gpu.health.slow_links
    return [0 if not up else full // 2 if link in slow else full for link, up in enumerate(gpu.nvlinks)]


def _product(gpu: Gpu) -> dict[str, object]:
    products: dict[str, dict[str, object]] = _devices()["products"]
    matching = [name for name in products if gpu.product_name.startswith(name)]
    facts = products[max(matching, key=len)] if matching else {}
    return {key.replace("nvlink_", "nvlink."): value for key, value in facts.items()}


def _reasons(machine: TwinMachine, gpu: Gpu) -> int:
    unknown = [reason for reason in gpu.throttle_reasons if reason not in CLOCKS_EVENT_REASONS]
    if unknown:
        raise ProblemsError([_unknown_reason(machine, gpu, reason) for reason in unknown])
    return sum(CLOCKS_EVENT_REASONS[reason] for reason in {IDLE, *gpu.throttle_reasons})


def _unknown_reason(machine: TwinMachine, gpu: Gpu, reason: str) -> Problem:
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
    loaded = yaml_text.load(Path(__file__).with_name("devices.yaml").read_text())
    assert isinstance(loaded, dict)
    return loaded
