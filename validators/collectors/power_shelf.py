"""Readings of a power shelf from its Redfish documents, as read: path -> document."""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import plant_documents
from rackwright.model.evidence.plant import ShelfPower
from rackwright.redfish.power_shelf import power_shelf


def parse(output: str) -> ShelfPower:
    """One JSON object of documents."""
    return plant_documents.read(output, power_shelf, "a power shelf")


COLLECTOR = Collector(
    produces=ShelfPower,
    parse=parse,
    seconds=60,
    roles=("power_shelf",),
    library="redfish power_shelf",
    scope="equipment",
)
