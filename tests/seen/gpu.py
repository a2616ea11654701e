"""Healthy records of accelerators, the kernel log and the PCI bus, as a node of the example site gives them."""

from __future__ import annotations

from typing import Any

from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.imex import Imex
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.evidence.manager_log import ManagerLog
from rackwright.model.evidence.pci import Pci
from rackwright.twin.tools import lspci
from tests.seen.network import NODE, observe


def kernel_log(**change: Any) -> KernelLog:
    healthy = {"begins": "2026-11-21T06:02:11+0000", "xids": [], "switch_errors": [], "bus_errors": [], "events": []}
    return KernelLog(**(healthy | change))


def accelerators(**change: Any) -> Accelerators:
    from tests import build  # it reads this module at its end

    base = build.accelerators().model_dump()
    base["devices"] = [fields | identity_of(index) for index, fields in enumerate(base["devices"])]
    return Accelerators(**(base | change))


def identity_of(index: int) -> dict[str, Any]:
    """Readings beside those that `build.device` gives."""
    return {
        "index": index,
        "part_number": "692-2G520-0200-000",
        "inforom": "G520.0200.00.05",
        "inforom_valid": True,
        "gsp_firmware": "580.173.02",
        "ecc_corrected_dram": 0,
        "ecc_corrected_sram": 0,
        "ecc_uncorrected_sram": 0,
        "spare_banks": [2560, 0, 0, 0, 0],
        "power_limit_default_watts": 700.0,
        "power_watts": 70.0,
        "temperature_memory_celsius": 38,
        "temperature_margin_celsius": 53,
        "clock_sm_max_mhz": 1980,
        "clock_sm_application_mhz": 1980,
        "clock_sm_default_mhz": 1980,
        "compute_mode": "default",
        "mig_enabled": False,
        "processes": [],
        "recovery_action": "none",
        "nvlink_mbytes_per_s": [26562] * 18,
        "nvlink_replays": [0] * 18,
        "nvlink_recoveries": [0] * 18,
        "nvlink_peers": ["switch"] * 18,
        "fabric_domain": "7c1d5b6e0f3a4b2c8d9e0a1b2c3d4e5f",
        "fabric_clique": 1,
        "fabric_problems": [],
    }


def pci(**change: Any) -> Pci:
    return Pci(**(observe(lspci, NODE).model_dump() | change))


def imex(**change: Any) -> Imex:
    """A rack-wide domain with the address of train-001 in it."""
    from tests import build

    hosts = build.domain_addresses(18)
    nodes = [{"host": host, "status": "READY", "connections": dict.fromkeys(hosts, "CONNECTED")} for host in hosts]
    return Imex(**({"status": "UP", "nodes": nodes} | change))


def manager_log() -> ManagerLog:
    """Of a fabric manager that has logged no error."""
    return ManagerLog(begins="2026-11-20T14:01:18", lines=[])


SEEN = {ManagerLog: manager_log, KernelLog: kernel_log, Accelerators: accelerators, Pci: pci, Imex: imex}
