"""Performance of a healthy part of the declared hardware, and the share of it that a machine of the twin reaches.

A healthy part reaches what is published of a healthy one (``validators/references``, the first reading), less up to one per cent of noise that
depends only on the node and the seed of the twin. Where none is published, it stays on the good side of the limit by `ROOM`, and without a limit
it reaches a share of the peak of its SKU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from rackwright import compare, judge
from rackwright.base.content import Roots
from rackwright.judge.lint_ceiling import MESHES
from rackwright.model.check import CALIBRATED, Expectation, Limit
from rackwright.model.design import Design
from rackwright.twin.guest.products import group_speed
from rackwright.twin.hardware.state import Gpu, State, TwinMachine

ROOM = 1.06
"""Distance of a healthy part from a bound that is not a measurement."""
PROMISES = ("vendor", "operator")
"""Kinds of published readings that say what a healthy machine reaches at least."""
USUAL_SHARE = 0.8
"""Share of a peak, where nothing was measured. Derived: 0.78 to 0.87 in the rows of `burn.gemm_tflops` and `hbm.copy_gbytes_per_s`."""
HOST_MEMORY = 0.1
"""Share that remains through host memory. Derived: PCIe 5 x16 (51 GB/s) against NVLink (450 GB/s)."""
HOST_PEAK = 63.0
"""GB/s of PCIe 5 x16 in one direction (PCI Express Base Specification 5.0)."""
TRANSFER_DOUBLES = 2
"""Each PCIe generation doubles the rate of the one before (PCI Express Base Specification)."""


@cache
def limits(roots: Roots) -> judge.LimitTable:
    """The limits of the checks of a site, without those that its nodes made themselves."""
    table = judge.load_limits(roots=roots)
    return replace(table, rows=tuple(row for row in table.rows if row.record.kind != CALIBRATED))


@cache
def published() -> Mapping[tuple[str, frozenset[tuple[str, str]]], float]:
    """What healthy machines of the field reach, by metric and match of the limit that they are held against."""
    references = (row.record for row in judge.load_references())
    return {
        (of.metric, frozenset(match.items())): of.healthy[0].value * (ROOM if of.healthy[0].kind in PROMISES else 1.0)
        for of in references
        for match in of.matches
        if of.healthy[0].value is not None
    }


_expectations: list[tuple[Design, dict[str, Expectation]]] = []
"""The expectations of the latest design; a list, because designs hold tables and cannot be hashed."""


def expectation(design: Design, node: str) -> Expectation:
    """The expectation of `node`, with the keys of its limits."""
    if not _expectations or _expectations[0][0] is not design:
        _expectations[:] = [(design, {})]
    by_node = _expectations[0][1]
    if node not in by_node:
        by_node[node] = _expectation(design, node)
    return by_node[node]


def _expectation(design: Design, node: str) -> Expectation:
    machine = design.node(node)
    return Expectation(
        node=machine, links=(), software=design.site.software.bill(machine.pool), limits=limits(design.roots)
    )


def noise(state: State, *where: str) -> float:
    """A factor just below 1, constant for the same place and seed."""
    return group_speed.noise(state.seed, *where)


def most(about: Expectation, metric: str, peak: float, **key: str) -> float:
    """Value of a healthy part for a reading that must be high; based on `peak` without a limit."""
    row = compare.limit(about, metric, **key)
    if row is None:
        return peak * USUAL_SHARE
    value = compare.number(row)
    return _healthy_value(row) or (value if row.kind == "measured" else value * ROOM)


def least(about: Expectation, metric: str, otherwise: float, **key: str) -> float:
    """Value of a healthy part for a reading that must be low; based on `otherwise` without a limit."""
    row = compare.limit(about, metric, **key)
    return otherwise if row is None else _healthy_value(row) or compare.number(row) * USUAL_SHARE / TRANSFER_DOUBLES


def _healthy_value(row: Limit) -> float | None:
    """What a healthy machine of the field reaches under `row`."""
    return published().get((row.metric, frozenset(row.match.items())))


def working(machine: TwinMachine) -> list[Gpu]:
    """The accelerators that are present."""
    return [gpu for gpu in machine.gpus if gpu.present]


def usable_gpus(machine: TwinMachine) -> list[Gpu]:
    """The present accelerators that a job gets."""
    return [gpu for gpu in working(machine) if gpu.index not in machine.performance.hidden]


def hot(gpu: Gpu) -> bool:
    """Whether the state reports that the accelerator is throttled."""
    return any("slowdown" in reason for reason in gpu.throttle_reasons)


def clock(machine: TwinMachine, gpu: Gpu) -> float:
    """Share of its clock that the accelerator holds at the start of a burn."""
    return machine.performance.gpu(gpu.index).clock * (USUAL_SHARE if hot(gpu) else 1.0)


def lanes(machine: TwinMachine, gpu: Gpu, about: Expectation) -> float:
    """Share of the host link that remains: its lanes and its generation."""
    part = about.node.accelerator
    if part is None or not part.pcie_width or not part.pcie_generation:
        return machine.performance.host
    slower = max(0, part.pcie_generation - gpu.pcie_generation)
    return machine.performance.host * min(1.0, gpu.pcie_width / part.pcie_width) / float(TRANSFER_DOUBLES**slower)


def between(about: Expectation) -> float:
    """Largest GB/s among its accelerators: over their own links, else over those of the host."""
    part = about.node.accelerator
    return (part.scale_up_gbytes_per_s if part else 0.0) or HOST_PEAK


def pair(about: Expectation) -> float:
    """Largest GB/s from one accelerator to another: over their one link of a mesh, over all links of a switch."""
    part = about.node.accelerator
    if part is None or part.scale_up not in MESHES:
        return between(about)
    return part.scale_up_gbytes_per_s_per_link or between(about)


def links(machine: TwinMachine, gpu: Gpu) -> float:
    """Share of the links to other accelerators that remains; without any, that of host memory."""
    up = (sum(gpu.nvlinks) / len(gpu.nvlinks) or HOST_MEMORY) if gpu.nvlinks else 1.0
    return machine.performance.links * machine.performance.gpu(gpu.index).links * up
