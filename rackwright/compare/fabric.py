"""Planned links, and the names that switches report."""

from __future__ import annotations

from rackwright.model.check import Expectation
from rackwright.model.design import Link


def subnet_links(expectation: Expectation) -> list[Link]:
    """Planned links that an InfiniBand subnet can show."""
    transports = expectation.wiring.transports
    return [link for link in expectation.links if transports.get(link.fabric) == "infiniband"]


def switch_name(description: str) -> str:
    """The name in the NodeDescription of a switch; a managed NVIDIA switch writes ``MF0;<name>:<model>/U1``."""
    return description.removeprefix("MF0;").split(":")[0] if description.startswith("MF0;") else description
