"""The totals of a design: public interface of ``rackwright design --format json``. Units stand in the names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rackwright.design.cabling import Run
from rackwright.design.placement import Layout
from rackwright.design.population import Population
from rackwright.design.topology import Network
from rackwright.design.topology.radix import ratio
from rackwright.model.sku import Server

OPTICAL = ("multimode", "single-mode")


def totals(population: Population, layout: Layout, networks: Sequence[Network], runs: Sequence[Run]) -> dict[str, Any]:
    """Counts, power and air of the whole site, and counts and bandwidth per fabric.

    `it_kw` is the sum of peak loads. `air_cfm` counts servers that state their airflow. Nothing here is liquid-cooled.
    """
    devices = layout.present()
    nodes = [device for device in devices if device.role == "accelerator"]
    servers = [device.part for device in devices if isinstance(device.part, Server)]
    return {
        "nodes": len(nodes),
        "accelerators": sum(part.accelerators for part in servers),
        "racks": len(layout.racks()),
        "it_kw": round(sum(device.part.peak_watts for device in devices) / 1000, 3),
        "liquid_kw": 0.0,
        "coolant_liters_per_minute": 0.0,
        "air_cfm": sum(part.airflow_cfm for part in servers),
        "fabrics": {network.fabric.name: _fabric(network, population, runs) for network in networks},
    }


def _fabric(network: Network, population: Population, runs: Sequence[Run]) -> dict[str, Any]:
    """Counts of one fabric. Injection is what nodes can send (N x B); bisection is half of it over the oversubscription."""
    mine = [run for run in runs if run.fabric == network.fabric.name]
    kinds = Counter(run.wire.kind for run in mine)
    nodes = {machine.name for unit in population.units for machine in unit.machines}
    injection = sum(run.wire.gbps for run in mine if run.wire.kind == "node_leaf" and run.wire.a_device in nodes)
    bisection = injection / 2 / ratio(network.fabric.oversubscription)
    return {
        "leaf": network.count("leaf") + network.count("management"),
        "spine": network.count("spine"),
        "core": network.count("core"),
        "cables": {kind: kinds[kind] for kind in ("node_leaf", "leaf_spine", "spine_core", "isl", "uplink")},
        "transceivers": _transceivers(network, mine),
        "bisection_gbps": float(bisection),
        "injection_gbps": injection,
    }


def _transceivers(network: Network, mine: Sequence[Run]) -> int:
    """Switch-side modules of optical cables: cages of this fabric's switches with at least one optical link."""
    per_cage = network.switch.ports.per_cage
    numbers = {network.port(n): n for n in range(1, network.switch.ports.count + 1)}
    switches = {member.name for member in network.members}
    cages = {
        (device, (numbers[port] - 1) // per_cage)
        for run in mine
        if run.part.medium in OPTICAL
        for device, port in ((run.wire.a_device, run.wire.a_port), (run.wire.b_device, run.wire.b_port))
        if device in switches and port in numbers
    }
    return len(cages)
