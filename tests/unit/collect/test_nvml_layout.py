"""NVML's dump says the same however it is laid out: by devices that are alike, or read as a whole."""

import json
from pathlib import Path

import pytest

from rackwright.collect.collector import ParseError
from validators.collectors import nvml

DUMPS = sorted((Path(__file__).parents[2] / "cases" / "collectors" / "nvml").glob("*.json"))
LOST = {"index": 1, "handle": {"error": "NVML_ERROR_GPU_IS_LOST"}}


def outcome(output: str):
    try:
        return nvml.parse(output)
    except ParseError as error:
        return str(error).partition(", found")[0]


def changed(place: str, **readings):
    document = json.loads((DUMPS[0].parent / place).read_text())
    for at, device in enumerate(document["devices"]):
        device.update({name: reading(at) for name, reading in readings.items()})
    return document


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: path.stem)
def test_both_layouts_say_the_same(path):
    document = json.loads(path.read_text())
    assert outcome(json.dumps(document) + "\n") == outcome(json.dumps(document, indent=1))


@pytest.mark.parametrize(
    "readings",
    [
        {"temperature": lambda at: {"value": 30 + at}, "power_usage": lambda at: {"value": 100_001 * at}},
        {"serial": lambda _: {"error": "NVML_ERROR_NOT_SUPPORTED"}, "uuid": lambda at: {"value": f"GPU-\u00fc{at}"}},
        {"temperature_margin": lambda at: {"value": -at}, "pcie_replay_counter": lambda at: {"value": at}},
        {
            "temperature": lambda at: {"value": 30 + at},
            "temperature_margin": lambda _: {"error": "NVML_ERROR_NOT_SUPPORTED"},
            "temperature_slowdown": lambda _: {"value": 90},
        },
        {"temperature": lambda _: {"value": "hot"}},
        {"uuid": lambda at: {"value": at}},
        {"uuid": lambda at: {"error": "NVML_ERROR_UNKNOWN"} if at else {"value": "GPU-1"}},
        {"handle": lambda at: LOST["handle"] if at == 1 else {"value": True}},
    ],
    ids=["numbers", "no_serial", "below_zero", "slowdown", "words", "not_text", "unknown", "lost"],
)
def test_what_varies_is_read_alike(readings):
    document = changed("dgx_h100.json", **readings)
    assert outcome(json.dumps(document) + "\n") == outcome(json.dumps(document, indent=1))


def test_a_dump_that_goes_on_behind_its_devices_is_read_whole():
    document = changed("dgx_h100.json")
    assert nvml.parse(json.dumps(document | {"more": [1]})) == nvml.parse(json.dumps(document))


def test_a_dump_that_was_cut_off_is_refused():
    with pytest.raises(ParseError, match="NVML dump"):
        nvml.parse(json.dumps(changed("dgx_h100.json"))[:-2])
