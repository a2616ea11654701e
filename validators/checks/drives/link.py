"""The PCIe link of every NVMe drive runs as fast and as wide as drive and slot can."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import DriveLink, DriveLinks
from rackwright.model.verdict import Finding

Link = tuple[int, int]


def judge(expectation: Expectation, record: DriveLinks) -> Finding:
    """Compare the link of every PCIe drive with the lesser capability of its two ends."""
    on_bus = [link for link in record.links if any((link.width, link.most_width, link.slot_width))]
    return compare.every(
        expectation,
        {link.name: pair(link) for link in on_bus},
        lambda links: links[0][0] >= links[1][0] and links[0][1] >= links[1][1],
        what="PCIe links of drives (generation, width), is and should be:",
        expected="no less than drive and slot can do",
        source="capabilities of both ends of the link, PCI Express Base Specification 5.0, 7.5.3.6",
    )


def pair(link: DriveLink) -> tuple[Link, Link] | None:
    """The current link and the expected one; None if the drive does not report its link or its capability."""
    if link.generation is None or link.width is None or link.most_generation is None or link.most_width is None:
        return None
    ends = (link.most_generation, link.slot_generation), (link.most_width, link.slot_width)
    least = [min(end for end in both if end is not None) for both in ends]
    return (link.generation, link.width), (least[0], least[1])


def applies(expectation: Expectation) -> bool:
    """Servers with data drives; the system drive is judged with them."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=DriveLinks, judge=judge, applies=applies)
