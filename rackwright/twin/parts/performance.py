"""How fast the parts of one machine of the twin are, as shares of what healthy ones reach."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node


@dataclass(frozen=True)
class Performance:
    """Shares that a fault changes; 1 is healthy."""


def healthy(node: Node) -> Performance:
    """The machine `node` at full speed."""
    del node
    return Performance()
