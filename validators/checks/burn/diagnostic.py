"""The vendor's own diagnostic finds nothing wrong with any accelerator."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Diagnosis, Diagnostic
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Diagnosis) -> Finding:
    """Map every result: a hardware failure fails; a failure in software or in the tool, or a pass with a hardware
    warning, is inconclusive.
    """
    row = compare.limit(expectation, "burn.hardware_categories")
    if row is None:
        return compare.no_limit(expectation, "burn.hardware_categories")
    hardware = compare.words(row)

    def outcome(result: Diagnostic) -> Outcome:
        if result.status == "fail":
            return Outcome.FAIL if result.error_category in hardware else Outcome.INCONCLUSIVE
        if result.error_category in hardware:  # DCGM attaches it to a test that it still calls passed
            return Outcome.DEGRADED if result.status == "warn" else Outcome.INCONCLUSIVE
        return {"pass": Outcome.PASS, "warn": Outcome.DEGRADED, "skip": Outcome.PASS}.get(
            result.status, Outcome.INCONCLUSIVE
        )

    outcomes = [outcome(result) for result in record.results]
    decides = compare.worst(outcomes)
    bad = [
        result
        for result, result_outcome in zip(record.results, outcomes, strict=True)
        if result_outcome == decides and result_outcome != Outcome.PASS
    ]
    passed = [result for result in record.results if result.status == "pass"]
    ran = [result for result in record.results if result.status in RAN and result.category != ITS_OWN]
    tested = {result.part for result in ran if result.part.startswith(GPU)}
    short = loads.untested_finding(expectation, min(record.devices, len(tested)), f"{record.tool} level {record.level}")
    texts = [f"{result.part} {result.test}: {', '.join(result.messages) or result.status}" for result in bad]
    if not passed:
        decides, texts = Outcome.INCONCLUSIVE, texts or ["no test passed"]
    finding = compare.finding(
        expectation,
        decides,
        what=f"{record.tool} level {record.level}",
        observed="; ".join(dict.fromkeys(texts)) or f"{len(passed)} results pass",
        expected="every test passes",
        source=compare.limit_source(row),
    )
    return loads.combine_findings([finding, *([short] if short else [])])


ITS_OWN, GPU, RAN = "Deployment", "GPU ", ("pass", "warn", "fail")
"""Category of tests of the installation, not of a part (DCGM, category of a test); prefix of the names of parts;
results of a test that ran.
"""


CHECK = Check(
    reads=Diagnosis,
    judge=judge,
    applies=has_capability("diagnosis"),
)
