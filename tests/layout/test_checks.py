from __future__ import annotations

import ast
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rackwright import gate, judge
from rackwright.base import content
from rackwright.isolate.settings import NAMES
from rackwright.judge.node_view import sentence
from rackwright.model.check import PlantCheck
from rackwright.model.verdict import Outcome
from tests import build
from tests.check_cases import CASES, CHECKS, cases, judged, load

FOLDER = content.folder("validators", "checks")
HEADINGS = (
    "Claim",
    "How it is measured",
    "Where the expected value comes from",
    "What a failure usually means",
    "What to do next",
    "References",
)
ALLOWED = (
    "rackwright.model",
    "rackwright.compare",
    "rackwright.compat",
    "rackwright.error_codes",
    "collections.abc",
)
LONGEST_LINES = 100
BUILT_BY = (
    "bus.function_threshold",
    "plant.threshold",
    "bmc.resting_on",
    "Check",
    "FleetCheck",
    "PlantCheck",
    "threshold",
    "measured",
    "drive_share",
    "rail_tests",
)
USES_LIMITS = (
    "limit(",
    "installed_packages(",
    "bill_version",
    "floor(",
    "peers.",
    "threshold(",
    "measured(",
    "drive_share(",
    "judge_domain(",
)


def source(check: str) -> Path:
    return FOLDER.joinpath(*check.split(".")).with_suffix(".py")


def tree(check: str) -> ast.Module:
    return ast.parse(source(check).read_text())


def has_all_headings(check: str) -> bool:
    sections = source(check).with_suffix(".md").read_text().split("\n## ")
    headings = [section.split("\n")[0] for section in sections[1:]]
    texts = [section.split("\n", 1)[1].strip() for section in sections[1:] if "\n" in section]
    return (
        sections[0].startswith(f"# {check}: ")
        and headings == list(HEADINGS)
        and all(len(text) > 20 for text in texts)
        and len(texts) == len(HEADINGS)
    )


def test_pages_have_all_headings_with_text() -> None:
    offenders = [check for check in CHECKS if not has_all_headings(check)]
    assert offenders == [], f"each page has these headings with text below, in this order: {', '.join(HEADINGS)}"


def can_pass_and_fail(check: str) -> bool:
    outcomes = Counter(load(case)["outcome"] for case in cases(check))
    fails = outcomes["fail"] >= 1 or (check == "host.sysctl" and outcomes["degraded"] >= 1)
    return outcomes["pass"] >= 1 and fails


def test_cases_pass_and_fail() -> None:
    offenders = [check for check in CHECKS if not can_pass_and_fail(check)]
    assert offenders == [], (
        "each check needs a case with `outcome: pass` and one with `fail` in tests/cases/checks/<id>/"
    )


def test_checks_import_only_records_and_comparisons() -> None:
    nodes = [(check, node) for check in CHECKS for node in ast.walk(tree(check))]
    offenders = [check for check, node in nodes if isinstance(node, ast.Import)]
    offenders += [
        f"{check}: {node.module}.{alias.name}"
        for check, node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if not f"{node.module}.{alias.name}".startswith(ALLOWED)
    ]
    assert offenders == []


def test_checks_hold_no_threshold() -> None:
    offenders = [
        f"{check}: {node.value}"
        for check in CHECKS
        for node in ast.walk(tree(check))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and node.value not in (0, 1)
    ]
    assert offenders == []


def test_checks_are_short() -> None:
    offenders = [check for check in CHECKS if len(source(check).read_text().splitlines()) > LONGEST_LINES]
    assert offenders == []


def test_docstrings_are_the_claim() -> None:
    claims = {check: ast.get_docstring(tree(check)) or "" for check in CHECKS}
    offenders = [check for check, claim in claims.items() if not claim.endswith(".") or "\n\n" in claim]
    assert offenders == []


def ends_with_the_check(check: str) -> bool:
    """Whether the last statement is ``CHECK = <constructor>(...)``."""
    last = tree(check).body[-1]
    return (
        isinstance(last, ast.Assign)
        and ast.unparse(last.targets[0]) == "CHECK"
        and isinstance(last.value, ast.Call)
        and ast.unparse(last.value.func) in BUILT_BY
    )


def test_the_last_statement_is_the_check() -> None:
    offenders = [check for check in CHECKS if not ends_with_the_check(check)]
    assert offenders == []


def test_titles_stand_in_the_page_alone() -> None:
    offenders = [check for check in CHECKS if "title=" in source(check).read_text()]
    assert offenders == []


def test_every_case_belongs_to_a_check() -> None:
    assert {folder.name for folder in CASES.iterdir()} == set(CHECKS)


def test_every_text_belongs_to_a_check() -> None:
    assert {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in FOLDER.rglob("*.md")} == set(CHECKS)


def test_every_gate_pattern_means_a_check() -> None:
    verdicts = [build.verdict(check) for check in CHECKS]
    for declared in gate.load_gates().values():
        assert gate.decide_nodes(verdicts, declared, [], date(2026, 11, 21))[0].accepted, declared.name


def test_every_metric_is_used() -> None:
    files = [source(check) for check in CHECKS] + list(Path(judge.__file__).parent.parent.rglob("*.py"))
    code = "".join(file.read_text() for file in files)
    reserved = {"policy.floor_share", "policy.warn_share", *(f"isolation.{name}" for name in NAMES)}
    unused = {row.record.metric for row in build.limit_table().metrics if f'"{row.record.metric}"' not in code}
    assert unused - reserved == set()


def failure(path: Path) -> str:
    """Why a case is not judged as it says; empty when it is."""
    case, findings = load(path), {}
    try:
        findings = judged(path.parent.name, case)
    except Exception as error:
        return f"{path.stem}: {type(error).__name__}: {error}"
    node = case.get("node", "train-001" if len(findings) > 1 else next(iter(findings)))
    finding = findings[node]
    if finding.outcome != case["outcome"]:
        return f"{path.stem}: {finding.outcome.value}, expected {case['outcome']}: {finding.says}"
    says = sentence(finding, node)
    missing = [words for words in [f"{node}: ", *case["says"]] if words not in says]
    if missing or not says.startswith(f"{node}: "):
        return f"{path.stem}: no {missing} in: {says}"
    return ""


@pytest.mark.parametrize("check", CHECKS)
def test_case(check: str) -> None:
    failures = [text for path in cases(check) if (text := failure(path))]
    assert failures == []


def applies(check: str) -> bool:
    """Whether the check applies without limits: to the node, or to the unit of its kind."""
    tested = CHECKS[check]
    if isinstance(tested, PlantCheck):
        return tested.applies(build.plant_expectation(tested.unit, no_limits=True))
    return tested.applies(build.expectation(no_limits=True))


def test_without_limits_nothing_that_needs_one_passes() -> None:
    limited = [check for check in CHECKS if any(word in source(check).read_text() for word in USES_LIMITS)]
    offenders = [
        finding.says
        for check in limited
        if applies(check)
        for finding in judged(check, {}, no_limits=True).values()
        if finding.outcome != Outcome.INCONCLUSIVE
    ]
    assert offenders == []
