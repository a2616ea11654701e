"""Problems that would keep nodes out forever: a pattern of the gate without a check, a cluster that cannot allocate
their accelerators.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from rackwright import gate, judge
from rackwright.base.errors import Problem
from rackwright.catalog import unpublished
from rackwright.flow.schedulers import kubernetes_resource
from rackwright.model.design import Design, Node


def problems(design: Design) -> list[Problem]:
    """One problem for every pattern of the gate without a check that applies, naming all pools concerned."""
    gates = gate.load_chain(design.site.acceptance.gates, roots=design.roots)
    pools: dict[str, dict[str, None]] = {}
    for node, answered in _answers(design).items():
        capabilities = gate.node_capabilities(design, [node])[node]
        for pattern in gates[-1].required(capabilities):
            if not any(fnmatchcase(check, pattern) for check in answered):
                pools.setdefault(pattern, {})[design.node(node).pool] = None
    unanswered = (_problem(design, pattern, list(names)) for pattern, names in pools.items())
    return [*unanswered, *_without_plugin(design), *_unknown_adapters(design)]


def _unknown_adapters(design: Design) -> Iterator[Problem]:
    """Problems of adapters whose PCI ids no limit knows: they could not be found on the bus, and their nodes would
    never be accepted.
    """
    listed = {
        row.record.match["adapter"]
        for row in judge.load_limits(roots=design.roots).rows
        if row.record.metric == "pcie.adapter_ids"
    }
    for i, pool in enumerate(design.site.pools):
        server = design.servers[pool.server]
        named = {port.adapter for port in server.ports if port.role != "bmc"} if server.accelerators else set()
        for adapter in sorted(named - listed):
            thing = unpublished.unpublished_thing(adapter)
            yield Problem(
                place="site",
                path=f"pools[{i}].server",
                message=f"the PCI ids of adapter {adapter} of {server.sku} are not known"
                + (
                    f": {thing.why}"
                    if thing
                    else ", so that it could not be found on the bus and no node could ever join"
                ),
                expected=f"one of {', '.join(sorted(listed))}",
                found=adapter,
                next_step=thing.next_step
                if thing
                else "name the adapter as one of them, or bring its rows pcie.adapter_ids, pcie.adapter_generation and pcie.adapter_width "
                "in the limits of the site's folder",
                code="gate.unknown_adapter",
            )


def _without_plugin(design: Design) -> Iterator[Problem]:
    """Problems of Kubernetes pools whose accelerators no device plugin offers, as far as the limits know."""
    vendors = {node.pool: node.accelerator.vendor for node in design.nodes("accelerator") if node.accelerator}
    for i, pool in enumerate(design.site.pools):
        vendor = vendors.get(pool.name, "")
        if "kubernetes" in pool.nodes_by_scheduler() and vendor and not kubernetes_resource(design, vendor):
            yield Problem(
                place="site",
                path=f"pools[{i}].scheduler{'' if pool.scheduler == 'kubernetes' else 's.kubernetes'}",
                message=f"no device plugin for accelerators of {vendor} is known, so that Kubernetes cannot give them away",
                expected="a vendor with a row kubernetes.resource in the limits",
                found="kubernetes",
                next_step="schedule the pool otherwise, or add the row with its source to the limits of the site's folder",
                code="gate.no_device_plugin",
            )


def _answers(design: Design) -> dict[str, list[str]]:
    """Name of the first node of each pool and scheduler -> the checks that apply to it."""
    checks = judge.node_checks(judge.load_checks(roots=design.roots))
    first: dict[tuple[str, str], Node] = {}
    for node in design.nodes("accelerator"):
        first.setdefault((node.pool, node.scheduler), node)
    names = [node.name for node in first.values()]
    expected = judge.expect(design, {}, judge.load_limits(roots=design.roots), names)
    return {
        expectation.node.name: [name for name, check in checks.items() if check.applies(expectation)]
        for expectation in expected
    }


def _problem(design: Design, pattern: str, pools: list[str]) -> Problem:
    every = len(pools) == len(design.site.pools)
    return Problem(
        place="site",
        path="acceptance.gates",
        message=f"gate {design.site.acceptance.gates} asks for {pattern}, and no check of it applies to "
        f"{'any server of the site' if every else 'pool ' + ' and '.join(pools)}, so that none could ever join",
        expected="a gate that the servers can answer",
        found=design.site.acceptance.gates,
        next_step=f"name another gate, or move {pattern} to where_they_apply (validators/gates.yaml, or the gates of the site's folder)",
        code="gate.unanswerable",
    )
