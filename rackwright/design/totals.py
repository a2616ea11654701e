"""The totals of a design: public interface of ``rackwright design --format json``. The names carry the units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rackwright.design.cabling import CableRun
from rackwright.design.cooling import Media, heat
from rackwright.design.placement import SiteLayout
from rackwright.design.population import Population
from rackwright.design.ports import Ints
from rackwright.design.topology import Network
from rackwright.design.topology.radix import ratio
from rackwright.model.sku import Server, Switch

OPTICAL = ("multimode", "single-mode")
KINDS = ("node_leaf", "leaf_spine", "spine_core", "isl", "uplink", "global", "nvlink")
FLOWS = ("liquid_kw", "coolant_liters_per_minute", "air_cfm")
"""Totals that depend on the plant of the building."""


def totals(
    population: Population, layout: SiteLayout, networks: Sequence[Network], runs: Sequence[CableRun], through: Media
) -> dict[str, Any]:
    """Counts, power and air of the whole site, and counts and bandwidth per fabric.

    `it_kw` is the sum of peak loads. All of it becomes heat; `through` gives the flows that carry it away.
    """
    devices = layout.present()
    nodes = [device for device in devices if device.role == "accelerator"]
    servers = [device.part for device in devices if isinstance(device.part, Server)]
    machines = np.array([machine.role == "accelerator" for machine in population.all()], dtype=np.bool_)
    return {
        "nodes": len(nodes),
        "accelerators": sum(part.accelerators for part in servers),
        "racks": len(layout.racks()),
        "it_kw": round(sum(device.part.peak_watts for device in devices) / 1000, 3),
        **_heat([device.part for device in devices], through),
        "fabrics": {network.fabric.name: _fabric(network, machines, runs) for network in networks},
    }


def _heat(parts: Sequence[Server | Switch], through: Media) -> dict[str, float]:
    """Heat into the liquid, and the flows of coolant and air for all `parts`."""
    total = heat(parts, through)
    return {
        "liquid_kw": total.liquid_watts / 1000,
        "coolant_liters_per_minute": round(total.coolant_liters_per_minute, 1),
        "air_cfm": round(total.airflow_cfm, 1),
    }


def _fabric(network: Network, nodes: np.ndarray[Any, Any], runs: Sequence[CableRun]) -> dict[str, Any]:
    """Counts of one fabric. Injection is what nodes can send (N x B); bisection is half of it over the oversubscription."""
    mine = [run for run in runs if run.fabric == network.fabric.name]
    kinds: Counter[str] = Counter()
    injection = 0
    for run in mine:
        kinds[run.wires.kind] += len(run.wires)
        if run.wires.kind in ("node_leaf", "nvlink"):
            hosts = run.wires.a[run.wires.a < len(nodes)]
            injection += run.wires.gbps * int(nodes[hosts].sum())
    bisection = injection / 2 / ratio(network.fabric.oversubscription)
    return {
        "leaf": network.count("leaf") + network.count("management"),
        "spine": network.count("spine"),
        "core": network.count("core"),
        "cables": {kind: kinds[kind] for kind in KINDS},
        "transceivers": _transceivers(network, mine),
        "bisection_gbps": float(bisection),
        "injection_gbps": injection,
    }


def _transceivers(network: Network, mine: Sequence[CableRun]) -> int:
    """Switch-side modules of optical cables: cages of this fabric's switches with at least one optical link."""
    network = network.owner or network
    if not network.members:
        return 0
    cages = _Cages(network)
    for run in mine:
        optical = run.are(OPTICAL)
        if optical.any():
            cages.mark(run.wires.a[optical], run.wires.a_port[optical])
            cages.mark(run.wires.b[optical], run.wires.b_port[optical])
    return int(cages.marked.sum())


class _Cages:
    """The cages of a fabric's switches, and which of them hold a module."""

    def __init__(self, network: Network) -> None:
        ids = [member.id for member in network.members]
        self.first = min(ids)
        lists = {id(network.roster.ports[device]): network.roster.ports[device] for device in ids}
        row = {key: at for at, key in enumerate(lists)}
        self.kind = np.full(max(ids) - self.first + 1, -1, dtype=np.int64)
        self.kind[np.array(ids) - self.first] = [row[id(network.roster.ports[device])] for device in ids]
        self.cage = np.full((len(lists), max(len(device.ports) for device in lists.values())), -1, dtype=np.int64)
        for at, device in enumerate(lists.values()):
            self.cage[at, : len(device.ports)] = device.cages
        self.marked = np.zeros((len(self.kind), int(self.cage.max()) + 1), dtype=np.bool_)

    def mark(self, device: Ints, port: Ints) -> None:
        """Puts a module into the cage of every port of this fabric's switches."""
        at = device - self.first
        ours = (at >= 0) & (at < len(self.kind))
        at, port = at[ours], port[ours]
        cage = np.where(self.kind[at] >= 0, self.cage[self.kind[at], port], -1)
        self.marked[at[cage >= 0], cage[cage >= 0]] = True
