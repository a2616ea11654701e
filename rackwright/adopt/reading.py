"""The readings of one running node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from rackwright.model.base import Record
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.host import Host

_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True)
class NodeReading:
    """The records of one host by their class, and the reasons why others are missing."""

    host: str
    """Name by which the user specified it."""
    name: str
    """Short name of the host; its own hostname if the user gave an address."""
    address: str
    """The address at which it answered; empty if its name could not be resolved."""
    records: Mapping[type[Record], Record] = field(default_factory=dict)
    accelerators: Accelerators | None = None
    vendor: str = ""
    """Vendor of the accelerators, by the tool that answered."""
    agents: tuple[str, ...] = ()
    """Units of schedulers that run (``slurmd``)."""
    tool_errors: Mapping[str, str] = field(default_factory=dict)
    """Vendor -> why the tool of its accelerators did not answer."""
    silent: str = ""
    """Why the host did not answer at all; empty if it did."""

    def get(self, kind: type[_R]) -> _R | None:
        """The record of a class, if it was read."""
        record = self.records.get(kind)
        return record if isinstance(record, kind) else None

    @property
    def own_name(self) -> str:
        """The hostname that the node reports (uname -n); empty if it was not read."""
        host = self.get(Host)
        return host.hostname if host else ""
