"""The shape every topology returns: switches, wires, and the ports that are still free."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.errors import Problem, ProblemsError
from rackwright.model.fabric import Fabric
from rackwright.model.sku import Switch


@dataclass(frozen=True)
class Member:
    """One switch."""

    name: str
    tier: str
    """leaf, spine, core, management."""
    pool: str
    unit: int
    """Scalable unit whose rack row it stands in; 0 for switches that all share."""
    index: int


@dataclass(frozen=True)
class Wire:
    """One cable before its length and part are known."""

    kind: str
    a_device: str
    a_port: str
    b_device: str
    b_port: str
    gbps: int
    present: bool = True
    """False for the cable of a slot that holds no node yet."""


@dataclass
class Network:
    """One fabric, wired."""

    fabric: Fabric
    path: str
    """Field path of the fabric in the site."""
    switch: Switch
    members: list[Member] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    free: dict[str, list[int]] = field(default_factory=dict)
    """Host ports that no node and no slot uses, per leaf, lowest last taken."""

    def port(self, number: int) -> str:
        """Name of the switch's port `number`."""
        return self.switch.port_name.format(number=number)

    def count(self, tier: str) -> int:
        """Switches of one tier."""
        return sum(member.tier == tier for member in self.members)

    def refuse(self, message: str, expected: str, found: str, next_step: str, where: str = "") -> ProblemsError:
        """The error for a fabric that cannot be built as declared."""
        problem = Problem("site", where or self.path, message, expected, found, next_step, "design.port_budget")
        return ProblemsError([problem])
