"""What can be wrong with one network port of the twin and the cable in it."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node


@dataclass(frozen=True)
class LinkState:
    """Readings that a fault changes; the defaults are those of a healthy port."""


def healthy(node: Node, port: str) -> LinkState:
    """Port `port` of `node` as it was planned."""
    del node, port
    return LinkState()
