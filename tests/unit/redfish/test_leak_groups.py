"""Leak detectors of a unit, from its collection and from the groups of LeakDetection (DMTF, LeakDetection.v1_2_0, LeakDetectorGroups)."""

from __future__ import annotations

from typing import Any

from rackwright.redfish import plant

CDU = "/redfish/v1/ThermalEquipment/CDUs/1"
MOISTURE = f"{CDU}/LeakDetection/LeakDetectors/Moisture"


def _link(path: str) -> dict[str, str]:
    return {"@odata.id": path}


def _documents(detection: dict[str, Any]) -> dict[str, Any]:
    return {
        "/redfish/v1/": {"ThermalEquipment": _link("/redfish/v1/ThermalEquipment")},
        "/redfish/v1/ThermalEquipment": {"CDUs": _link("/redfish/v1/ThermalEquipment/CDUs")},
        "/redfish/v1/ThermalEquipment/CDUs": {"Members": [_link(CDU)]},
        CDU: {"@odata.id": CDU, "Model": "CDU", "LeakDetection": _link(f"{CDU}/LeakDetection")},
        f"{CDU}/LeakDetection": detection,
        f"{CDU}/LeakDetection/LeakDetectors": {"Members": [_link(MOISTURE)]},
        MOISTURE: {
            "Id": "Moisture",
            "Name": "Moisture",
            "DetectorState": "OK",
            "Status": {"State": "Enabled", "Health": "OK"},
        },
    }


GROUPS = [
    {
        "GroupName": "Detection Group 1",
        "Detectors": [
            {"DataSourceUri": MOISTURE, "DetectorState": "OK"},
            {"DataSourceUri": "/redfish/v1/Chassis/CDU/LeakDetectors/Overflow", "DetectorState": "Critical"},
        ],
    }
]


def test_a_detector_of_a_group_counts_once() -> None:
    detection = {"LeakDetectors": _link(f"{CDU}/LeakDetection/LeakDetectors"), "LeakDetectorGroups": GROUPS}
    record = plant.coolant(_documents(detection))
    assert [(each.name, each.state) for each in record.leak_detectors or []] == [
        ("Moisture", "OK"),
        ("Overflow", "Critical"),
    ]


def test_groups_alone() -> None:
    record = plant.coolant(_documents({"LeakDetectorGroups": GROUPS}))
    assert [(each.name, each.state) for each in record.leak_detectors or []] == [
        ("Moisture", "OK"),
        ("Overflow", "Critical"),
    ]


def test_groups_of_another_type_are_not_followed() -> None:
    record = plant.coolant(_documents({"LeakDetectorGroups": ["Moisture", {"Detectors": "Moisture"}]}))
    assert record.leak_detectors == []
