"""Every accelerator multiplies matrices as fast as its kind does, in every precision, minutes after the burn began."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Burn) -> Finding:
    """Compare the median of the second half of every run with the floor; a missing precision makes the verdict inconclusive."""
    row = compare.limit(expectation, "burn.precisions")
    if row is None:
        return compare.no_limit(expectation, "burn.precisions")
    short = loads.untested_finding(expectation, len(record.devices), "matrix products")
    findings = [
        compare.at_least(
            expectation,
            compare.by_device(record, lambda device, precision=precision: rate(device, precision)),
            "burn.gemm_tflops",
            what=f"{precision} matrix products",
            precision=precision,
        )
        for precision in compare.words(row)
    ]
    return loads.combine_findings([*findings, *([short] if short else [])])


def rate(device: BurnedDevice, precision: str) -> float | None:
    """The rate in `precision`; None if it was not run."""
    for gemm in device.gemms:
        if gemm.precision == precision:
            return compare.late_median(gemm.tflops)
    return None


CHECK = Check(
    reads=Burn,
    judge=judge,
    applies=loads.runs_burns,
)
