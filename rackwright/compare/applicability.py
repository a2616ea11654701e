"""Predicates for `applies`: the nodes that a check is about."""

from __future__ import annotations

from collections.abc import Callable

from rackwright.compare.parts import accelerator, has_accelerators
from rackwright.model.capability import Capability
from rackwright.model.check import Expectation


def has_capability(capability: Capability) -> Callable[[Expectation], bool]:
    """Nodes whose accelerators have `capability`."""
    return lambda expectation: has_accelerators(expectation) and capability in accelerator(expectation).capabilities


def has_nvlink(expectation: Expectation) -> bool:
    """Nodes whose accelerators have NVLinks."""
    return has_accelerators(expectation) and accelerator(expectation).nvlink_links > 0


def has_data_drives(expectation: Expectation) -> bool:
    """Nodes with accelerators and with data drives; the drives of the operating system are not planned."""
    return has_accelerators(expectation) and expectation.node.server.local_storage is not None


def has_own_port(expectation: Expectation) -> bool:
    """Nodes whose accelerators have network ports."""
    return has_accelerators(expectation) and accelerator(expectation).own_port
