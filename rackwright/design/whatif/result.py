"""Consequences of losses: plain records that turn into JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class ElementLoad:
    """The load of an element that still works."""

    element: str
    kind: str
    load: float
    capacity: float
    unit: str
    """kW, L/min or CFM."""

    @property
    def share(self) -> float:
        """Share of its capacity; above 1 it is overloaded."""
        return self.load / self.capacity if self.capacity else 0.0


@dataclass(frozen=True)
class FabricLeft:
    """One fabric after the losses, for the nodes that still run."""

    fabric: str
    bisection_gbps: float
    bisection_share: float
    """Of the bisection before."""
    nodes_cut_off: int
    nodes_slowed: int
    switches_down: int


@dataclass(frozen=True)
class Failing:
    """A rule that the site no longer meets."""

    rule: str
    says: str


@dataclass(frozen=True)
class LossEffect:
    """The effect in one domain: devices that go down, loads, rules that fail."""

    down: frozenset[str] = frozenset()
    loads: tuple[ElementLoad, ...] = ()
    failing: tuple[Failing, ...] = ()


@dataclass(frozen=True)
class Consequence:
    """All consequences of a scenario."""

    what_if: str
    lost: tuple[str, ...]
    devices_down: tuple[str, ...]
    nodes_down: int
    """Nodes without power, cooling or a place."""
    nodes_cut_off: int
    """Nodes that run and reach nobody on the compute or the in-band fabric."""
    nodes_left: int
    accelerators_left: int
    nodes: int
    accelerators: int
    loads: tuple[ElementLoad, ...]
    fabrics: tuple[FabricLeft, ...]
    declared: tuple[str, ...]
    """Declared losses that occur in this scenario."""
    failing: tuple[Failing, ...]
    survives: bool
    """No node is lost and no rule fails."""
    must_survive: bool
    """The site declares to survive exactly this."""
    says: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        data = asdict(self)
        for row, load in zip(data["loads"], self.loads, strict=True):
            row["share"] = round(load.share, 4)
        return data
