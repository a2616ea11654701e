"""A processor; accelerators are processors of type GPU.

Schema: https://redfish.dmtf.org/schemas/v1/Processor.json
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word


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
            kind=word(document, "ProcessorType"),
            model=word(document, "Model") or word(document, "PartNumber"),
            serial=word(document, "SerialNumber"),
            status=Status.of(document),
        )

    @classmethod
    def of_device(cls, document: Mapping[str, Any]) -> Processor:
        """The record of a PCIeDevice `document`, as which Supermicro lists its accelerators: called GPU and a number, in the slots of accelerators."""
        called = GPU_DEVICE.fullmatch(word(document, "Id")) or word(document, "Description").startswith("GPU Device")
        return cls.of({**document, "ProcessorType": "GPU" if called else ""})


GPU_DEVICE = re.compile(r"(?i)(gpu|oam|npu)[ _-]?(sxm_?)?[0-9]+")
"""Ids of accelerators among PCIe devices: ``GPU1`` (Supermicro SYS-821GE-TNHR, NVIDIA/libredfish tests/mockups)."""
