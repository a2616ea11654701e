"""No two nodes of the fleet show an accelerator with the same serial number."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings
from rackwright.compare.equal_nodes import once
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Cards]]) -> Mapping[str, Finding]:
    """Name the other nodes that show the serial number of an accelerator."""
    shown: dict[str, list[str]] = {}
    for expectation, seen in peers:
        for serial in seen.serials:
            shown.setdefault(serial, []).append(expectation.node.name)
    keys = [unique(seen.serials, shown) or expectation.node.name for expectation, seen in peers]
    return once(peers, keys, lambda one, seen: of_node(one, seen, shown))


def unique(serials: Sequence[str], shown: Mapping[str, Sequence[str]]) -> bool:
    """Whether there are serial numbers, and no other accelerator shows one of them."""
    return bool(serials) and all(serial and len(shown[serial]) == 1 for serial in serials)


def of_node(expectation: Expectation, seen: fleet_readings.Cards, shown: Mapping[str, Sequence[str]]) -> Finding:
    """Serial numbers of one node that another node shows as well."""

    def elsewhere(serial: str) -> str | None:
        """The other nodes, ``nowhere``, or None without a serial number."""
        others = [name for name in shown.get(serial, ()) if name != expectation.node.name]
        return None if not serial else f"on {', '.join(others)}" if others else "nowhere"

    return compare.every(
        expectation,
        {part: elsewhere(serial) for part, serial in zip(seen.names, seen.serials, strict=True)},
        lambda found: found == "nowhere",
        what="serial number of an accelerator also shown",
        expected="nowhere",
        source="history of repairs is kept by serial number",
    )


def applies(expectation: Expectation) -> bool:
    """The public forms of the tools of Moore Threads, Biren and Cambricon show no serial number."""
    silent = ("moore-threads", "biren", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor not in silent


CHECK = FleetCheck(
    reads=Accelerators,
    takes=fleet_readings.cards,
    judge=judge,
    applies=applies,
)
