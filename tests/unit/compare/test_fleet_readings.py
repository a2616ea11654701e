"""What fleet checks compare of one record, by value."""

from __future__ import annotations

import pytest

from rackwright import compare
from rackwright.compare import fleet_readings
from rackwright.compare.node_columns import Readings
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.load import Burn
from rackwright.model.evidence.network import Rdma
from rackwright.model.evidence.smoke import Serving, Training
from tests import build

Rows = list[tuple[str, str, float | None]]


def rows(readings: Readings) -> Rows:
    return [(reading.part.split(" (")[0], reading.slot, reading.value) for reading in readings.each()]


def test_a_burn_is_compared_by_its_second_half() -> None:
    late = {"sm_clock_mhz": (30, 40), "power_watts": (3, 5), "temperature_celsius": (50, 60)}
    looks = {name: [1] * 10 + [low, high] * 5 for name, (low, high) in late.items()}
    gemms = {0: {"precision": "bf16", "size": 8, "tflops": [5, 1, 3]}, 1: {"precision": "fp8", "tflops": [4, 8]}}
    changes = {number: {"index": number, "samples": looks, "gemms": gemms} for number in (0, 1)}
    burn = build.healthy_record(Burn, {"devices": changes | dict.fromkeys(range(2, 8))})
    burned = fleet_readings.burn_readings(burn)
    assert rows(burned.clocks) == [("GPU 0", "GPU", 35), ("GPU 1", "GPU", 35)]
    assert rows(burned.powers) == [("GPU 0", "GPU", 4), ("GPU 1", "GPU", 4)]
    assert rows(burned.temperatures) == [("GPU 0", "GPU 0", 55), ("GPU 1", "GPU 1", 55)]
    products = [(reading.part.split(") ")[1], reading.slot, reading.value) for reading in burned.products.each()]
    assert products == [("bf16", "bf16 8", 3), ("fp8", "fp8 16384", 6)] * 2


def test_accelerators_are_compared_by_position_and_state() -> None:
    healthy = build.healthy_record(Accelerators).devices[:2]
    first = healthy[0].model_copy(update={"vbios": "", "performance_state": 8, "pcie_replays": 7})
    second = healthy[1].model_copy(update={"temperature_celsius": None})
    cards = fleet_readings.accelerator_readings(build.accelerators(devices=[first, second]))
    product = first.product_name
    assert cards.versions == ((product, None), (product, second.vbios))
    assert cards.serials == (first.serial, second.serial)
    assert rows(cards.temperatures) == [("GPU 0", "GPU 0 at P8", 34), ("GPU 1", "GPU 1 at P0", None)]
    assert rows(cards.replays) == [("GPU 0", "GPU", 7), ("GPU 1", "GPU", 0)]
    assert [reading.rail for reading in cards.replays.each()] == ["GPU 0", "GPU 1"]


def test_adapters_are_compared_by_model_board_firmware_and_place() -> None:
    rdma = build.healthy_record(Rdma)
    devices = {name: rdma.devices[name] for name in ("mlx5_0", "mlx5_3")}
    adapters = fleet_readings.adapter_readings(rdma.model_copy(update={"devices": devices}))
    assert adapters == tuple(
        (name, (device.model, device.board, device.firmware, device.pci_address)) for name, device in devices.items()
    )


def test_servers_of_text_are_compared_by_their_load() -> None:
    serving = build.healthy_record(Serving)
    change = {"first_token_seconds": [3.0, 1.0, 2.0], "tokens_per_s": [10.0, 40.0]}
    replicas = [replica.model_copy(update=change) for replica in serving.replicas[:2]]
    waits, rates = fleet_readings.serving_readings(serving.model_copy(update={"replicas": replicas}))
    names = ["GPU 0", "GPU 1"]
    assert rows(waits) == [(name, "after 48 tokens, torch 2.8.0", 2) for name in names]
    assert rows(rates) == [(name, "64 tokens after 48, torch 2.8.0", 25) for name in names]
    assert waits.parts[0] == "GPU 0 (NVIDIA H100 80GB HBM3)"


def test_a_training_is_compared_alone_and_together() -> None:
    training = build.healthy_record(Training)
    ranks = [rank.model_copy(update={"tokens_per_s": [1.0, 9.0, 5.0]}) for rank in training.ranks[:2]]
    blocks = [
        block.model_copy(update={"tokens_per_s": speed})
        for block, speed in zip(training.blocks, (1.0, 2.0, 6.0, 8.0), strict=False)
    ]
    alone, together = fleet_readings.training_readings(training.model_copy(update={"ranks": ranks, "blocks": blocks}))
    assert rows(alone) == [(name, "318930944 parameters, torch 2.8.0", 5) for name in ("GPU 0", "GPU 1")]
    assert rows(together) == [("all accelerators", "2 ranks, 318930944 parameters, torch 2.8.0, nccl", 7)]


@pytest.mark.parametrize(("value", "positive"), [(0.1, 0.1), (0, None), (-1, None), (None, None)])
def test_a_sensor_that_reads_zero_is_absent(value, positive) -> None:
    assert compare.positive(value) == positive


@pytest.mark.parametrize(
    ("value", "missing"),
    [(None, True), (float("nan"), True), (float("inf"), True), (0.0, False), (0, False), ("", False)],
)
def test_what_counts_as_missing(value, missing) -> None:
    assert compare.missing(value) == missing
    assert compare.every(
        build.expectation(), {"a": value}, lambda _: True, what="", expected="", source=""
    ).outcome == ("inconclusive" if missing else "pass")
