"""The clock of the BMC agrees with the one of the machine that reads it."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the difference in either direction with the limit."""
    most = compare.limit(expectation, "bmc.clock_offset")
    if most is None:
        return compare.no_limit(expectation, "bmc.clock_offset")
    offset = record.clock_offset_seconds or 0.0
    entries = len(record.log or [])
    return compare.finding(
        expectation,
        Outcome.FAIL if abs(offset) > compare.number(most) else Outcome.PASS,
        what="clock of the BMC:",
        observed=lambda: (
            f"{bmc.duration(abs(offset))} {'ahead of' if offset > 0 else 'behind'} the collecting machine"
            + (
                f"; the dates of the {entries} entries of its event log cannot be trusted"
                if abs(offset) > compare.number(most) and entries
                else ""
            )
        ),
        expected=f"at most {bmc.duration(compare.number(most))} away",
        source=compare.limit_source(most),
    )


CHECK = bmc.resting_on(
    Check(reads=BmcEvidence, judge=judge),
    "managers",
    offers=lambda record: record.clock_offset_seconds is not None,
    what="clock of the BMC",
    expected="the time of the collecting machine",
)
