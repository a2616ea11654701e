"""No port of a switch of the subnets counts more errors than the thresholds of the fabric diagnostics."""

from rackwright.compare import network, switch_ports
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.switch_port import SwitchPorts

COUNTERS = (
    "SymbolErrorCounter",
    "LinkErrorRecoveryCounter",
    "LinkDownedCounter",
    "PortRcvErrors",
    "PortRcvRemotePhysicalErrors",
    "PortXmitConstraintErrors",
    "PortRcvConstraintErrors",
    "LocalLinkIntegrityErrors",
    "ExcessiveBufferOverrunErrors",
)

CHECK = threshold(
    reads=SwitchPorts,
    metric=switch_ports.METRIC,
    counter=COUNTERS[0],
    readings=lambda expectation, record, _: switch_ports.beside_limits(expectation, record, COUNTERS),
    good=lambda state, _: state == switch_ports.GOOD,
    what="error counters of switch ports:",
    expected="each below its threshold",
    applies=network.manages_subnets,
)
