"""How fast the parts of one machine of the twin are, as shares of what healthy ones reach.

Only values that a fault changes are here. A link with half its lanes, or a missing or hot accelerator, is in `state.Gpu` and counts too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.model.design import Node


@dataclass(frozen=True)
class GpuSpeed:
    """One accelerator under load; 1 is healthy."""

    clock: float = 1.0
    """Share of the clock that a healthy part holds."""
    fall: float = 0.0
    """Share of the clock that is lost from the beginning of a burn to its end."""
    power: float = 1.0
    """Share of the power that a healthy part draws."""
    heat_celsius: int = 0
    """Warmer than a healthy part under load."""
    reasons: tuple[str, ...] = ()
    """Further clock-event reasons while it works."""
    precisions: dict[str, float] = field(default_factory=dict)
    """Rate of single precisions (a fused-off or broken tensor path)."""
    memory: float = 1.0
    mismatches: int = 0
    """Products that come out differently."""
    wrong_always: bool = False
    """It computes the same wrong product every time: only its neighbours show it."""
    corrupt_words: int = 0
    host_read: float = 1.0
    """Copies from the accelerator to the host."""
    host_write: float = 1.0
    links: float = 1.0
    """Copies to and from other accelerators."""
    diagnostic: tuple[str, str, str] | None = None
    """What the vendor's diagnostic finds: test, category of the error, message."""
    stress_errors: int = 0
    not_numbers: bool = False
    """Products of a training overflow."""
    failed_requests: int = 0
    """Requests to a server on it that are never answered."""


@dataclass(frozen=True)
class Rail:
    """One adapter that serves accelerators; 1 is healthy."""

    bandwidth: float = 1.0
    latency: float = 1.0
    gpudirect: bool = True
    used: bool = True
    """False: the collective library leaves it out."""
    through: int | None = None
    """Number of the rail whose port carries its traffic instead of its own."""


HEALTHY_GPU, HEALTHY_RAIL = GpuSpeed(), Rail()


@dataclass(frozen=True)
class Performance:
    """Shares that a fault changes; 1 is healthy."""

    gpus: dict[int, GpuSpeed] = field(default_factory=dict)
    rails: dict[str, Rail] = field(default_factory=dict)
    links: float = 1.0
    """Speed of all links between the accelerators (a plane of NVSwitches)."""
    multicast: bool = True
    """False: switches do not reduce, so the library falls back to a ring."""
    peers: bool = True
    """False: accelerators reach each other through host memory only."""
    tcp: bool = False
    """True: the collective library finds no RDMA and uses TCP."""
    gpudirect: bool = True
    """False: the module that lets adapters reach accelerator memory is not loaded."""
    host: float = 1.0
    """Speed of host memory as copies feel it."""
    wrong_elements: int = 0
    """Wrong results of a collective."""
    silent_log: bool = False
    """True: the debug output of the collective library goes elsewhere, so nothing is proven."""
    hidden: tuple[int, ...] = ()
    """Accelerators that the driver shows and jobs do not get."""
    local_read: float = 1.0
    local_write: float = 1.0
    local_operations: float = 1.0
    shared_read: float = 1.0
    shared_write: float = 1.0
    metadata: float = 1.0
    shared_lost: bool = False
    """True: the shared file system is not mounted."""
    visible_seconds: float = 0.05
    """Until the node sees a file that another has written."""
    kept_beside: float = 1.0
    """Share of its rate that half of the accelerators keeps while the other half copies as well."""
    stale_files: bool = False
    """True: it never sees it."""
    slow_with: dict[str, float] = field(default_factory=dict)
    """Nodes with which it is slow although both are well, with the share that is left."""

    def gpu(self, index: int) -> GpuSpeed:
        """The accelerator with this number."""
        return self.gpus.get(index, HEALTHY_GPU)

    def rail(self, adapter: str) -> Rail:
        """The adapter with this name."""
        return self.rails.get(adapter, HEALTHY_RAIL)


def healthy(node: Node) -> Performance:
    """The machine `node` at full speed."""
    del node
    return Performance()
