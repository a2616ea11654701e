"""Numbers and names of everything that can be faulty, and which parts no test can distinguish.

Kinds: node (host: every reading suffers), nvlink (accelerators and NVLink of a node, or a plane of a domain: links are good and the collective is slow), rail (adapter port with its cable to the leaf), cable (between switches), switch,
pair (two nodes that are good with all others).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.base.errors import UsageError
from rackwright.isolate.paths import Bundle, SwitchPaths
from rackwright.isolate.trial import OVERALL, Trial
from rackwright.isolate.wiring import NONE, Ints, NumberedWiring

KINDS = ("node", "nvlink", "rail", "cable", "switch", "pair")


@dataclass(frozen=True)
class FaultPart:
    """One part, or several that always take part in the same tests."""

    kind: str
    names: tuple[str, ...]


class PartIds:
    """Ids in this order: nodes, insides of nodes, rails, switches, planes of domains, bundles as they appear; pairs above all."""

    def __init__(self, wiring: NumberedWiring, paths: SwitchPaths) -> None:
        self.wiring, self.paths = wiring, paths
        self.made: dict[Trial, Mapping[int, Ints]] = {}
        """Parts that each test depends on, cached by `exercise.channels`."""
        self.count = len(wiring.nodes)
        self._rails = 2 * self.count
        self._switches = self._rails + self.count * wiring.slots
        self._planes = self._switches + len(wiring.switches)
        flat = [(domain, plane) for domain, planes in enumerate(wiring.planes) for plane in planes]
        self._plane_names = [plane for _, plane in flat]
        self._of_domain: dict[int, list[int]] = {}
        for index, (domain, _) in enumerate(flat):
            self._of_domain.setdefault(domain, []).append(self._planes + index)
        self._bundles = self._planes + len(flat)
        self._met: dict[Bundle, int] = {}
        self._listed: list[Bundle] = []
        self._pairs = 1 << 48

    def inside(self, node: int) -> int:
        """The id of the inside of a node: its accelerators and NVLink."""
        return self.count + node

    def rail(self, node: int, slot: int) -> int:
        """The id of a port with its cable to the leaf."""
        return self._rails + node * self.wiring.slots + slot

    def switch(self, switch: int) -> int:
        """The id of a switch."""
        return self._switches + switch

    def planes(self, domain: int) -> list[int]:
        """The ids of the NVLink switches of a domain."""
        return self._of_domain.get(domain, [])

    def bundle(self, bundle: Bundle) -> int:
        """The id of a bundle that a flow spreads over; a bundle of one switch is that switch."""
        if bundle.kind == "switch" and len(bundle.members) == 1:
            return self.switch(bundle.members[0])
        if bundle not in self._met:
            self._met[bundle] = self._bundles + len(self._met)
            self._listed.append(bundle)
        return self._met[bundle]

    def pair(self, a: int, b: int, slot: int = OVERALL) -> int:
        """The id of two nodes with each other, on one rail or on all."""
        low, high = min(a, b), max(a, b)
        return self._pairs + (low * self.count + high) * (self.wiring.slots + 1) + slot + 1

    def ends(self, atom: int) -> tuple[int, int]:
        """The two nodes of the pair `atom`."""
        low, high = divmod((atom - self._pairs) // (self.wiring.slots + 1), self.count)
        return low, high

    def owner(self, atom: int) -> int:
        """The node that a part belongs to; -1 for shared parts."""
        if not 0 <= atom < self._switches:
            return NONE
        if atom < self._rails:
            return atom % self.count
        return (atom - self._rails) // self.wiring.slots

    def kind(self, atom: int) -> str:
        """The kind of a part, one of `KINDS`."""
        if atom >= self._pairs:
            return "pair"
        if atom >= self._bundles:
            return self._listed[atom - self._bundles].kind
        edges = ((self.count, "node"), (self._rails, "nvlink"), (self._switches, "rail"), (self._planes, "switch"))
        return next((kind for edge, kind in edges if atom < edge), "nvlink")

    def members(self, atom: int) -> int:
        """Number of parts that an id stands for."""
        return len(self._listed[atom - self._bundles].members) if self._bundles <= atom < self._pairs else 1

    def bundled(self, atoms: Ints) -> NDArray[np.bool_]:
        """Mask: which ids stand for several parts."""
        return np.asarray((atoms >= self._bundles) & (atoms < self._pairs))

    @cached_property
    def _fixed(self) -> dict[FaultPart, int]:
        return {self.part(atom): atom for atom in range(self._bundles) if self._exists(atom)}

    def _exists(self, atom: int) -> bool:
        """Whether an id is used: nodes with fewer rails than others leave ids unused."""
        if not self._rails <= atom < self._switches:
            return True
        node, slot = divmod(atom - self._rails, self.wiring.slots)
        return slot < len(self.wiring.rails[node])

    def fixed(self, part: FaultPart) -> int | None:
        """The id of a part by its name; None for a cable, which appears only in bundles."""
        if part.kind == "pair":
            a, b = (self._place(end) for end in part.names[0].split("+"))
            return self.pair(a, b)
        return self._fixed.get(part)

    def holds(self, atom: int, part: FaultPart) -> bool:
        """Whether `part`, a single name of its kind, is this id or belongs to it."""
        return self.kind(atom) == part.kind and part.names[0] in self._names(atom)

    def part(self, atom: int) -> FaultPart:
        """Kind and names of a part."""
        return FaultPart(self.kind(atom), self._names(atom))

    def _names(self, atom: int) -> tuple[str, ...]:
        wiring = self.wiring
        if atom >= self._pairs:
            slot = (atom - self._pairs) % (wiring.slots + 1)
            ends = "+".join(wiring.nodes[node] for node in self.ends(atom))
            return (ends if slot == 0 else f"{ends} rail {slot - 1}",)
        if atom >= self._bundles:
            bundle = self._listed[atom - self._bundles]
            names = wiring.cables if bundle.kind == "cable" else wiring.switches
            return tuple(names[member] for member in bundle.members)
        if atom >= self._planes:
            return (self._plane_names[atom - self._planes],)
        if atom >= self._switches:
            return (wiring.switches[atom - self._switches],)
        if atom >= self._rails:
            node, slot = divmod(atom - self._rails, wiring.slots)
            return (f"{wiring.nodes[node]}/{wiring.rails[node][slot]}",)
        return (wiring.nodes[atom % self.count],)

    def node(self, name: str) -> int:
        """The number of a node. Raises UsageError for an unknown name."""
        if name not in self._numbers:
            raise UsageError(f"{name}: the wiring has no node of this name; the first one is {self.wiring.nodes[0]}")
        return self._numbers[name]

    def find(self, text: str) -> FaultPart:
        """The part named ``kind:name`` (``rail:train-005/mlx5_4``, ``pair:train-001+train-009``). Raises UsageError for an unknown part."""
        kind, _, name = text.partition(":")
        names = self._names_of_kind(kind)
        sought = "+".join(sorted(name.split("+"), key=self._place)) if kind == "pair" else name
        ends = sought.split("+")
        if kind == "pair" and len(ends) == 2 and ends[0] != ends[1] and all(end in names for end in ends):
            return FaultPart(kind, (sought,))
        if kind != "pair" and sought in names:
            return FaultPart(kind, (sought,))
        raise UsageError(
            f"--faults {text}: the wiring has no such part; write node:NAME, nvlink:NAME, rail:NODE/PORT, cable:NAME, "
            f"switch:NAME or pair:NODE+NODE" + (f", for example {kind}:{next(iter(names))}" if names else "")
        )

    def _place(self, node: str) -> int:
        return self._numbers.get(node, self.count)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {node: index for index, node in enumerate(self.wiring.nodes)}

    def _names_of_kind(self, kind: str) -> set[str] | dict[str, None]:
        wiring = self.wiring
        rails = (f"{node}/{port}" for node, ports in zip(wiring.nodes, wiring.rails, strict=True) for port in ports)
        names = {
            "node": wiring.nodes, "pair": wiring.nodes, "nvlink": (*wiring.nodes, *self._plane_names), "rail": rails,
            "cable": wiring.cables, "switch": wiring.switches,
        }  # fmt: skip
        return dict.fromkeys(names.get(kind, ()))
