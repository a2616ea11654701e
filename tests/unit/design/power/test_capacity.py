"""Published circuits: IEC and NEC breakers, rack PDU sheets, and the circuit figures of the DGX rack decks."""

from __future__ import annotations

import numpy as np
import pytest

from rackwright.design.power import kilovolt_amperes, usable_watts
from rackwright.design.power.capacity import Lines, circuit_lines, fill_watts, line_watts, load_volts
from rackwright.model.facility import Circuit
from tests.unit.design.power.power_designs import Filled, design, power


# sqrt(3) x V x A, raw and x 0.8 (NEC 210.20(A)); the 415 V 60 A row is the 34.5 kVA of a rack PDU data sheet.
@pytest.mark.parametrize(
    ("volts", "amps", "raw", "derated"),
    [
        (415, 60, 43.13, 34.5),
        (400, 63, 43.65, 34.92),
        (380, 32, 21.06, 16.85),
        (415, 32, 23.0, 18.4),
        (208, 60, 21.62, 17.29),
        (480, 100, 83.14, 66.51),
    ],
)
def test_published_circuits(volts, amps, raw, derated):
    amperes = kilovolt_amperes(Circuit(volts=volts, amps=amps, phases=3))
    assert amperes == (pytest.approx(raw, rel=0.003), pytest.approx(derated, rel=0.003))


def test_kilowatts_are_apparent_power_times_power_factor():
    circuit = Circuit(volts=380, amps=32, phases=3)
    assert usable_watts(circuit) == pytest.approx(kilovolt_amperes(circuit)[1] * 1000 * 0.95)
    assert usable_watts(Circuit(volts=230, amps=32, phases=1, power_factor=1)) == pytest.approx(230 * 32 * 0.8)


def test_b200_two_to_a_rack():
    """28.6 kW on 2 x 380 V 32 A: 32.0 kW usable, 3.4 kW headroom; without the loss of a feed, as the deck counts."""
    terms = power(feeds=["A", "B"], survive={"feeds": 0}, circuit={"volts": 380, "amps": 32, "phases": 3})
    two_to_a_rack = design([Filled(["dgx-b200"] * 2)], terms)
    assert two_to_a_rack.circuits.height == 2
    assert two_to_a_rack.circuits["usable_watts"].sum() / 1000 == pytest.approx(32.0, abs=0.05)
    assert two_to_a_rack.circuits["load_watts"].sum() == pytest.approx(28_600)
    headroom = two_to_a_rack.circuits["usable_watts"].sum() - two_to_a_rack.circuits["load_watts"].sum()
    assert headroom / 1000 == pytest.approx(3.4, abs=0.05)


def test_b200_four_to_a_rack():
    """57.2 kW on 2 x 415 V 60 A."""
    four_to_a_rack = design([Filled(["dgx-b200"] * 4)], power(feeds=["A", "B"], survive={"feeds": 0}))
    assert four_to_a_rack.circuits["circuit"].to_list() == ["r01-A1", "r01-B1"]
    assert four_to_a_rack.circuits["load_watts"].sum() == pytest.approx(57_200)
    assert four_to_a_rack.circuits["usable_watts"].sum() > 57_200


def test_where_a_supply_hangs():
    assert circuit_lines(Circuit(volts=208, amps=60, phases=3), 250).between
    assert not circuit_lines(Circuit(volts=415, amps=60, phases=3), 250).between
    assert load_volts(Circuit(volts=208, amps=60, phases=3), 250) == 208
    assert load_volts(Circuit(volts=415, amps=60, phases=3), 250) == pytest.approx(239.6, abs=0.1)
    assert load_volts(Circuit(volts=230, amps=32, phases=1), 250) == 230


def test_line_loads():
    even = np.array([[3.0, 3.0, 3.0]])
    for way in (Lines(3, between=False), Lines(3, between=True)):
        assert line_watts(even, way) == pytest.approx(even)
        assert fill_watts(even, way) == pytest.approx([9.0])
    single = np.array([[3.0, 0.0, 0.0]])
    assert line_watts(single, Lines(3, between=False)).max() == 3.0
    # One load between two lines: each carries its current, and that is sqrt(3) less than if it hung on one phase.
    assert sorted(line_watts(single, Lines(3, between=True))[0]) == pytest.approx([0, 3 / 3**0.5, 3 / 3**0.5])
    assert fill_watts(single, Lines(1, between=False)) == pytest.approx([3.0])
