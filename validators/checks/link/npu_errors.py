"""No port of an NPU has sent or received damaged packets."""

from rackwright.compare.applicability import has_own_port
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.npu_port import NpuPorts

COUNTERS = ("mac_tx_bad_pkt_num", "mac_rx_bad_pkt_num", "roce_verification_err_num")


def counts(expectation: Expectation, record: NpuPorts, _: float) -> dict[str, int | None]:
    """Each of `COUNTERS` of every NPU that the node was bought with."""
    ports = {number: record.ports.get(str(number)) for number in range(expectation.node.accelerators)}
    return {
        f"NPU {number} {name}": port.counters.get(name) if port is not None else None
        for number, port in ports.items()
        for name in COUNTERS
    }


CHECK = threshold(
    reads=NpuPorts,
    metric="link.npu_counter",
    readings=counts,
    good=at_most,
    what="damaged packets of",
    applies=has_own_port,
)
