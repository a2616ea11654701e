"""The probe on a real driver: `pytest -m gpu` on a machine with an NVIDIA GPU."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rackwright.collect import collector, probe_build, wire
from rackwright.collect.output import Ask

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def accelerators(tmp_path_factory):
    zipapp = probe_build.build_probe(tmp_path_factory.mktemp("probe"))
    asks = [Ask("nvml", 60, library="nvml")]
    done = subprocess.run(
        ["sh", "-c", wire.COMMAND], input=wire.probe_bytes(zipapp.read_bytes(), asks), capture_output=True, timeout=90
    )
    (output,) = [output_line for line in done.stdout.splitlines() if (output_line := wire.answer("here", asks, line))]
    assert not output.error, output
    return collector.library()["nvml"].parse(output.stdout.decode())


def query(*fields):
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [tuple(word.strip() for word in line.split(",")) for line in text.splitlines()]


def test_every_device_is_there_under_its_own_name(accelerators):
    assert [(device.uuid, device.product_name) for device in accelerators.devices] == query("uuid", "name")


def test_the_driver_is_the_one_that_runs(accelerators):
    assert {(accelerators.driver_version,)} == set(query("driver_version"))


def test_memory_agrees_with_the_tool(accelerators):
    for device, (mebibytes,) in zip(accelerators.devices, query("memory.total"), strict=True):
        assert abs(device.memory_total_bytes / 2**20 - float(mebibytes)) < 2048


def test_the_link_reaches_no_more_than_its_maximum(accelerators):
    for device in accelerators.devices:
        assert device.pcie_generation is None or device.pcie_generation <= (device.pcie_generation_max or sys.maxsize)
