"""Columns of one node, and what is shared of a record."""

from __future__ import annotations

import pickle

import pytest

from rackwright import compare
from rackwright.compare import fleet_readings, node_pairs
from rackwright.compare.node_columns import packed
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.load import Burn
from rackwright.model.evidence.rail import RailBandwidth
from tests import build


def test_readings_come_back_as_they_were() -> None:
    some = [compare.Reading("GPU 0", "GPU", 40.5, "rail 0"), compare.Reading("GPU 1", "GPU", None, "rail 1")]
    assert list(packed(some).each()) == some
    assert list(compare.readings(["a"], ["s"], [3], whats=["fp8"]).each()) == [compare.Reading("a fp8", "s", 3.0)]


@pytest.mark.parametrize("columns", [(["a"], ["s"], []), (["a"], ["s", "t"], [1.0]), ([], ["s"], [1.0])])
def test_columns_of_different_length_are_refused(columns) -> None:
    with pytest.raises(ValueError, match="slots and"):
        compare.readings(*columns)


def test_what_is_not_a_number_is_no_reading() -> None:
    [reading] = compare.readings(["a"], ["s"], [float("nan")]).each()
    assert reading.value is None


def test_records_of_one_node_share_the_names_of_its_accelerators() -> None:
    cards, burned = (
        fleet_readings.accelerator_readings(build.healthy_record(Accelerators)),
        fleet_readings.burn_readings(build.healthy_record(Burn)),
    )
    assert cards.names is cards.temperatures.parts is cards.replays.parts
    assert burned.clocks.parts is burned.powers.parts
    assert burned.clocks.slots is burned.powers.slots
    assert list(cards.names) == list(compare.by_device(build.healthy_record(Accelerators), lambda device: device.index))


def test_a_node_without_accelerators_has_nothing_to_compare() -> None:
    record = build.healthy_record(Accelerators).model_copy(update={"devices": []})
    assert list(fleet_readings.accelerator_readings(record).temperatures.each()) == []


def test_a_test_of_a_rail_is_sent_without_its_counters() -> None:
    record = build.healthy_record(RailBandwidth)
    tests = node_pairs.rail_speeds(record)
    assert [(reading.node, reading.adapter, reading.peer, reading.value) for reading in tests.each()] == [
        (reading.node, reading.adapter, reading.peer, reading.gbits_per_s) for reading in record.rails
    ]
    assert len(pickle.dumps(tests)) < len(pickle.dumps(record)) / 4
