"""A processor; accelerators are processors of type GPU.

Schema: https://redfish.dmtf.org/schemas/v1/Processor.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.status import Status


class Processor(NamedTuple):
    """What we read of a processor."""

    kind: str
    model: str
    serial: str
    status: Status

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Processor:
        """The record of a Processor `document`."""
        return cls(
            kind=str(document.get("ProcessorType") or ""),
            model=str(document.get("Model") or "").strip(),
            serial=str(document.get("SerialNumber") or ""),
            status=Status.of(document),
        )
