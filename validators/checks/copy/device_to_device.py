"""Every accelerator writes to every peer in its node as fast as their links allow."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Copies
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Copies) -> Finding:
    """Compare every pair with the floor; every accelerator must have written to all its peers."""
    copies = [copy for copy in record.copies if copy.direction == "device_to_device"]
    ways = {(copy.source, copy.target) for copy in copies if copy.source != copy.target}
    sources = [source for source, _ in ways]
    complete = [source for source in set(sources) if sources.count(source) >= expectation.node.accelerators - 1]
    short = loads.untested_finding(expectation, len(complete), "copies between accelerators")
    finding = compare.at_least(
        expectation,
        compare.NamedReadings(
            [copy.gbytes_per_s for copy in copies],
            lambda: [f"GPU {copy.source} to GPU {copy.target}" for copy in copies],
        ),
        "copy.device_to_device_gbytes_per_s",
        what="copy from one accelerator to another",
    )
    return loads.combine_findings([finding, *([short] if short else [])])


def applies(expectation: Expectation) -> bool:
    """Nodes with several accelerators that have links between them."""
    part = expectation.node.accelerator
    linked = part is not None and part.scale_up in ("nvlink", "infinity-fabric", "hccs")
    return linked and loads.runs_burns(expectation) and expectation.node.accelerators > 1


CHECK = Check(reads=Copies, judge=judge, applies=applies)
