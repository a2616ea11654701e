"""Every RDMA port of the node runs at the rate of its planned cable, on all lanes."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare the rate that the kernel prints (``400 Gb/sec (4X NDR)``) with that of the plan."""
    readings = {}
    for link in network.rdma_links(expectation):
        device = network.rdma_device(record, link.port)
        gbps, lanes = rate(device.rate) if device is not None else (None, "")
        if gbps is None:
            readings[network.port_place(link)] = None
        else:
            share = "full" if gbps >= link.gbps else f"{gbps:g} of {link.gbps}"
            readings[network.port_place(link)] = f"{share} Gb/s {lanes}".strip()
    return compare.every(
        expectation,
        readings,
        lambda state: state.startswith("full"),
        what="rate of RDMA port",
        expected="the rate of the planned cable",
        source="design, rate of the cables",
    )


def rate(text: str) -> tuple[float | None, str]:
    """Gb/s, and lanes with speed as printed; (None, "") for malformed text."""
    number, _, lanes = text.partition(" Gb/sec")
    return (float(number), lanes.strip()) if number.replace(".", "", 1).isdecimal() else (None, "")


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
