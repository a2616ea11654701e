"""Redfish documents of a rack PDU, a power shelf or a CDU, as collected: one JSON object, path -> document."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from rackwright.base.errors import OutsideError
from rackwright.collect.collector import ParseError
from rackwright.redfish.plant import View

R = TypeVar("R")


def read(output: str, record: Callable[[View], R], unit: str) -> R:
    """Result of `record` for the documents; ParseError if the output is no such object, or the documents are not those
    of a `unit`.
    """
    try:
        documents = json.loads(output)
    except json.JSONDecodeError as error:
        raise ParseError(error.lineno, output, "Redfish documents as JSON") from None
    if not isinstance(documents, dict) or not all(isinstance(document, dict) for document in documents.values()):
        raise ParseError(1, output, "a JSON object of Redfish documents")
    try:
        return record(documents)
    except OutsideError as error:
        raise ParseError(1, str(error), f"the documents of {unit}") from None
