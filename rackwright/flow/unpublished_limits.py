"""Unpublished limits: checks that the last gate requires of a server, but that cannot judge before its nodes are
calibrated.

The readings of a node follow from its hardware and software, so they are taken from a simulated twin without hosts
(`twin.campaign`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase

from rackwright import gate, judge
from rackwright.catalog import Catalog
from rackwright.design import assemble
from rackwright.judge import LimitTable
from rackwright.model.calibration import Calibration
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.model.times import second_text
from rackwright.twin.campaign import Stage
from rackwright.twin.campaign.play import collect_evidence

PEERS = 2
"""Number of nodes of a server that are simulated: collectives over nodes need two."""
LEAST_NODES = 4
"""Number of nodes of the smallest calibration (`model.site.Calibration`)."""


def of_site(site: Site, catalog: Catalog, now: datetime) -> dict[str, list[str]]:
    """Server -> checks that the last gate requires of its nodes, and that have no published limit."""
    plan = assemble.expand(_cut(site), catalog, steps=assemble.PLANT)
    by_server: dict[str, list[str]] = {}
    for node in plan.nodes("accelerator"):
        if node.accelerator is not None and "load_tests" in node.accelerator.capabilities:
            by_server.setdefault(node.server.sku, []).append(node.name)
    names = tuple(name for nodes in by_server.values() for name in nodes[:PEERS])
    if not names:
        return {}
    stage = Stage(plan, names, second_text(now))
    return unjudged(plan, names, {"twin": collect_evidence(stage, stage.healthy)}, stage.limits)


def _cut(site: Site) -> Site:
    """`site` with the first nodes of every pool, at any place: the readings of a server's nodes do not depend on their
    number.
    """
    pools = [
        pool.model_copy(update={"count": min(pool.count, PEERS), "hosts": pool.hosts[:PEERS]}) for pool in site.pools
    ]
    facility = site.facility.model_copy(update={"racks": []})
    return site.model_copy(update={"pools": pools, "facility": facility, "unmanaged": []})


def unjudged(
    plan: Design, names: Sequence[str], runs: Mapping[str, Mapping[str, NodeEvidence]], limits: LimitTable
) -> dict[str, list[str]]:
    """Server -> checks without a limit, for the nodes in `names`, from their evidence."""
    last = gate.load_chain(plan.site.acceptance.gates, roots=plan.roots)[-1]
    capabilities = gate.node_capabilities(plan, names)
    lacking = judge.unlimited_readings(plan, names, runs, judge.load_checks(plan.roots), limits).unjudged
    by_server: dict[str, set[str]] = {}
    for name, check in lacking:
        patterns = [*last.required(capabilities[name]), *last.where_they_apply, *last.when_run]
        if check not in last.advisory and any(fnmatchcase(check, pattern) for pattern in patterns):
            by_server.setdefault(plan.node(name).server.sku, set()).add(check)
    return {server: sorted(checks) for server, checks in sorted(by_server.items())}


def terms(site: Site, server: str) -> Calibration | None:
    """Usual terms for `server`, or those that the site declares; None if it has too few nodes."""
    declared = {entry.server: entry for entry in site.acceptance.calibrations}
    count = sum(pool.count for pool in site.pools if pool.server == server)
    if server in declared or count < LEAST_NODES:
        return declared.get(server)
    usual = Calibration.model_fields["nodes"].default
    return Calibration(server=server, nodes=min(usual, count), signed_by="NAME, ROLE: who answers for these limits")


def advice(site: Site, checks_by_server: Mapping[str, Sequence[str]]) -> list[str]:
    """One sentence per server of `of_site`: the missing limits, and the calibration that provides them."""
    return [_advice(site, server, checks) for server, checks in checks_by_server.items()]


def _advice(site: Site, server: str, checks: Sequence[str]) -> str:
    missing = f"nobody has published a limit of {server} for {', '.join(checks)}: its nodes are refused until the site has calibrated them"
    command = (
        f"`rackwright judge SITE --learn FILE --calibrate {server}` makes the limits (docs/how-to/accept-nodes.md)"
    )
    calibration = terms(site, server)
    if calibration is None:
        return f"{missing}, which takes at least {LEAST_NODES} nodes; bring limits in the site's folder, or more nodes"
    if calibration in site.acceptance.calibrations:
        return f"{missing}. Declared: {calibration.nodes} nodes, {calibration.runs} runs each; {command}"
    entry = f"{{server: {server}, nodes: {calibration.nodes}, runs: {calibration.runs}, signed_by: ...}}"
    return f"{missing}. Declare acceptance.calibrations: [{entry}], burn in {calibration.nodes} nodes {calibration.runs} times, and {command}"
