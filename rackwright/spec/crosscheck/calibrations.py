"""Declared calibrations: servers that the site has, once each, with enough nodes."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Calibrations that could never be made."""
    nodes: dict[str, int] = {}
    for pool in site.pools:
        nodes[pool.server] = nodes.get(pool.server, 0) + pool.count
    declared: set[str] = set()
    for i, terms in enumerate(site.acceptance.calibrations):
        path = f"acceptance.calibrations[{i}]"
        if terms.server not in nodes:
            expected, step = f"one of {', '.join(nodes)}", "name the server of a pool, or remove the calibration"
            yield problem(f"{path}.server", "unknown_server", "no pool has this server", expected, terms.server, step)
        elif terms.nodes > nodes[terms.server]:
            expected = f"at most the {nodes[terms.server]} nodes with this server"
            text, step = "asks for more nodes than there are", "lower it; fewer than 8 nodes say little"
            yield problem(f"{path}.nodes", "too_many", text, expected, str(terms.nodes), step)
        if terms.server in declared:
            text, step = "this server is calibrated twice", "keep one of the two"
            yield problem(
                f"{path}.server", "double_calibration", text, "one calibration per server", terms.server, step
            )
        declared.add(terms.server)
