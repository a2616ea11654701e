"""The PCIe link of every NVMe drive runs as fast and as wide as drive and slot can."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import DriveLink, DriveLinks
from rackwright.model.verdict import Finding

Link = tuple[int, int]


def judge(expectation: Expectation, seen: DriveLinks) -> Finding:
    """Compare the link of every drive on PCIe with the lesser of what its two ends can do."""
    on_bus = [one for one in seen.links if any((one.width, one.most_width, one.slot_width))]
    return compare.every(
        expectation,
        {one.name: pair(one) for one in on_bus},
        lambda links: links[0][0] >= links[1][0] and links[0][1] >= links[1][1],
        what="PCIe links of drives (generation, width), is and should be:",
        expected="no less than drive and slot can do",
        source="capabilities of both ends of the link, PCI Express Base Specification 5.0, 7.5.3.6",
    )


def pair(one: DriveLink) -> tuple[Link, Link] | None:
    """The link as it is and as it should be; None when an end says nothing of it."""
    if one.generation is None or one.width is None or one.most_generation is None or one.most_width is None:
        return None
    ends = (one.most_generation, one.slot_generation), (one.most_width, one.slot_width)
    least = [min(end for end in both if end is not None) for both in ends]
    return (one.generation, one.width), (least[0], least[1])


def applies(expectation: Expectation) -> bool:
    """Only servers with data drives; what the operating system lies on is judged with them."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=DriveLinks, judge=judge, applies=applies)
