"""Readings of a rack PDU from its Redfish documents, as read: path -> document."""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import plant_documents
from rackwright.model.evidence.plant import RackPower
from rackwright.redfish import plant


def parse(output: str) -> RackPower:
    """One JSON object of documents."""
    return plant_documents.read(output, plant.rack_power, "a rack PDU")


COLLECTOR = Collector(
    produces=RackPower, parse=parse, seconds=60, roles=("rack_pdu",), library="redfish rack_pdu", scope="equipment"
)
