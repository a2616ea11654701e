"""No accelerator slows down in the course of a burn, neither in steps nor little by little."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.series import Series
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Burn) -> Finding:
    """Compare the end of every series of products and clocks with its beginning."""
    series: list[Series] = [gemm.tflops for one in seen.devices for gemm in one.gemms]
    series += [one.samples.sm_clock_mhz for one in seen.devices]
    named = compare.Named(series, lambda: names(seen))
    return compare.holds(expectation, named, what="slowest part of the burn beside its beginning")


def names(seen: Burn) -> list[str]:
    """What the series are called, in their order."""
    products = [f"{compare.name(one)} {gemm.precision}" for one in seen.devices for gemm in one.gemms]
    return products + [f"{compare.name(one)} clock" for one in seen.devices]


CHECK = Check(reads=Burn, judge=judge, applies=loads.runs_burns)
