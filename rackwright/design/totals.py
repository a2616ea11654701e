"""The totals of a design: public interface of ``rackwright design --format json``. Units stand in the names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rackwright.design.cabling import Run
from rackwright.design.cooling import Media, heat
from rackwright.design.placement import Layout
from rackwright.design.population import Population
from rackwright.design.topology import Network
from rackwright.design.topology.radix import ratio
from rackwright.model.sku import Server, Switch

OPTICAL = ("multimode", "single-mode")
KINDS = ("node_leaf", "leaf_spine", "spine_core", "isl", "uplink", "global", "nvlink")


def totals(
    population: Population, layout: Layout, networks: Sequence[Network], runs: Sequence[Run], through: Media
) -> dict[str, Any]:
    """Counts, power and air of the whole site, and counts and bandwidth per fabric.

    `it_kw` is the sum of peak loads; it all becomes heat, which `through` says the flows of.
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
    found = heat(parts, through)
    return {
        "liquid_kw": found.liquid_watts / 1000,
        "coolant_liters_per_minute": round(found.coolant_liters_per_minute, 1),
        "air_cfm": round(found.airflow_cfm, 1),
    }


def _fabric(network: Network, nodes: np.ndarray[Any, Any], runs: Sequence[Run]) -> dict[str, Any]:
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


def _transceivers(network: Network, mine: Sequence[Run]) -> int:
    """Switch-side modules of optical cables: cages of this fabric's switches with at least one optical link."""
    roster, first = network.roster, min((member.id for member in network.members), default=0)
    most = max((member.id for member in network.members), default=-1) + 1
    found = []
    for run in mine:
        if run.part.medium not in OPTICAL:
            continue
        for device, port in ((run.wires.a, run.wires.a_port), (run.wires.b, run.wires.b_port)):
            ours = (device >= first) & (device < most)
            if ours.any():
                found.append(_cages(roster.ports, device[ours], port[ours]))
    return len(np.unique(np.concatenate(found))) if found else 0


def _cages(ports: Sequence[Any], device: np.ndarray[Any, Any], port: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """One number per device and cage; 4,096 is more cages than any switch has."""
    widest = 4096
    lists = {id(one): one for one in (ports[int(d)] for d in np.unique(device))}
    order = {key: row for row, key in enumerate(lists)}
    size = max(len(one.ports) for one in lists.values())
    table = np.full((len(lists), size), -1, dtype=np.int64)
    for key, one in lists.items():
        table[order[key], : len(one.ports)] = one.cages
    unique, inverse = np.unique(device, return_inverse=True)
    kind = np.array([order[id(ports[int(d)])] for d in unique], dtype=np.int64)[inverse]
    cage = table[kind, port]
    keep = cage >= 0
    return np.asarray(device[keep].astype(np.int64) * widest + cage[keep])
