"""Faults of DCGM, and faults that a vendor's diagnostic or gpu-burn reports."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_gpu_performance, set_package, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="dcgm-gone",
        summary="DCGM is not installed",
        apply=set_system(packages_gone=("datacenter-gpu-manager-4-core", "datacenter-gpu-manager-4-cuda13")),
        checks={"software.dcgm"},
        names={"not installed"},
    ),
    Fault(
        name="dcgm-other-version",
        summary="DCGM is at another version than declared",
        apply=set_package("datacenter-gpu-manager-4-core", "1:4.5.3-1"),
        checks={"software.dcgm"},
        names={"4.5.3"},
    ),
    Fault(
        name="dcgm-stopped",
        summary="The host engine of DCGM has failed",
        apply=set_system(stopped_services=("nvidia-dcgm",)),
        checks={"host.failed_units", "host.services"},
        names={"nvidia-dcgm"},
        needs="nvidia",
    ),
    Fault(
        name="diagnostic-memory",
        summary="The vendor's diagnostic finds bad memory in a GPU",
        apply=set_gpu_performance(0, diagnostic=("memory", "hardware_memory", "GPU 0 has uncorrectable memory errors")),
        checks={"burn.diagnostic"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="diagnostic-power",
        summary="The vendor's diagnostic does not reach its power on a GPU",
        apply=set_gpu_performance(
            3,
            diagnostic=(
                "targeted_power",
                "hardware_power",
                "max power of 512.3 W did not reach the 650 W that is wanted on GPU 3",
            ),
        ),
        checks={"burn.diagnostic"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="stress-errors",
        summary="A GPU makes errors in gpu-burn",
        apply=set_gpu_performance(1, stress_errors=17),
        checks={"burn.stress"},
        names={"GPU {gpu[1]}"},
        refused=False,
    ),
)
