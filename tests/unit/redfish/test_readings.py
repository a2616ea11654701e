from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from rackwright.redfish import crawl, inventory
from rackwright.redfish.client import Client
from rackwright.redfish.reply import BmcError
from rackwright.twin.bmc.documents import CHASSIS, HOST, build_documents
from rackwright.twin.hardware.parts.chassis import ChassisReadings, LogLine

from .conftest import PORT, machine

ENTRIES = f"{HOST}/LogServices/SEL/Entries"


class Answers:
    """A BMC that has `documents`, expands nothing, and counts its requests."""

    def __init__(self, documents):
        self.documents = {"/redfish/v1/": documents["/redfish/v1/"] | {"ProtocolFeaturesSupported": {}}, **documents}
        self.documents["/redfish/v1/"] = documents["/redfish/v1/"] | {"ProtocolFeaturesSupported": {}}
        self.asked = []
        self.answer_seconds, self.connections = 0.0, 4

    async def root(self):
        return await self.get("/redfish/v1/")

    def note(self, path, etag):
        pass

    async def get(self, path):
        document = await self.get_optional(path)
        if document is None:
            raise BmcError(f"{path} is not there", "HTTP 404")
        return document

    async def get_optional(self, path):
        self.asked.append(path)
        return self.documents.get(path)

    def expect(self, path, answers):
        pass


def parsed(documents, **change):
    return inventory.parse_machine({**documents, **change})


def test_what_a_fault_changes_is_read() -> None:
    chassis = ChassisReadings(
        fans=(0.0, 8000.0), log=(LogLine("Critical", "PSU 2 lost AC"),), detectors=2, leaking=(1,), lost_inputs=(2,),
        power_limit_watts=5000.0, redundancy="Critical",
    )  # fmt: skip
    record = inventory.parse_machine(build_documents(replace(machine(), chassis=chassis)))
    assert [(sensor.name, sensor.health) for sensor in record.sensors if sensor.kind == "Rotational"] == [
        ("FAN_0", "Critical"),
        ("FAN_1", "OK"),
    ]
    assert [(sensor.severity, sensor.message) for sensor in record.log] == [("Critical", "PSU 2 lost AC")]
    assert [sensor.state for sensor in record.leak_detectors] == ["OK", "Critical"]
    assert record.supplies[2].input == "LossOfInput"
    assert (record.power_limit_watts, record.power_limit_known, record.psu_redundancy) == (5000.0, True, "Critical")


def test_a_leak_detector_that_could_not_be_read_is_there_and_says_nothing() -> None:
    documents = build_documents(replace(machine(), chassis=ChassisReadings(detectors=2)))
    silent = next(path for path in documents if "/LeakDetectors/" in path)
    record = inventory.parse_machine(
        {path: leak_detector for path, leak_detector in documents.items() if path != silent}
    )
    assert min((leak_detector.name, leak_detector.state) for leak_detector in record.leak_detectors) == (
        silent.rpartition("/")[2],
        "",
    )
    assert [leak_detector.state for leak_detector in record.leak_detectors].count("OK") == 1


def test_what_a_bmc_does_not_offer_is_none_and_never_empty() -> None:
    documents = build_documents(machine())
    bare = {key: value for key, value in documents[CHASSIS].items() if key not in {"Sensors", "EnvironmentMetrics"}}
    reserved = {
        path: entry for path, entry in documents.items() if not path.startswith((f"{CHASSIS}/Sensors", ENTRIES))
    }
    record = inventory.parse_machine({**reserved, CHASSIS: bare})
    assert (record.sensors, record.log, record.leak_detectors, record.power_watts) == (None, None, None, None)
    assert not record.power_limit_known


def test_the_older_thermal_resource() -> None:
    documents = build_documents(machine())
    older = {**documents[CHASSIS], "Thermal": {"@odata.id": f"{CHASSIS}/Thermal"}}
    del older["Sensors"]
    thermal = {
        "Temperatures": [
            {"Name": "Inlet", "PhysicalContext": "Intake", "ReadingCelsius": 23, "Status": {"Health": "OK"}}
        ],
        "Fans": [{"Name": "Fan 1", "Reading": 0, "ReadingUnits": "RPM", "Status": {"Health": "Critical"}}],
    }
    reserved = {path: sensor for path, sensor in documents.items() if "/Sensors" not in path}
    record = parsed(reserved, **{CHASSIS: older, f"{CHASSIS}/Thermal": thermal})
    assert [(sensor.name, sensor.place, sensor.reading) for sensor in record.sensors] == [
        ("Inlet", "Intake", 23.0),
        ("Fan 1", "Fan", 0.0),
    ]


def test_a_log_with_more_than_was_read_says_so() -> None:
    documents = build_documents(machine())
    listing = documents[ENTRIES] | {"Members@odata.nextLink": f"{ENTRIES}?$skip=1"}
    assert not parsed(documents, **{ENTRIES: listing}).log_complete
    assert not parsed(documents, **{ENTRIES: documents[ENTRIES] | {"Members@odata.count": 9}}).log_complete
    assert parsed(documents).log_complete


def test_readings_cost_a_bounded_number_of_requests() -> None:
    documents = build_documents(replace(machine(), chassis=ChassisReadings(fans=(8000.0,) * 1200)))
    client = Answers(documents)
    record = inventory.parse_machine(asyncio.run(crawl.crawl_machine(client, with_readings=True)))
    assert len(client.asked) == crawl.MOST + 1, "the service root beside"
    assert record.sensors_unread > 0
    assert "not asked for: too many documents" in record.unread["sensors"]


def test_pages_of_a_log_are_joined() -> None:
    documents = build_documents(
        replace(machine(), chassis=ChassisReadings(log=(LogLine("OK", "one"), LogLine("Critical", "two"))))
    )
    first, second = documents[ENTRIES]["Members"]
    following = f"{ENTRIES}?$skip=1"
    documents[following] = {"Members": [documents.pop(second["@odata.id"])]}
    documents[ENTRIES] |= {"Members": [first], "Members@odata.nextLink": following}
    record = inventory.parse_machine(asyncio.run(crawl.crawl_machine(Answers(documents), with_readings=True)))
    assert [entry.message for entry in record.log] == ["one", "two"]
    assert record.log_complete


def test_the_clock_of_a_served_bmc_is_compared_with_ours(serve):
    """Also where it answers for all members of a collection at once."""
    behind = replace(machine(), chassis=ChassisReadings(clock_offset_seconds=-86_400.0))
    _, access = serve(behind)

    async def read():
        async with Client(f"127.0.0.11:{PORT}", access) as client:
            return await crawl.crawl_machine(client, now=partial(datetime.now, UTC))

    offset = inventory.parse_machine(asyncio.run(read())).clock_offset_seconds
    assert offset is not None
    assert abs(offset + 86_400) < 3_600, "the machine that runs the test may be slow"
