"""Every accelerator writes to every other one of its node as fast as their links allow."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Copies
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Copies) -> Finding:
    """Compare every pair with the floor; each of n accelerators must have written to all others."""
    own = [one for one in seen.copies if one.direction == "device_to_device"]
    ways = {(one.source, one.target) for one in own if one.source != one.target}
    sources = [source for source, _ in ways]
    whole = [one for one in set(sources) if sources.count(one) >= expectation.node.accelerators - 1]
    short = loads.untested(expectation, len(whole), "copies between accelerators")
    found = compare.at_least(
        expectation,
        compare.Named(
            [one.gbytes_per_s for one in own], lambda: [f"GPU {one.source} to GPU {one.target}" for one in own]
        ),
        "copy.device_to_device_gbytes_per_s",
        what="copy from one accelerator to another",
    )
    return loads.together([found, *([short] if short else [])])


def applies(expectation: Expectation) -> bool:
    """Only accelerators with links of their own, and more than one of them."""
    part = expectation.node.accelerator
    linked = part is not None and part.scale_up in ("nvlink", "infinity-fabric", "hccs")
    return linked and loads.runs_burns(expectation) and expectation.node.accelerators > 1


CHECK = Check(reads=Copies, judge=judge, applies=applies)
