"""The vendor's own diagnostic finds nothing wrong with any accelerator."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Diagnosis, Diagnostic
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Diagnosis) -> Finding:
    """Map every result: a failure that blames the part fails, one that blames software or the tool is inconclusive."""
    row = compare.limit(expectation, "burn.hardware_categories")
    if row is None:
        return compare.no_limit(expectation, "burn.hardware_categories")
    hardware = compare.words(row)

    def outcome(one: Diagnostic) -> Outcome:
        if one.status == "fail":
            return Outcome.FAIL if one.error_category in hardware else Outcome.INCONCLUSIVE
        return {"pass": Outcome.PASS, "warn": Outcome.DEGRADED, "skip": Outcome.PASS}.get(
            one.status, Outcome.INCONCLUSIVE
        )

    outcomes = [outcome(one) for one in seen.results]
    decides = compare.worst(outcomes)
    bad = [one for one, said in zip(seen.results, outcomes, strict=True) if said == decides and said != Outcome.PASS]
    passed = [one for one in seen.results if one.status == "pass"]
    ran = [one for one in seen.results if one.status in RAN and one.category != ITS_OWN]
    tested = {one.part for one in ran if one.part.startswith(GPU)}
    short = loads.untested(expectation, min(seen.devices, len(tested)), f"{seen.tool} level {seen.level}")
    told = [f"{one.part} {one.test}: {', '.join(one.messages) or one.status}" for one in bad]
    if not passed:
        decides, told = Outcome.INCONCLUSIVE, told or ["no test passed"]
    found = compare.finding(
        expectation,
        decides,
        what=f"{seen.tool} level {seen.level}",
        observed="; ".join(dict.fromkeys(told)) or f"{len(passed)} results pass",
        expected="every test passes",
        source=compare.limit_source(row),
    )
    return loads.together([found, *([short] if short else [])])


ITS_OWN, GPU, RAN = "Deployment", "GPU ", ("pass", "warn", "fail")
"""The tests of the installation, which say nothing of a part (DCGM, category of a test); how parts are named; results of a test that ran."""


CHECK = Check(
    reads=Diagnosis,
    judge=judge,
    applies=lambda expectation: loads.vendor_is(expectation, "nvidia"),
)
