"""The loaded driver runs programs of the declared CUDA."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the CUDA that the driver supports with the bill; within a major version an older driver runs with fewer features."""
    declared, offered = (
        compare.version_numbers(expectation.software.cuda),
        compare.version_numbers(record.cuda_driver_version),
    )
    if not offered:
        outcome = Outcome.INCONCLUSIVE
    elif offered >= declared:
        outcome = Outcome.PASS
    else:
        outcome = Outcome.DEGRADED if offered[0] == declared[0] else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="CUDA that the loaded driver supports:",
        observed=record.cuda_driver_version or "no reading",
        expected=f"at least {expectation.software.cuda}",
        source="site software.cuda; CUDA compatibility, docs.nvidia.com/deploy/cuda-compatibility",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose bill declares it."""
    return compare.has_accelerators(expectation) and bool(expectation.software.cuda)


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
