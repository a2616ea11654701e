"""Every InfiniBand port of the node is connected to the switch port in the cable plan."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import FabricLink, NodeFabric
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: NodeFabric) -> Finding:
    """Compare the far end of every port in the subnet with the planned one, and name the owner of the place it took."""
    links = compare.subnet_links(expectation)
    unread = [
        f"{link.port}: its subnet was not read, or neither its host nor the BMC reports its GUID"
        for link in links
        if link.port not in record.links
    ]
    wrong, owners = [], []
    for link in links:
        link_read = record.links.get(link.port)
        if link.port not in record.links or (link_read and at(link_read) == (link.remote_device, link.remote_number)):
            continue
        planned = f"{link.remote_device} port {link.remote_number} planned"
        if link_read is None:
            wrong.append(f"{link.port} is not in the subnet ({planned})")
        elif link_read.remote_kind == "Switch" and at(link_read)[0] not in expectation.wiring.switches:
            unread.append(
                f"{link.port} is on {link_read.remote_name!r}, a switch that the plan does not name ({planned})"
            )
        else:
            owner = expectation.owners.get(at(link_read), ("no cable", ""))
            owners += [owner[0]] if owner[0] not in (expectation.node.name, "no cable") else []
            owner_port = " ".join(owner).strip()
            wrong.append(
                f"{link.port} is on {at(link_read)[0]} port {link_read.remote_port}, where {owner_port} belongs ({planned})"
            )
    return compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.INCONCLUSIVE if unread else Outcome.PASS,
        what="fabric cabling:",
        observed=lambda: (
            swapped(expectation.node.name, owners)
            + ("; ".join(wrong + unread) or f"all {len(links)} ports are on their planned switch ports")
        ),
        expected="the cable plan",
        source=lambda: f"design, fabrics {', '.join(sorted({link.fabric for link in links}))}",
    )


def swapped(name: str, owners: list[str]) -> str:
    """Whose place the cables took, in words; empty if they changed places within the node."""
    owner_names = ", ".join(sorted(set(owners)))
    if len(owners) > 1:
        return f"{len(owners)} cables of {name} are found where those of {owner_names} belong: "
    return f"the cable of {name} is found where that of {owner_names} belongs: " if owners else ""


def at(link: FabricLink) -> tuple[str, int]:
    """Name and port of the far end."""
    return compare.switch_name(link.remote_name), link.remote_port


def applies(expectation: Expectation) -> bool:
    """Nodes with planned InfiniBand cables."""
    return bool(compare.subnet_links(expectation))


CHECK = Check(reads=NodeFabric, judge=judge, applies=applies)
