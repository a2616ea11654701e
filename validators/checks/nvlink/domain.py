"""All accelerators of the node are in the same NVLink domain and clique."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Name accelerators outside the domain and clique of most accelerators of the node: they cannot reach the others."""

    def place(device: Device) -> str | None:
        """Domain and clique, or None when the library reports no domain."""
        if device.fabric_domain is None or device.fabric_clique is None:
            return None
        return f"domain {device.fabric_domain} clique {device.fabric_clique}"

    places = compare.by_device(record, place)
    places_read = [place for place in places.seen if place is not None]
    most = max(sorted(set(places_read)), key=places_read.count) if places_read else ""
    return compare.every(
        expectation,
        places,
        lambda place: place == most,
        what="NVLink",
        expected=f"{most or 'one domain and clique'} for all accelerators of the node",
        source="the other accelerators of the node",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with parts from Hopper on whose NVLinks end at managed NVSwitches."""
    part = expectation.node.accelerator
    return part is not None and part.nvlink_links > 0 and part.architecture != "ampere"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
