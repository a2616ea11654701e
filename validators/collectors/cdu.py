"""Readings of a coolant distribution unit from its Redfish documents, as they were read: path -> document."""

import json

from rackwright.base.errors import OutsideError
from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.plant import CoolantReading
from rackwright.redfish import plant


def parse(output: str) -> CoolantReading:
    """One JSON object of documents."""
    try:
        documents = json.loads(output)
    except json.JSONDecodeError as error:
        raise ParseError(error.lineno, output, "Redfish documents as JSON") from None
    if not isinstance(documents, dict) or not all(isinstance(document, dict) for document in documents.values()):
        raise ParseError(1, output, "a JSON object of Redfish documents")
    try:
        return plant.coolant(documents)
    except OutsideError as error:
        raise ParseError(1, str(error), "the documents of a CDU") from None


COLLECTOR = Collector(
    produces=CoolantReading, parse=parse, seconds=60, roles=("cdu",), library="redfish cdu", scope="equipment"
)
