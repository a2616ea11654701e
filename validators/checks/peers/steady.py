"""No accelerator slows down in the course of a burn, neither in steps nor little by little."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Burn) -> Finding:
    """Compare the end of every series of products and clocks with its beginning."""
    series = {f"{compare.name(one)} {gemm.precision}": gemm.tflops for one in seen.devices for gemm in one.gemms}
    series |= {f"{compare.name(one)} clock": one.samples.sm_clock_mhz for one in seen.devices}
    return compare.holds(expectation, series, what="slowest part of the burn beside its beginning")


CHECK = Check(title="No step and no dip through the burn", reads=Burn, judge=judge, applies=loads.runs_burns)
