"""Selects the faults that can show on a site, and says why the others cannot.

A fault is absent for one of five reasons: the site lacks a feature that it `needs`, the nodes lack the part that it breaks, their
BMCs do not report what it changes, or none of the checks that must find it applies to such a node (or to a machine where it shows as well), or it changes nothing (no leaf has a free port for a cable).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright import catalog
from rackwright.judge.expect import tenants_of_pools
from rackwright.model.artifact import WILDCARDS
from rackwright.model.check import AnyCheck, Expectation, PlantCheck
from rackwright.model.design import Design, Node
from rackwright.model.evidence.link import Links
from rackwright.model.evidence.npu_port import NpuPorts
from rackwright.model.sku import NVIDIA_ADAPTERS, SLINGSHOT
from rackwright.twin import faults
from rackwright.twin.bmc import dialects
from rackwright.twin.campaign.objects import named
from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import State

Has = Callable[[Design], bool]


def _fabric(role: str, transport: str) -> Has:
    return lambda design: any(fabric.role == role and fabric.transport == transport for fabric in design.site.fabrics)


def _scheduler(name: str) -> Has:
    return lambda design: bool(design.site.pools_of(name))


FEATURES: dict[str, tuple[str, Has]] = {
    "infiniband": ("InfiniBand compute fabric", _fabric("compute", "infiniband")),
    "infiniband-storage": ("InfiniBand storage fabric", _fabric("storage", "infiniband")),
    "roce": ("RoCE compute fabric", _fabric("compute", "roce")),
    "kubernetes": ("nodes of Kubernetes", _scheduler("kubernetes")),
    "slurm": ("nodes of Slurm", _scheduler("slurm")),
    "liquid": ("liquid-cooled nodes", lambda design: any(server.liquid for server in design.servers.values())),
    "leak-reaction": ("leak detectors that react", lambda design: bool(design.site.facility.liquid and design.site.facility.liquid.leak_reaction)),
    "nvlink": ("NVLink", lambda design: any(part.nvlink_links for part in design.accelerators.values())),
    "fabric-manager": ("NVSwitches in its nodes", lambda design: any(server.fabric_manager for server in design.servers.values())),
    "nvlink-domain": ("NVLink over several nodes", lambda design: any(fabric.role == "nvlink" for fabric in design.site.fabrics)),
    "tenants": ("tenants who share nodes of Kubernetes", lambda design: any(len(tenants) > 1 and scheduler == "kubernetes" for (_, scheduler), tenants in tenants_of_pools(design).items())),
    "storage": ("storage tiers that nodes mount", lambda design: any(tier.client for tier in design.site.storage)),
}  # fmt: skip
"""Words of `Fault.needs`, beside the makers of accelerators: a phrase for readers, and a predicate on designs."""


@dataclass(frozen=True)
class Place:
    """The faults of one site."""

    faults: Mapping[str, Fault]
    """Faults that are played, by name."""
    absent: Mapping[str, str]
    """Reasons why the others are not, by name."""


def place(
    design: Design,
    healthy: State,
    nodes: Sequence[str],
    checks: Mapping[str, AnyCheck],
    expected: Sequence[Expectation],
) -> Place:
    """The faults that can show on `nodes` of `design`; `healthy` is their state, `expected` the expectation of each judged machine."""
    node_checks = {name: check for name, check in checks.items() if not isinstance(check, PlantCheck)}
    hit = [node for node in expected if node.node.name in nodes]
    far, near = (
        {name for name, check in node_checks.items() if any(check.applies(node) for node in some)}
        for some in (expected, hit)
    )
    units = [healthy.plant.units[name] for name in healthy.plant.around.get(nodes[0], ())] if nodes else []
    near |= {
        name
        for name, check in checks.items()
        if isinstance(check, PlantCheck) and any(isinstance(unit, check.unit) for unit in units)
    }
    has = features(design)
    reasons = {
        name: _missing_requirement(fault, has, near | _matching_checks(far, fault.elsewhere), healthy, nodes)
        or _unseen_port(fault, node_checks, healthy, design.node(nodes[0]))
        for name, fault in faults.load_faults().items()
        if fault.judged
    }
    return Place(
        {name: faults.load_faults()[name] for name, why in reasons.items() if not why},
        {name: why for name, why in reasons.items() if why},
    )


def features(design: Design) -> frozenset[str]:
    """The words of `FEATURES` that are true of `design`, and the makers of its accelerators."""
    return frozenset([*(word for word, (_, has) in FEATURES.items() if has(design)), *design.vendors])


def about(design: Design) -> str:
    """The kind of site in a few words: servers and features."""
    servers = sorted({node.server.sku for node in design.nodes("accelerator")})
    has = features(design)
    words = [*(word for word in FEATURES if word in has), *sorted(design.vendors)]
    return f"{', '.join(servers)} with {', '.join(phrase(word) for word in words)}"


def phrase(word: str) -> str:
    """A word of `Fault.needs` for readers; KeyError for a word that is neither a feature nor a maker of the catalog."""
    return FEATURES[word][0] if word in FEATURES else f"{catalog.load().vendors[word].manufacturer} accelerators"


def _matching_checks(checks: AbstractSet[str], patterns: AbstractSet[str]) -> set[str]:
    """Checks that match any of `patterns`. Most patterns are plain ids, so only globs are compared with each check."""
    globs = [pattern for pattern in patterns if any(mark in pattern for mark in WILDCARDS)]
    matched = {check for check in checks if any(fnmatchcase(check, glob) for glob in globs)} if globs else set()
    return matched | (checks & patterns)


def _unseen_port(fault: Fault, checks: Mapping[str, AnyCheck], healthy: State, node: Node) -> str:
    """Why no check that reads such a port can find a fault of it; empty if one can."""
    ports = named(fault.names, healthy.machines[node.name])
    read = {getattr(checks[name], "reads", None) for name in _matching_checks(checks.keys(), fault.checks)}
    if node.accelerator_ports & ports and NpuPorts not in read:
        return "its port is part of an accelerator, and the host reads nothing of it"
    foreign = {
        name
        for group in node.server.ports
        if not group.adapter.startswith((*NVIDIA_ADAPTERS, SLINGSHOT))
        for name in group.names
    }
    return "mlxlink does not read the adapter of its port" if foreign & ports and read == {Links} else ""


def _missing_requirement(
    fault: Fault, has: frozenset[str], applying: set[str], healthy: State, nodes: Sequence[str]
) -> str:
    missing = [phrase(word) for word in fault.needs.split() if word not in has]
    if missing:
        return f"the site has no {' and no '.join(missing)}"
    if fault.nodes > len(nodes):
        return f"it takes {fault.nodes} nodes"
    silent = fault.reported and fault.reported not in dialects.reported(healthy.machines[nodes[0]])
    if silent:
        return f"the BMC of the nodes does not report {dialects.REPORTED[fault.reported]}"
    if not _matching_checks(applying, fault.checks):
        return f"nothing there is judged by {' or '.join(f'`{check}`' for check in sorted(fault.checks))}"
    try:
        named(fault.names, healthy.machines[nodes[0]])
    except LookupError as lack:
        return str(lack.args[0])
    if fault.apply(healthy, nodes[: fault.nodes]) == healthy:
        return "it changes nothing on such a site"
    return ""
