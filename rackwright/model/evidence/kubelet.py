"""The object of one node in the API of Kubernetes."""

from __future__ import annotations

from rackwright.model.base import Record


class Kubelet(Record):
    """The node's own object in the API, read with the rights of its kubelet."""

    name: str
    conditions: dict[str, str]
    """Condition -> status (``Ready: "True"``)."""
    allocatable: dict[str, str]
    """Resource -> quantity, as written (``nvidia.com/gpu: "8"``)."""
    capacity: dict[str, str]
    taints: list[str]
    """``key=value:effect``."""
    unschedulable: bool
    version: str
