"""What a healthy part of the declared hardware reaches, and what is left of it on a machine of the twin.

A healthy part reaches what the limits name as measured for it, less up to one per cent of noise that depends on the node and on the seed of
the twin alone; where a row is a bound and no measurement, it stays on the good side of it by `ROOM`. So the model follows the sourced numbers
when they change. Where no row speaks of a part there is a share of its SKU's peak.
"""

from __future__ import annotations

from functools import cache

from rackwright import compare, judge
from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.twin.guest.products import group_speed
from rackwright.twin.hardware.state import Gpu, Machine, State

ROOM = 1.06
"""How far a healthy part is from a bound that is no measurement."""
USUAL_SHARE = 0.8
"""Of a peak, where nothing was measured. Derived: 0.78 to 0.87 in the rows of `burn.gemm_tflops` and `hbm.copy_gbytes_per_s`."""
HOST_MEMORY = 0.1
"""Share that is left through host memory. Derived: PCIe 5 x16 (51 GB/s) against NVLink (450 GB/s)."""
HOST_PEAK = 63.0
"""GB/s of PCIe 5 x16 in one direction (PCI Express Base Specification 5.0)."""
TRANSFER_DOUBLES = 2
"""Each PCIe generation doubles the rate of the one before (PCI Express Base Specification)."""


@cache
def limits() -> judge.LimitTable:
    """The limits of the checks."""
    return judge.load_limits()


def expectation(design: Design, node: str) -> Expectation:
    """What limits may be keyed by, for `node`."""
    one = design.node(node)
    return Expectation(node=one, links=(), software=design.site.software.bill(one.pool), limits=limits())


def noise(state: State, *where: str) -> float:
    """A factor just below 1 that is always the same for the same place and seed."""
    return group_speed.noise(state.seed, *where)


def most(about: Expectation, metric: str, peak: float, **key: str) -> float:
    """What a healthy part reaches of a reading that must be high; `peak` where no limit speaks of it."""
    row = compare.limit(about, metric, **key)
    if row is None:
        return peak * USUAL_SHARE
    value = compare.number(row)
    return value if row.kind == "measured" else value * ROOM


def least(about: Expectation, metric: str, otherwise: float, **key: str) -> float:
    """What a healthy part needs of a reading that must be low."""
    row = compare.limit(about, metric, **key)
    return otherwise if row is None else compare.number(row) * USUAL_SHARE / TRANSFER_DOUBLES


def working(machine: Machine) -> list[Gpu]:
    """The accelerators that are there."""
    return [gpu for gpu in machine.gpus if gpu.present]


def given(machine: Machine) -> list[Gpu]:
    """Those that a job gets."""
    return [gpu for gpu in working(machine) if gpu.index not in machine.performance.hidden]


def hot(gpu: Gpu) -> bool:
    """Whether the state itself says that the accelerator slows down."""
    return any("slowdown" in reason for reason in gpu.throttle_reasons)


def clock(machine: Machine, gpu: Gpu) -> float:
    """Share of the clock that the accelerator holds when a burn begins."""
    return machine.performance.gpu(gpu.index).clock * (USUAL_SHARE if hot(gpu) else 1.0)


def lanes(machine: Machine, gpu: Gpu, about: Expectation) -> float:
    """Share of the host link that is left: its lanes and its generation."""
    part = about.node.accelerator
    if part is None or not part.pcie_width or not part.pcie_generation:
        return machine.performance.host
    slower = max(0, part.pcie_generation - gpu.pcie_generation)
    return machine.performance.host * min(1.0, gpu.pcie_width / part.pcie_width) / float(TRANSFER_DOUBLES**slower)


def between(about: Expectation) -> float:
    """GB/s that its accelerators can reach among themselves at most: over their own links, else over the host's."""
    part = about.node.accelerator
    return (part.scale_up_gbytes_per_s if part else 0.0) or HOST_PEAK


def links(machine: Machine, gpu: Gpu) -> float:
    """Share of the links to other accelerators that is left; without any, that of host memory."""
    up = (sum(gpu.nvlinks) / len(gpu.nvlinks) or HOST_MEMORY) if gpu.nvlinks else 1.0
    return machine.performance.links * machine.performance.gpu(gpu.index).links * up
