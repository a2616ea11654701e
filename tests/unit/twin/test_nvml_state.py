from dataclasses import replace

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.twin import nvml
from rackwright.twin.hardware import ids
from tests.unit.twin import nvml_bench as bench


def keys(state):
    return dict(line.split("=", 1) for line in nvml.render(state).splitlines() if "=" in line)


def test_a_healthy_gpu_in_nvml_units():
    values = keys(bench.machine(bench.gpu(0)))
    assert values["gpus"] == "1"
    assert values["gpu.0.memory.total"] == str(80 * 2**30)
    assert values["gpu.0.power.limit"] == "700000"
    assert values["gpu.0.nvlink.up"] == "1" * 18
    assert values["gpu.0.nvlink.version"] == "6"


def test_a_gpu_off_the_bus_is_not_counted_and_the_others_move_up():
    values = keys(bench.machine(bench.gpu(0, present=False), bench.gpu(1)))
    assert values["gpus"] == "1"
    assert values["gpu.0.uuid"] == bench.gpu(1).uuid


def test_a_pending_remap_has_an_uncorrectable_row_behind_it():
    values = keys(bench.machine(bench.gpu(0, row_remap_pending=True)))
    assert (values["gpu.0.remapped.pending"], values["gpu.0.remapped.failed"]) == ("1", "0")
    assert values["gpu.0.remapped.uncorrected"] == "1"


def test_the_slot_of_a_badly_trained_gpu_is_known_from_its_neighbours():
    values = keys(bench.machine(bench.gpu(0, pcie_width=8, pcie_generation=3), bench.gpu(1)))
    assert (values["gpu.0.pcie.width"], values["gpu.0.pcie.width_max"]) == ("8", "16")
    assert (values["gpu.0.pcie.generation"], values["gpu.0.pcie.generation_max"]) == ("3", "5")


def test_a_gpu_without_nvlink_has_no_nvlink_readings():
    values = keys(bench.machine(bench.gpu(0, nvlinks=(), product_name="NVIDIA L40S")))
    assert not [key for key in values if "nvlink" in key]


def test_throttle_reasons_become_bits_beside_idle():
    values = keys(bench.machine(bench.gpu(0, throttle_reasons=("hw_thermal_slowdown", "sw_power_cap"))))
    assert int(values["gpu.0.clocks_event_reasons"]) == 0x40 | 0x04 | 0x01


def test_every_unknown_throttle_reason_is_named_at_once():
    broken = replace(bench.machine(bench.gpu(0, throttle_reasons=("hot", "tired"))))
    with pytest.raises(ProblemsError) as refused:
        nvml.render(broken)
    assert {problem.found for problem in refused.value.problems} == {"hot", "tired"}
    assert "hw_slowdown" in refused.value.problems[0].expected


def test_the_longest_product_name_wins():
    assert keys(bench.machine(bench.gpu(0, product_name="NVIDIA GH200 480GB")))["gpu.0.compute_capability"] == "9.0"
    assert keys(bench.machine(bench.gpu(0, product_name="NVIDIA GB200")))["gpu.0.compute_capability"] == "10.0"


def test_a_number_that_goes_on_is_another_product():
    table = {"NVIDIA A10": 24, "NVIDIA A100": 80}
    assert ids.longest(table, "NVIDIA A100-SXM4-80GB") == 80
    assert ids.longest({"NVIDIA A10": 24}, "NVIDIA A100-SXM4-80GB") is None
    assert ids.longest(table, "NVIDIA A10") == ids.longest(table, "NVIDIA A10-24Q") == 24
