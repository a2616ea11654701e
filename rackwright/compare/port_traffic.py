"""Checks that the traffic of a rail went through its own port: bytes sent by the report of the tool, and by the port
counters.

A tool names the device that it opened; only the counters of the port prove which cable carried the bytes, because
bonded ports and wrong routes move traffic below the tool.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.compare.floors import at_least
from rackwright.compare.loads import combine_findings
from rackwright.compare.loads import planned_rails as planned
from rackwright.compare.readings import finding
from rackwright.model.check import Expectation
from rackwright.model.evidence.rail import RailDelay, RailSpeed
from rackwright.model.verdict import Finding, Outcome

METRIC = "rail.carried_share"


def judge_traffic(expectation: Expectation, tests: Sequence[RailSpeed | RailDelay], what: str) -> Finding:
    """Divide the bytes sent by the port of each planned rail by those that the tool reports; a rail without a test or
    counter is missing.
    """
    node_tests = [test for test in tests if test.node == expectation.node.name]
    rails = planned(expectation)
    readings = {_label(test): _share(test) for test in node_tests if test.adapter in rails}
    finding_of_share = at_least(expectation, readings, METRIC, what=f"bytes of {what} that the rail's own port sent")
    missing = [adapter for adapter in rails if adapter not in {test.adapter for test in node_tests}]
    if not missing:
        return finding_of_share
    uncounted = finding(
        expectation,
        Outcome.INCONCLUSIVE,
        what=f"counters of {what}",
        observed=f"no reading of {', '.join(missing)}",
        expected="a test of every rail",
        source="cable plan",
    )
    return combine_findings([finding_of_share, uncounted])


def _share(test: RailSpeed | RailDelay) -> float | None:
    sent = next((port.sent_bytes for port in test.ports if port.adapter == test.adapter), None)
    return sent / test.reported_bytes if sent is not None and test.reported_bytes else None


def _label(test: RailSpeed | RailDelay) -> str:
    """Name of the test, with the port that carried the bytes if it was another one."""
    counted = [(port.sent_bytes, port.adapter) for port in test.ports if port.sent_bytes is not None]
    most = max(counted, default=(0, test.adapter))[1]
    suffix = f" (carried by {most})" if most != test.adapter else ""
    return f"{test.adapter} to {test.peer}{suffix}"
