"""The error counters of every RDMA port of a node before and after a soak."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.network import PortCounters
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import MachinePort, State
from rackwright.twin.tools.rdma import COUNTERS

ANSWERED = True
ADAPTER = (
    "rx_write_requests", "rx_read_requests", "rx_atomic_requests", "out_of_buffer", "out_of_sequence", "duplicate_request",
    "rnr_nak_retry_err", "packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err", "req_cqe_error", "resp_cqe_error",
)  # fmt: skip
"""Of hw_counters of mlx5, some of those that ``rdma statistic`` prints (Linux, mlx5/counters.c)."""
SECONDS = 300.04
DEVICES = "/sys/class/infiniband"


def observe(state: State, design: Design, node: str) -> PortCounters:
    """Counters as they stand, and with what the port gains meanwhile."""
    ports = [nic for nic, _ in wires.rdma_ports(state, design, node)]
    before = {nic.name: _counters(nic) for nic in ports}
    after = {
        nic.name: {name: count + nic.link.growth.get(name, 0) for name, count in before[nic.name].items()}
        for nic in ports
    }
    return PortCounters(seconds=SECONDS, before=before, after=after)


def _counters(nic: MachinePort) -> dict[str, int]:
    return {name: nic.link.counters.get(name, 0) for name in (*COUNTERS, *ADAPTER)}


def render(record: PortCounters) -> bytes:
    """The sections that the collector parses to `record`."""
    return (_section("before", 0.0, record.before) + _section("after", record.seconds, record.after)).encode()


def _section(name: str, seconds: float, counters: dict[str, dict[str, int]]) -> str:
    lines = [
        f"{DEVICES}/{device}/ports/1/{'hw_counters' if counter in ADAPTER else 'counters'}/{counter}:{value}\n"
        for device, values in counters.items()
        for counter, value in values.items()
    ]
    return f"== {name}\n{seconds}\n" + "".join(lines)
