"""What was read of one running node."""

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
    """The records of one host by their class, and why others are missing."""

    host: str
    """As the user called it."""
    name: str
    """Short name: that of the host, or what the node calls itself where the user gave an address."""
    address: str
    """The address that it answered at; empty when its name could not be resolved."""
    records: Mapping[type[Record], Record] = field(default_factory=dict)
    accelerators: Accelerators | None = None
    vendor: str = ""
    """Of the accelerators, by the tool that answered."""
    agents: tuple[str, ...] = ()
    """Units of schedulers that run (``slurmd``)."""
    tool_errors: Mapping[str, str] = field(default_factory=dict)
    """By vendor: why the tool of its accelerators did not answer."""
    silent: str = ""
    """Why the host answered nothing at all; empty when it answered."""

    def get(self, kind: type[_R]) -> _R | None:
        """The record of a class, if it was read."""
        record = self.records.get(kind)
        return record if isinstance(record, kind) else None

    @property
    def own_name(self) -> str:
        """What the node calls itself (uname -n); empty when it was not read."""
        host = self.get(Host)
        return host.hostname if host else ""
