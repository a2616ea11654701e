"""The module in every RDMA port of the node is the planned part, and copper has the planned length."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.link import Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Links) -> Finding:
    """Compare the order number (the part number up to its first hyphen) and, where the cable states it, the length."""
    links = network.nvidia_links(expectation)
    return compare.every(
        expectation,
        compare.NamedReadings(
            [state_of(expectation, link, record) for link in links], lambda: map(network.port_place, links)
        ),
        lambda state: state == GOOD,
        what="module in port",
        expected="the part of the cable plan",
        source=lambda: f"design, cables {', '.join(sorted({link.sku for link in links}))}",
    )


GOOD = "as planned"


def state_of(expectation: Expectation, link: Link, record: Links) -> str | None:
    """Differences in words, or `GOOD`; None if the port, the module or the plan's part number is unknown."""
    port, sku = record.ports.get(link.port), expectation.wiring.parts.get(link.sku)
    if port is None or port.module is None or not port.module.part or sku is None:
        return None
    order_number = sku.model.split(" ")[0].split("-")[0]
    if not port.module.part.startswith(order_number):
        return f"{port.module.vendor} {port.module.part} in the place of {order_number}"
    if port.module.meters and link.meters and port.module.meters != link.meters:
        return f"{port.module.meters:g} m in the place of {link.meters:g} m"
    return GOOD


def applies(expectation: Expectation) -> bool:
    """Nodes with planned parts that have an order number; a generic cable of the catalog represents any maker's."""
    skus = [expectation.wiring.parts.get(link.sku) for link in network.nvidia_links(expectation)]
    return network.has_mlxlink(expectation) and all(sku is not None and sku.manufacturer == "NVIDIA" for sku in skus)


CHECK = Check(reads=Links, judge=judge, applies=applies)
