"""Readings of a coolant distribution unit from its Redfish documents, as read: path -> document."""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import plant_documents
from rackwright.model.evidence.plant import CoolantReading
from rackwright.redfish import plant


def parse(output: str) -> CoolantReading:
    """One JSON object of documents."""
    return plant_documents.read(output, plant.coolant, "a CDU")


COLLECTOR = Collector(
    produces=CoolantReading, parse=parse, seconds=60, roles=("cdu",), library="redfish cdu", scope="equipment"
)
