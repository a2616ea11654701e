"""What can be wrong with what the BMC of one machine of the twin watches over."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node


@dataclass(frozen=True)
class Chassis:
    """Readings that a fault changes; the defaults are those of a healthy machine."""


def healthy(node: Node) -> Chassis:
    """The chassis of `node` as it was ordered."""
    del node
    return Chassis()
