"""Whether the traffic of a rail went through its own port: what a tool says that it sent, beside what the ports counted.

A tool names the device that it opened; only the port's counters prove which cable carried the
bytes, because bonded ports and wrong routes move traffic below the tool.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.compare.floors import at_least
from rackwright.compare.loads import rails as planned
from rackwright.compare.loads import together
from rackwright.compare.readings import finding
from rackwright.model.check import Expectation
from rackwright.model.evidence.rail import RailDelay, RailSpeed
from rackwright.model.verdict import Finding, Outcome

METRIC = "rail.carried_share"


def carried(expectation: Expectation, tests: Sequence[RailSpeed | RailDelay], what: str) -> Finding:
    """Divide what the port of each planned rail sent by what the tool says it sent; a rail without a test or a counter is no reading."""
    own = [one for one in tests if one.node == expectation.node.name]
    rails = planned(expectation)
    readings = {_named(one): _share(one) for one in own if one.adapter in rails}
    found = at_least(expectation, readings, METRIC, what=f"bytes of {what} that the rail's own port sent")
    missing = [adapter for adapter in rails if adapter not in {one.adapter for one in own}]
    if not missing:
        return found
    left = finding(
        expectation,
        Outcome.INCONCLUSIVE,
        what=f"counters of {what}",
        observed=f"no reading of {', '.join(missing)}",
        expected="a test of every rail",
        source="cable plan",
    )
    return together([found, left])


def _share(one: RailSpeed | RailDelay) -> float | None:
    sent = next((port.sent_bytes for port in one.ports if port.adapter == one.adapter), None)
    return sent / one.reported_bytes if sent is not None and one.reported_bytes else None


def _named(one: RailSpeed | RailDelay) -> str:
    """The test; with the port that carried the bytes where that was another one."""
    counted = [(port.sent_bytes, port.adapter) for port in one.ports if port.sent_bytes is not None]
    most = max(counted, default=(0, one.adapter))[1]
    other = f" (carried by {most})" if most != one.adapter else ""
    return f"{one.adapter} to {one.peer}{other}"
