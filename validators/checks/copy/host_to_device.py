"""Copies from host memory reach every accelerator as fast as its link allows."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Copies
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Copies) -> Finding:
    """Compare every accelerator's copy with the floor; fewer copies than accelerators are not the whole node."""
    own = {f"GPU {one.target}": one.gbytes_per_s for one in seen.copies if one.direction == "host_to_device"}
    short = loads.untested(expectation, len(own), "copy from host memory")
    found = compare.at_least(expectation, own, "copy.host_to_device_gbytes_per_s", what="copy from host memory")
    return loads.together([found, *([short] if short else [])])


CHECK = Check(
    reads=Copies,
    judge=judge,
    applies=loads.runs_burns,
)
