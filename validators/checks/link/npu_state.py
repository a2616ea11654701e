"""The network port of every NPU is up, and the address that it watches answers."""

from rackwright import compare
from rackwright.compare.applicability import has_own_port
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts
from rackwright.model.verdict import Finding

UP = "UP"
GOOD = ("Success", "Init", "Detect ip set", "")
"""Values of the network health that are no fault; Init and Detect ip set: nothing was probed yet (hccn_tool,
g_net_health_status).
"""


def judge(expectation: Expectation, record: NpuPorts) -> Finding:
    """Read the link of every NPU that the node was bought with, and the health of its network."""
    numbers = [str(number) for number in range(expectation.node.accelerators)]
    return compare.every(
        expectation,
        {f"NPU {number}": _state(record.ports.get(number)) for number in numbers},
        lambda state: state == UP,
        what="network port of",
        expected=UP,
        source="design: a cable is planned in each of these ports",
    )


def _state(port: NpuPort | None) -> str | None:
    if port is None or not port.link:
        return None
    return port.link if port.net_health in GOOD else f"{port.link}, network {port.net_health}"


CHECK = Check(reads=NpuPorts, judge=judge, applies=has_own_port)
