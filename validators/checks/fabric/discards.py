"""No port of a switch of the subnets has thrown away packets that it could not send on."""

from rackwright.compare import network, switch_ports
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.switch_port import SwitchPorts

COUNTER = "PortXmitDiscards"

CHECK = threshold(
    reads=SwitchPorts,
    metric=switch_ports.METRIC,
    counter=COUNTER,
    readings=lambda expectation, record, _: switch_ports.beside_limits(expectation, record, (COUNTER,)),
    good=lambda state, _: state == switch_ports.GOOD,
    what="discards of switch ports:",
    expected="each below its threshold",
    applies=network.manages_subnets,
)
