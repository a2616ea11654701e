"""Isolation between tenants: what their pods could reach on shared nodes, and what the API server refused to their members."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.evidence.load import Copy


class PodDevices(Record):
    """Devices that one pod finds below ``/dev``."""

    tenant: str
    node: str
    requested: int
    """Accelerators that it asked for; a pod with 0 asks its runtime for all of them, in the variables of makers."""
    devices: list[str]
    """Device files of accelerators that are there."""


class PodReach(Record):
    """Whether a pod reached a port of a pod of another tenant, or of its own tenant."""

    tenant: str
    node: str
    """Node of the pod that tried."""
    of: str
    """Tenant of the pod that listened."""
    at: str
    """Its node."""
    reached: bool


class RefusedPod(Record):
    """The answer of the API server to a member of a tenant."""

    tenant: str
    about: str
    """``quota``, ``class`` or ``namespace``."""
    requested: str
    """``41 amd.com/gpu``, the class, the namespace."""
    answer: str
    """Its message; empty when it took the pod."""


class TenantWalls(Record):
    """Attempts to cross the boundary between tenants on some nodes, from both sides."""

    pods: list[PodDevices]
    reaches: list[PodReach]
    refusals: list[RefusedPod]


class Neighbours(Record):
    """Copies of one half of the accelerators of a node, the same in both lists."""

    tool: str
    alone: list[Copy]
    """While the other half is idle."""
    beside: list[Copy]
    """While the other half copies as well."""
