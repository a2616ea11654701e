"""The cable of every NPU is in the switch port that the cable plan gives it."""

from rackwright import compare
from rackwright.compare import network
from rackwright.compare.applicability import has_own_port
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.npu_port import NpuPorts
from rackwright.model.verdict import Finding

PREFIX = "npu"


def judge(expectation: Expectation, record: NpuPorts) -> Finding:
    """Compare the switch and port that are announced to each NPU with the planned ones."""
    links = npu_links(expectation)
    return compare.every(
        expectation,
        {network.port_place(link): state_of(expectation, link, record) for link in links},
        lambda state: state == network.IN_PLACE,
        what="cable of an NPU",
        expected="the cable plan",
        source=lambda: f"design, fabrics {', '.join(sorted({link.fabric for link in links}))}",
    )


def npu_links(expectation: Expectation) -> list[Link]:
    """Planned cables of the ports of the node's accelerators."""
    return [link for link in expectation.links if link.port in expectation.node.accelerator_ports]


def state_of(expectation: Expectation, link: Link, record: NpuPorts) -> str | None:
    """`network.IN_PLACE`, or where the cable is; None if the switch does not announce its name or port."""
    port = record.ports.get(link.port.removeprefix(PREFIX))
    if port is None or not port.switch or not port.switch_port:
        return None
    return network.announced_place(expectation, link, [(port.switch, port.switch_port)])


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have network ports of their own, with a cable."""
    return has_own_port(expectation) and bool(npu_links(expectation))


CHECK = Check(reads=NpuPorts, judge=judge, applies=applies)
