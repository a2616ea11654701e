"""Which cables a port can take: rate, what they carry, and the plugs at both ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.peripheral import Nic, Optic
from rackwright.model.server import Server
from rackwright.model.sku import Cable, Sku, Source, Switch
from rackwright.model.texts import Label

LAST = "active-copper"
"""VisitLimit where nothing else fits: published reference designs go from passive copper straight to transceivers."""


class CageFit(Record):
    """The plugs that a cage takes besides its own."""

    cage: Label
    plugs: list[Label]


class PlugFit(Record):
    """Everything of ``plug_fit.yaml``."""

    cages: list[CageFit]
    sources: list[Source]


@cache
def _plugs_by_cage() -> Mapping[str, frozenset[str]]:
    return {row.cage: frozenset(row.plugs) for row in read_record("plug_fit", PlugFit).cages}


def fits(cage: str, plug: str) -> bool:
    """Whether a plug fits a cage; an empty form fits everywhere."""
    return not cage or not plug or cage == plug or plug in _plugs_by_cage().get(cage, ())


def forms(parts: Iterable[Sku]) -> frozenset[str]:
    """Every form of a cage or plug in ``plug_fit.yaml`` and in `parts`."""
    named = {form for part in parts for _, form in part_forms(part)} - {""}
    return frozenset(named.union(_plugs_by_cage(), *_plugs_by_cage().values()))


def part_forms(part: Sku) -> Iterator[tuple[str, str]]:
    """Field path and form of every cage and plug of `part`; an empty form where it names none."""
    if isinstance(part, Cable):
        yield from (("form", part.form), ("node_form", part.node_form))
    elif isinstance(part, Optic | Nic):
        yield "form", part.form
    elif isinstance(part, Server):
        yield from ((f"ports[{i}].form", group.form) for i, group in enumerate(part.ports))
    elif isinstance(part, Switch):
        groups = {"ports": part.ports, "uplinks": part.uplinks}
        yield from ((f"{name}.form", group.form) for name, group in groups.items() if group)


def fits_ends(cable: Cable, cage: str, node_cage: str) -> bool:
    """Whether `cable` goes into both cages; `node_cage` is the one nearer to the node."""
    return fits(cage, cable.form) and fits(node_cage, cable.node_form or cable.form)


def fitting(
    cables: Iterable[Cable], gbps: int, switch: Switch | None = None, node_cage: str | None = None
) -> list[Cable]:
    """Cables of `gbps` between `switch` and a cage like its own, or `node_cage`: each by reach, the shortest first.

    Active copper comes last. Without a switch, whatever carries InfiniBand or Ethernet fits.
    """
    carrying = carriers(cables, gbps, switch.transport if switch else "")
    if switch is None:
        return carrying
    cage = _form(switch, gbps)
    return [cable for cable in carrying if fits_ends(cable, cage, cage if node_cage is None else node_cage)]


def carriers(
    cables: Iterable[Cable], gbps: int, transport: str, optics: Mapping[str, Optic] | None = None
) -> list[Cable]:
    """Cables whose links have `gbps` and carry `transport` (empty: InfiniBand or Ethernet), the first choice first.

    Of two with one reach, the one without transceivers and with the fewer links in the plug at the node comes first.
    """
    some = [cable for cable in cables if cable.gbps == gbps and _carries(cable, transport)]
    return sorted(
        some,
        key=lambda cable: (
            cable.medium == LAST,
            cable.max_meters,
            cable.optic is not None,
            links_per_plug(cable, optics or {})[1],
            cable.sku,
        ),
    )


def _carries(cable: Cable, transport: str) -> bool:
    if not transport:
        return cable.transport != ["nvlink"]
    return transport in (cable.transport or ("infiniband", "ethernet"))


def links_per_plug(cable: Cable, optics: Mapping[str, Optic]) -> tuple[int, int]:
    """Most links of `cable` in one cage: at the end away from the node, and at the end nearer to it."""
    far, near = optics.get(cable.optic or ""), optics.get(cable.node_optic or cable.optic or "")
    if far is None or near is None:
        return cable.links, cable.links // cable.splits
    return far.gbps * far.links // cable.gbps, near.gbps * near.links // cable.gbps


def _form(switch: Switch, gbps: int) -> str:
    groups = [switch.ports, *([switch.uplinks] if switch.uplinks else [])]
    return next((group.form for group in groups if group.gbps == gbps), switch.ports.form)
