"""No serial number of an accelerator appears in two nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Cards]]) -> Mapping[str, Finding]:
    """Name the nodes that share the serial number of an accelerator."""
    nodes_by_serial: dict[str, list[str]] = {}
    for expectation, record in peers:
        for serial in record.serials:
            nodes_by_serial.setdefault(serial, []).append(expectation.node.name)
    return {expectation.node.name: of_node(expectation, cards, nodes_by_serial) for expectation, cards in peers}


def of_node(
    expectation: Expectation, cards: fleet_readings.Cards, nodes_by_serial: Mapping[str, Sequence[str]]
) -> Finding:
    """The finding of one node: serial numbers that appear in other nodes as well."""

    def elsewhere(serial: str) -> str | None:
        """The nodes that share it, ``nowhere``, or None without a serial number."""
        nodes = [name for name in nodes_by_serial.get(serial, ()) if name != expectation.node.name]
        return None if not serial else f"on {', '.join(nodes)}" if nodes else "nowhere"

    return compare.every(
        expectation,
        {part: elsewhere(serial) for part, serial in zip(cards.names, cards.serials, strict=True)},
        lambda place: place == "nowhere",
        what="serial number of an accelerator also shown",
        expected="nowhere",
        source="history of repairs is kept by serial number",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have a tool that reports serial numbers."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).serial_reading


CHECK = FleetCheck(
    reads=Accelerators,
    takes=fleet_readings.accelerator_readings,
    judge=judge,
    applies=applies,
)
