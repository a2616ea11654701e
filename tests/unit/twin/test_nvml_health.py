"""Faults of accelerators show alike in the twin's NVML library, which hosts load, and in the observer, which campaigns ask."""

import json
import shutil
from dataclasses import replace

import pytest

from rackwright.collect import collector, probe_build
from rackwright.twin.hardware.parts.gpu import GpuHealth
from rackwright.twin.tools import nvml as observer
from tests.unit.twin.nvml_bench import DRIVER, gpu, machine

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
DAEMONS = {"persistence_mode", "fabric_state", "fabric_status"}
"""What daemons decide, which do not run in this folder."""


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe"))


def faulty():
    health = GpuHealth(
        inforom_valid=False, gsp_firmware="570.124.06", ecc_enabled=False, ecc_corrected_dram=31, ecc_corrected_sram=14,
        ecc_uncorrected_sram=7, remapped_rows=3, spare_banks=(2558, 1, 0, 0, 1), power_watts=318, memory_celsius=88,
        margin_celsius=9, application_clock_mhz=1410, compute_mode=3, mig=True, processes=((48213, "python3"), (7, "sh")),
        recovery_action=1, slow_links=(7,), link_replays=(0, 0, 40_213), link_recoveries=(6,), direct_links=(4,),
        fabric_degraded=True, clique=2,
    )  # fmt: skip
    return machine(gpu(0), gpu(1, health=health, row_remap_pending=True, power_limit_watts=500), gpu(2))


def observed(state):
    devices = [observer._device(state, gpu, index, DRIVER, managed=False) for index, gpu in enumerate(state.gpus)]
    return [gpu.model_dump(exclude=DAEMONS) for gpu in devices]


def read(node, probe):
    record = collector.library()["nvml"].parse(json.dumps(node.dump(probe)))
    return [device.model_dump(exclude=DAEMONS) for device in record.devices]


def test_library_and_observer_say_the_same(node, probe):
    state = faulty()
    node.show(state)
    assert read(node, probe) == observed(state)


@pytest.mark.parametrize("pages", [0, 75])
def test_an_older_part_tells_retired_pages(node, probe, pages):
    state = machine(gpu(0, health=GpuHealth(retired_pages=pages, retired_pages_pending=pages > 0)))
    node.show(state)
    assert read(node, probe)[0]["retired_pages"] == pages
    assert read(node, probe) == observed(state)


def test_a_gpu_whose_fabric_is_not_joined_says_so(node, probe):
    state = machine(replace(gpu(0), health=GpuHealth(fabric_joined=False)))
    node.show(state)
    assert collector.library()["nvml"].parse(json.dumps(node.dump(probe))).devices[0].fabric_state == "not_started"
