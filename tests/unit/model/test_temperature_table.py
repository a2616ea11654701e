"""Sensors of a switch as columns."""

import pytest

from rackwright.model.evidence.switch_health import SwitchHealth
from rackwright.model.evidence.temperature_table import SwitchTemperature, TemperatureTable

SENSORS = [
    SwitchTemperature(name="ASIC", celsius=47.0, most=95.0),
    SwitchTemperature(name="ASIC", celsius=None, most=None),
]


def health(sensors: object) -> SwitchHealth:
    named = {"switch": "leaf", "model": "MQM9790-NS2F", "serial": "", "firmware": ""}
    return SwitchHealth(**named, supplies=[], fans=[], temperatures=sensors, modules=[])


def test_a_table_has_the_form_of_a_list_of_sensors_and_keeps_two_of_one_name() -> None:
    record = health(SENSORS)
    assert [*record.temperatures] == [record.temperatures[0], record.temperatures[1]] == SENSORS
    assert SwitchHealth.model_validate_json(record.model_dump_json()) == record
    assert record.model_dump()["temperatures"] == [sensor.model_dump() for sensor in SENSORS]


def test_a_packed_table_is_the_same() -> None:
    table = TemperatureTable.of(SENSORS)
    assert TemperatureTable.unpacked(table.packed()) == table


@pytest.mark.parametrize("text", ['[["ASIC"],[],[null]]', '[["ASIC"],["warm"],[null]]', "{}", ""])
def test_a_text_that_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"sensors|validation"):
        TemperatureTable.unpacked(text)
