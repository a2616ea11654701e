"""The firmware that the accelerators run is one that the loaded driver accepts, and the declared toolkit goes with both."""

from rackwright import compare, compat
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.software import Bill
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Judge every firmware in force with the loaded driver, by the rules of `rackwright.compat`; the worst answer
    decides.
    """
    silent = [f"no reading of {compare.name(device)}" for device in record.devices if not device.vbios]
    silent += [] if record.driver_version else ["no reading of the loaded driver"]
    by_release: dict[str, list[Device]] = {}
    for device in record.devices:
        by_release.setdefault(device.vbios, []).append(device)
    answers = {} if silent else {release: judged(expectation, record, release) for release in by_release}
    wrong = [
        f"{', '.join(map(compare.name, by_release[release]))}: {text(answer)}"
        for release, of_release in answers.items()
        for answer in of_release
        if answer.outcome is not Outcome.PASS
    ]
    outcomes = [answer.outcome for of_release in answers.values() for answer in of_release]
    return compare.finding(
        expectation,
        Outcome.INCONCLUSIVE if silent else compare.worst(outcomes),
        what="driver and firmware in force:",
        observed="; ".join(silent or wrong) or f"driver {record.driver_version} with firmware {', '.join(by_release)}",
        expected="a driver, a firmware and a toolkit that go together",
        source=f"rules of rackwright compat, read {compat.tables_read()}, each with its own source and date",
    )


def judged(expectation: Expectation, record: Accelerators, release: str) -> list[compat.CompatibilityAnswer]:
    """The answers of the rules for one firmware; the toolkit is the declared one, because containers bring it."""
    fields = compat.reported_fields(compare.accelerator(expectation).vendor)
    bill = Bill.model_validate(
        {fields.driver: record.driver_version, fields.firmware: release, "cann": expectation.software.cann}
    )
    facts = compat.facts_of(bill, expectation.node.accelerator, expectation.node.server)
    answers = compat.judge_facts(facts, [], expectation.as_of)
    return [
        answer
        for answer in answers
        if answer.subject in (fields.driver, fields.firmware) and answer.question != "complete"
    ]


def text(answer: compat.CompatibilityAnswer) -> str:
    """Subject, found, expected, rule and source of an answer, in words."""
    return (
        f"{answer.subject} {answer.found}, expected {answer.expected} [{answer.rule}: {answer.source}, {answer.date}]"
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have a tool that reports the firmware in force, if a driver is declared."""
    if not has_capability("firmware_version")(expectation):
        return False
    fields = compat.reported_fields(compare.accelerator(expectation).vendor)
    return bool(fields.firmware and getattr(expectation.software, fields.driver))


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
