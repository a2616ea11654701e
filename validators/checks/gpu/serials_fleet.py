"""No two nodes of the fleet show an accelerator with the same serial number."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, Mapping[str, str]]]) -> Mapping[str, Finding]:
    """Name the other nodes that show the serial number of an accelerator."""
    shown: dict[str, list[str]] = {}
    for expectation, seen in peers:
        for serial in seen.values():
            shown.setdefault(serial, []).append(expectation.node.name)
    return {expectation.node.name: of_node(expectation, seen, shown) for expectation, seen in peers}


def of_node(expectation: Expectation, seen: Mapping[str, str], shown: Mapping[str, Sequence[str]]) -> Finding:
    """Serial numbers of one node that another node shows as well."""

    def elsewhere(serial: str) -> str | None:
        """The other nodes, ``nowhere``, or None without a serial number."""
        others = [name for name in shown.get(serial, ()) if name != expectation.node.name]
        return None if not serial else f"on {', '.join(others)}" if others else "nowhere"

    return compare.every(
        expectation,
        {part: elsewhere(serial) for part, serial in seen.items()},
        lambda found: found == "nowhere",
        what="serial number of an accelerator also shown",
        expected="nowhere",
        source="history of repairs is kept by serial number",
    )


def numbers(seen: Accelerators) -> dict[str, str]:
    """By accelerator: its serial number."""
    return compare.by_device(seen, lambda device: device.serial)


def applies(expectation: Expectation) -> bool:
    """The public forms of the tools of Moore Threads, Biren and Cambricon show no serial number."""
    silent = ("moore-threads", "biren", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor not in silent


CHECK = FleetCheck(
    title="A serial number is in one node alone", reads=Accelerators, takes=numbers, judge=judge, applies=applies
)
