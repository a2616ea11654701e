"""Looks at an accelerator, as columns."""

import json

import pytest
from pydantic import ValidationError

from rackwright.collect.collector import ParseError, library
from rackwright.model.evidence.load import Sample, Samples

FIRST = Sample(second=0.0, power_watts=91.2, sm_clock_mhz=1980, temperature_celsius=33, throttle_reasons=[])
NEXT = Sample(second=5.0, power_watts=None, sm_clock_mhz=None, temperature_celsius=None, throttle_reasons=None)


def document(**changes):
    look = {"second": 0.0, "power_milliwatts": 91200, "sm_clock_mhz": 1980, "temperature_celsius": 33, "reasons": 4}
    device = {"index": 0, "uuid": "GPU-1", "serial": "1", "pci_bus_id": "00000000:1B:00.0", "gemms": []}
    return json.dumps({"schema": 1, "tool": "burn", "devices": [{**device, "samples": [look, {**look, **changes}]}]})


def test_columns_hold_every_look_in_order():
    columns = Samples.of([FIRST, NEXT])
    assert columns.power_watts == [91.2, None]
    assert columns.throttle_reasons == [[], None]
    assert columns.looks() == [FIRST, NEXT]


def test_no_look_gives_empty_columns():
    assert Samples.of([]).looks() == []
    assert Samples.of([]).second == []


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValidationError, match="columns of different length"):
        Samples.model_validate({**Samples.of([FIRST, NEXT]).model_dump(), "second": [0.0]})


def test_readings_that_were_refused_stay_none():
    nothing = dict.fromkeys(("power_milliwatts", "sm_clock_mhz", "temperature_celsius", "reasons"))
    (device,) = library()["gemm_burn"].parse(document(**nothing)).devices
    assert device.samples.power_watts == [91.2, None]
    assert device.samples.throttle_reasons == [["sw_power_cap"], None]


@pytest.mark.parametrize(
    "change", [{"power_milliwatts": "91200"}, {"sm_clock_mhz": "1980"}, {"temperature_celsius": 33.5}, {"reasons": [4]}]
)
def test_readings_of_another_type_are_refused(change):
    with pytest.raises(ParseError, match="the document of rackwright-burn gemm"):
        library()["gemm_burn"].parse(document(**change))


def test_a_look_without_a_reading_is_refused():
    with pytest.raises(ParseError, match="KeyError: 'second'"):
        library()["gemm_burn"].parse(document().replace('"second"', '"minute"'))
