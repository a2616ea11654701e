"""The load that the probe carries on a real GPU: `pytest -m gpu` on a machine with an NVIDIA GPU and cuBLAS."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest

from rackwright import catalog
from rackwright.collect import collector, probe_build
from rackwright.collect.probe.burn import patterns
from rackwright.collect.probe.burn.cuda import Cuda
from rackwright.collect.probe.burn.kernels import MEMORY_TEST

pytestmark = pytest.mark.gpu
SECONDS = 60


@pytest.fixture(scope="module")
def zipapp(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe"))


def ran(zipapp, *words):
    done = subprocess.run([sys.executable, str(zipapp), "burn", *words], capture_output=True, text=True, timeout=590)
    if done.returncode == 3 and "cuBLAS" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def burn(zipapp):
    return collector.library()["gemm_burn"].parse(ran(zipapp, "gemm", "--seconds", str(SECONDS)))


@pytest.fixture(scope="module")
def part():
    name = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[0]
    accelerators = {accelerator.product_name: accelerator for accelerator in catalog.load().accelerators.values()}
    if name.strip() not in accelerators:
        pytest.skip(f"no accelerator SKU for {name}")
    return accelerators[name.strip()]


def test_every_gpu_burns_in_every_precision(burn):
    count = len(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout.splitlines())
    assert len(burn.devices) == count
    assert all(len(device.gemms) == 2 and all(gemm.tflops for gemm in device.gemms) for device in burn.devices)


def test_products_repeat_exactly_and_agree(burn):
    assert {gemm.mismatches for device in burn.devices for gemm in device.gemms} == {0}
    for number in range(2):
        assert len({device.gemms[number].digest for device in burn.devices}) == 1


def test_the_power_cap_is_reached(burn, part):
    for device in burn.devices:
        watts_drawn = sorted(watts for watts in device.samples.power_watts if watts is not None)
        assert watts_drawn[len(watts_drawn) * 3 // 4] >= 0.9 * part.tdp_watts


def test_rates_are_below_the_peak_and_above_half_of_it(burn, part):
    for device in burn.devices:
        (bf16,) = [gemm for gemm in device.gemms if gemm.precision == "bf16"]
        assert 0.5 * part.bf16_dense_tflops < max(bf16.tflops) <= part.bf16_dense_tflops


def test_telemetry_has_no_gaps(burn):
    for device in burn.devices:
        seconds = device.samples.second
        assert max(b - a for a, b in pairwise(seconds)) < 15
        assert None not in device.samples.sm_clock_mhz


def test_memory_is_below_its_peak_and_above_half_of_it(zipapp, part):
    record = collector.library()["hbm_bandwidth"].parse(ran(zipapp, "hbm"))
    for device in record.devices:
        assert 0.5 * part.memory_gbytes_per_s < max(device.copy_gbytes_per_s) <= part.memory_gbytes_per_s


def test_patterns_cover_the_memory_and_find_nothing(zipapp):
    record = collector.library()["sdc"].parse(ran(zipapp, "patterns"))
    for device in record.devices:
        assert all(run.mismatches == 0 for run in device.runs)
        assert min(run.bytes for run in device.runs) >= 0.9 * device.memory_bytes


def test_a_changed_word_is_counted_where_it_is():
    (device, *_) = Cuda().devices
    device.use()
    kernels = device.kernels(MEMORY_TEST, "write", "compare")
    size, place = 5 << 30, (4 << 30) + 4
    memory, report = device.allocate(size), device.allocate(patterns.REPORT.size)
    try:
        for first, step in patterns.PATTERNS.values():
            words = memory, size // patterns.WORD_BYTES, first, step
            device.launch(kernels["write"], *words)
            device.wait()
            assert patterns.mismatching(device, kernels["compare"], words, report) == (0, patterns.NOWHERE)
            device.upload(memory + place, b"\x01\x02\x03\x04", 4)
            device.upload(memory + size - 8, b"\x01\x02\x03\x04\x05\x06\x07\x08", 8)
            assert patterns.mismatching(device, kernels["compare"], words, report) == (3, place)
    finally:
        device.free(memory)
        device.free(report)


def test_the_document_is_one_line(zipapp):
    assert len(json.loads(ran(zipapp, "hbm"))["devices"]) >= 1
