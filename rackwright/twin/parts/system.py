"""What can be wrong with the operating system and the main board of one machine of the twin."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node


@dataclass(frozen=True)
class System:
    """Readings that a fault changes; the defaults are those of a healthy machine."""


def healthy(node: Node) -> System:
    """The machine `node` as it was ordered and onboarded."""
    del node
    return System()
