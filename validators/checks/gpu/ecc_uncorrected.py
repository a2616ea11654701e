"""No accelerator has seen an uncorrectable memory error, since boot or ever."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the volatile and the aggregate count of every accelerator with the limit."""
    row = compare.limit(expectation, "gpu.ecc_uncorrected")
    if row is None:
        return compare.no_limit(expectation, "gpu.ecc_uncorrected")
    most = compare.number(row)
    readings = {}
    for part, device in compare.by_device(seen, lambda device: device).items():
        readings[f"{part} since boot"] = device.ecc_uncorrected_volatile
        readings[f"{part} in its life"] = device.ecc_uncorrected_aggregate
    return compare.every(
        expectation,
        readings,
        lambda count: count <= most,
        what="uncorrectable ECC errors",
        expected=f"at most {most:g}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Parts without ECC count nothing; of the tools, those of NVIDIA, AMD and Huawei show the counts."""
    part = expectation.node.accelerator
    return part is not None and part.ecc and part.vendor in ("nvidia", "amd", "huawei")


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
