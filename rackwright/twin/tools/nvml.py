"""What NVML prints on a node of the twin; the library that hosts of the twin load (``twin/nvml/src``) says the same."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.twin.hardware.state import Gpu, State, TwinMachine
from rackwright.twin.nvml import state_file
from rackwright.twin.nvml.library import cuda_of
from rackwright.twin.tools import Failed
from rackwright.twin.tools.nvml_dump import render

__all__ = ["observe", "render"]

MODES = ("default", "exclusive_thread", "prohibited", "exclusive_process")
ACTIONS = ("none", "gpu_reset", "node_reboot", "drain_p2p", "drain_and_reset")
MANAGER = "nvidia-fabricmanager"


def observe(state: State, design: Design, node: str) -> Accelerators:
    """Every accelerator that is on the bus, in bus order."""
    machine, place = state.machines[node], design.node(node)
    driver = machine.system.driver or design.site.software.bill(place.pool).driver
    if "nvidia" not in machine.system.modules or not any(gpu.present for gpu in machine.gpus):
        raise Failed(1, "NVML does not start: NVML_ERROR_DRIVER_NOT_LOADED")
    managed = _managed(machine, manager=place.server.fabric_manager)
    present = [gpu for gpu in machine.gpus if gpu.present]
    return Accelerators(
        driver_version=driver,
        cuda_driver_version=cuda_of(driver),
        devices=[_device(machine, gpu, index, driver, managed=managed) for index, gpu in enumerate(present)],
    )


def _managed(machine: TwinMachine, *, manager: bool) -> bool:
    """Whether the NVLink fabric comes up: on a board with a manager of its own only while that runs."""
    stale = any(name.startswith(MANAGER) for name in machine.package_versions)
    return not manager or not (stale or MANAGER in machine.system.stopped_services)


def _device(machine: TwinMachine, gpu: Gpu, index: int, driver: str, *, managed: bool) -> Device:
    health = gpu.health
    running = health.persistence and "nvidia-persistenced" not in machine.system.stopped_services
    return Device(
        index=index,
        uuid=gpu.uuid,
        serial=gpu.serial,
        product_name=gpu.product_name,
        pci_bus_id=gpu.pci_bus_id,
        vbios=gpu.vbios,
        memory_total_bytes=gpu.memory_bytes,
        ecc_enabled=health.ecc_enabled,
        ecc_corrected_volatile=0,
        ecc_uncorrected_volatile=gpu.ecc_uncorrected_volatile,
        ecc_uncorrected_aggregate=gpu.ecc_uncorrected_aggregate,
        remapped_rows_corrected=0,
        remapped_rows_uncorrected=state_file.rows(gpu),
        row_remap_pending=gpu.row_remap_pending,
        row_remap_failed=gpu.row_remap_failed,
        pcie_generation=gpu.pcie_generation,
        pcie_width=gpu.pcie_width,
        pcie_replays=gpu.pcie_replays,
        temperature_celsius=gpu.temperature_celsius,
        power_limit_watts=float(gpu.power_limit_watts),
        throttle_reasons=list(gpu.throttle_reasons),
        persistence_mode=running,
        pcie_generation_max=max(neighbour.pcie_generation for neighbour in machine.gpus),
        performance_state=0,
        part_number=health.part_number,
        inforom=health.inforom,
        inforom_valid=health.inforom_valid,
        gsp_firmware=health.gsp_firmware or driver,
        compute_mode=MODES[health.compute_mode],
        mig_enabled=health.mig,
        processes=[pid for pid, _ in health.processes],
        recovery_action=ACTIONS[health.recovery_action],
        **_memory(gpu),
        **_power(machine, gpu),
        **_links(machine, gpu, managed=managed),
    )


def _memory(gpu: Gpu) -> dict[str, Any]:
    health = gpu.health
    return {
        "ecc_corrected_dram": health.ecc_corrected_dram,
        "ecc_corrected_sram": health.ecc_corrected_sram,
        "ecc_uncorrected_sram": health.ecc_uncorrected_sram,
        "retired_pages": health.retired_pages,
        "retired_pages_pending": None if health.retired_pages is None else health.retired_pages_pending,
        "spare_banks": list(health.spare_banks),
    }


def _power(machine: TwinMachine, gpu: Gpu) -> dict[str, Any]:
    health = gpu.health
    return {
        "power_limit_default_watts": float(state_file.default_watts(machine)),
        "power_watts": round(state_file.watts(gpu) * 1000) / 1000,
        "temperature_memory_celsius": health.memory_celsius,
        "temperature_margin_celsius": state_file.margin(gpu),
        "clock_sm_max_mhz": health.clock_sm_mhz,
        "clock_sm_application_mhz": health.application_clock_mhz or health.clock_sm_mhz,
        "clock_sm_default_mhz": health.clock_sm_mhz,
    }


def _links(machine: TwinMachine, gpu: Gpu, *, managed: bool) -> dict[str, Any]:
    health, count = gpu.health, len(gpu.nvlinks)
    if not count:
        return {
            "nvlink_active": [],
            "nvlink_crc_errors": [],
            "fabric_state": "not_supported",
            "fabric_status": "success",
        }
    joined = managed and health.fabric_joined
    return {
        "nvlink_active": list(gpu.nvlinks),
        "nvlink_crc_errors": [gpu.nvlink_crc_errors, *[0] * (count - 1)],
        "nvlink_mbytes_per_s": state_file.link_rates(gpu),
        "nvlink_replays": state_file.filled(health.link_replays, count),
        "nvlink_recoveries": state_file.filled(health.link_recoveries, count),
        "nvlink_peers": ["gpu" if link in health.direct_links else "switch" for link in range(count)],
        "fabric_state": "completed" if joined else "not_started",
        "fabric_status": "success",
        "fabric_domain": state_file.fabric_uuid(machine),
        "fabric_clique": health.clique,
        "fabric_problems": ["degraded_bandwidth"] if health.fabric_degraded else [],
    }
