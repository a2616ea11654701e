"""The driver and the software that runs on it, as installed, are compatible on this node, still supported, and safe."""

from collections.abc import Iterator

from rackwright import compare, compat
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.software import Bill
from rackwright.model.verdict import Finding, Outcome

COMPANIONS = ("dcgm", "container_toolkit", "imex")


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Answer three questions (runs, supported, safe) by the rules of `rackwright.compat`; the worst answer decides.

    Whether it runs must be known; the others are answered where the rules ask them of this maker.

    Without a toolkit on the node, the declared CUDA counts: programs bring it in their containers.
    """
    by_component = {component: versions(expectation, record, component) for component in needed(expectation)}
    missing = [f"{name} is not among the packages read" for name, packages in by_component.items() if not packages]
    answers = [] if missing else list(judged(expectation, record, by_component))
    requested = {answer.question for answer in answers if answer.outcome is not Outcome.DEGRADED} | {"runs"}
    outcome = compare.worst(
        [answered(answers, question) for question in ("runs", "safe", "supported") if question in requested]
    )
    bill = [f"{name} {'/'.join(packages)}" for name, packages in by_component.items()]
    decisive = missing or [text(answer) for answer in answers if wrong(answer)]
    notes = [f"to know: {text(answer)}" for answer in answers if answer.outcome == Outcome.DEGRADED]
    return compare.finding(
        expectation,
        Outcome.INCONCLUSIVE if missing else outcome,
        what="software bill:",
        observed="; ".join(dict.fromkeys((decisive or bill) + notes)),
        expected="a bill that runs, is supported and is safe",
        source=f"rules of rackwright compat, read {compat.tables_read()}, each with its own source and date",
    )


def judged(
    expectation: Expectation, record: Packages, by_component: dict[str, list[str]]
) -> Iterator[compat.CompatibilityAnswer]:
    """The answers for every CUDA toolkit on the node, with the oldest package of each component."""
    oldest = {name: packages[0] for name, packages in by_component.items()}
    oldest |= {name: packages[0] for name in COMPANIONS if (packages := versions(expectation, record, name))}
    apart = compat.numbered_apart(compare.accelerator(expectation).vendor)
    exact = {name: version if name == "nccl" else release(version, apart) for name, version in oldest.items()}
    nscq = [compare.upstream_version(version) for version in versions(expectation, record, "nscq")]
    for cuda in versions(expectation, record, "cuda") or [expectation.software.cuda]:
        bill = Bill(**exact, cuda=compare.upstream_version(cuda))
        facts = compat.facts_of(bill, expectation.node.accelerator, expectation.node.server)
        facts |= {"nscq": nscq[0]} if nscq else {}
        answers = compat.judge_facts(facts, [], expectation.as_of)
        yield from (answer for answer in answers if answer.question != "complete")


def needed(expectation: Expectation) -> list[str]:
    """Components that the check needs, the driver first; without one it is inconclusive."""
    return compat.installed_fields(compare.accelerator(expectation).vendor)


def release(version: str, apart: bool) -> str:
    """The name of this version in the bill, for makers that number releases and drivers separately and for others."""
    upstream = compare.upstream_version(version)
    return compat.packaged_release(upstream) if apart else upstream


def versions(expectation: Expectation, record: Packages, component: str) -> list[str]:
    """Versions of the packages of a component, oldest first."""
    packages = compare.installed_packages(expectation, record, component) or {}
    return sorted((package.version for package in packages.values()), key=compare.version_numbers)


def answered(answers: list[compat.CompatibilityAnswer], question: compat.Question) -> Outcome:
    """The answer of one question; unsupported software still runs, so it is degraded."""
    outcome = compat.overall_outcome(answers, question)
    return Outcome.DEGRADED if question == "supported" and outcome == Outcome.FAIL else outcome


def wrong(answer: compat.CompatibilityAnswer) -> bool:
    """Whether an answer keeps the bill from passing."""
    return answer.outcome in {Outcome.FAIL, Outcome.INCONCLUSIVE}


def text(answer: compat.CompatibilityAnswer) -> str:
    """Subject, found, expected, rule and source of an answer, in words."""
    sentence = f"{answer.subject} {answer.found}, expected {answer.expected}"
    return f"{sentence} [{answer.question}, {answer.rule}: {answer.source}, {answer.date}]"


def applies(expectation: Expectation) -> bool:
    """Nodes with a declared driver whose packages the rules judge; other rules are applied before the installation."""
    if not has_capability("software_rules")(expectation):
        return False
    return any(getattr(expectation.software, driver) for driver in needed(expectation)[:1])


CHECK = Check(reads=Packages, judge=judge, applies=applies)
