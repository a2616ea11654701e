from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import gate, judge
from rackwright.base import content
from rackwright.isolate.settings import NAMES
from rackwright.model.check import FleetCheck, PlantCheck
from rackwright.model.verdict import Finding, Outcome
from tests import build

FOLDER = content.folder("validators", "checks")
CASES = Path(__file__).resolve().parent.parent / "cases" / "checks"
CHECKS = judge.checks()
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
    "rackwright.error_codes.xid",
    "collections.abc",
)
LONGEST_LINES = 100


def source(check: str) -> Path:
    return FOLDER.joinpath(*check.split(".")).with_suffix(".py")


def cases(check: str) -> list[Path]:
    return sorted((CASES / check).glob("*.yaml"))


@pytest.mark.parametrize("check", CHECKS)
def test_has_text_with_all_headings(check: str) -> None:
    text = source(check).with_suffix(".md").read_text()
    sections = text.split("\n## ")
    assert sections[0].startswith(f"# {check}: ")
    assert [section.split("\n")[0] for section in sections[1:]] == list(HEADINGS)
    assert all(len(section.split("\n", 1)[1].strip()) > 20 for section in sections[1:]), "a section says nothing"


@pytest.mark.parametrize("check", CHECKS)
def test_can_pass_and_can_fail(check: str) -> None:
    outcomes = Counter(yaml.safe_load(case.read_text())["outcome"] for case in cases(check))
    assert outcomes["pass"] >= 1
    assert outcomes["fail"] >= 1 or (check == "host.sysctl" and outcomes["degraded"] >= 1)


@pytest.mark.parametrize("check", CHECKS)
def test_imports_only_records_and_comparisons(check: str) -> None:
    for node in ast.walk(ast.parse(source(check).read_text())):
        assert not isinstance(node, ast.Import)
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            assert all(name.startswith(ALLOWED) for name in names), names


@pytest.mark.parametrize("check", CHECKS)
def test_holds_no_threshold(check: str) -> None:
    tree = ast.parse(source(check).read_text())
    numbers = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    ]
    assert set(numbers) <= {0, 1}


@pytest.mark.parametrize("check", CHECKS)
def test_is_short_and_says_its_claim(check: str) -> None:
    text = source(check).read_text()
    claim = ast.get_docstring(ast.parse(text)) or ""
    assert len(text.splitlines()) <= LONGEST_LINES
    assert claim.endswith(".")
    assert "\n\n" not in claim
    assert (
        text.rstrip().splitlines()[-1].startswith(("CHECK = Check(", "CHECK = FleetCheck(", "CHECK = PlantCheck(", ")"))
    )


def test_every_case_belongs_to_a_check() -> None:
    assert {folder.name for folder in CASES.iterdir()} == set(CHECKS)


def test_every_text_belongs_to_a_check() -> None:
    assert {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in FOLDER.rglob("*.md")} == set(CHECKS)


def test_every_gate_pattern_means_a_check() -> None:
    verdicts = [build.verdict(check) for check in CHECKS]
    for one in gate.gates().values():
        assert gate.decide(verdicts, one, [], "2026-11-21")[0].accepted, one.name


def test_every_metric_is_used() -> None:
    files = [source(check) for check in CHECKS] + list(Path(judge.__file__).parent.parent.rglob("*.py"))
    code = "".join(file.read_text() for file in files)
    reserved = {"policy.floor_share", "policy.warn_share", *(f"isolation.{name}" for name in NAMES)}
    unused = {row.record.metric for row in build.limit_table().metrics if f'"{row.record.metric}"' not in code}
    assert unused - reserved == set()


def load(case: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(case.read_text()))


def judged(check: str, said: dict[str, Any], *, no_limits: bool = False, brief: bool = False) -> dict[str, Finding]:
    """What a check says of the node of a case, by node; a fleet check says it of every node of `fleet`.

    ``fleet: {nodes: 8, same: {...}, own: {train-003: {...}}}`` changes the healthy record of all nodes, or of one.
    """
    one = CHECKS[check]
    if isinstance(one, PlantCheck):
        unit = build.plant_expectation(one.unit, no_limits=no_limits)
        assert one.applies(unit)
        return {unit.subject: one.judge(unit, build.seen(one.reads, said.get("seen")))}
    fleet = said.get("fleet", {})
    names = [f"train-{number:03d}" for number in range(1, fleet.get("nodes", 8) + 1)]
    names = names if isinstance(one, FleetCheck) else [said.get("node", "train-001")]
    promised = {**said.get("expect", {}), "no_limits": no_limits, "brief": brief}
    expected = {name: build.expectation(name, **promised) for name in names}
    assert all(one.applies(expectation) for expectation in expected.values())
    if isinstance(one, FleetCheck):
        own = fleet.get("own", {})
        seen = {name: build.seen(one.reads, fleet.get("same", {}), own.get(name)) for name in names}
        return dict(one.judge([(expected[name], one.takes(seen[name])) for name in names]))
    [name] = names
    return {name: one.judge(expected[name], build.seen(one.reads, said.get("seen")))}


@pytest.mark.parametrize(
    "case", [case for check in CHECKS for case in cases(check)], ids=lambda p: f"{p.parent.name}/{p.stem}"
)
def test_case(case: Path) -> None:
    said = load(case)
    findings = judged(case.parent.name, said)
    node = said.get("node", "train-001" if len(findings) > 1 else next(iter(findings)))
    finding = findings[node]
    assert finding.outcome == said["outcome"], finding.says
    for words in said["says"]:
        assert words in finding.says
    assert finding.says.startswith(f"{node}: ")


def applies(check: str) -> bool:
    """Whether the check applies without limits: to the node, or to the unit of its kind."""
    one = CHECKS[check]
    if isinstance(one, PlantCheck):
        return one.applies(build.plant_expectation(one.unit, no_limits=True))
    return one.applies(build.expectation(no_limits=True))


@pytest.mark.parametrize("check", CHECKS)
def test_without_limits_nothing_that_needs_one_passes(check: str) -> None:
    text = source(check).read_text()
    uses_limits = any(word in text for word in ("limit(", "installed(", "bill_version", "floor(", "peers."))
    if applies(check) and uses_limits:
        for finding in judged(check, {}, no_limits=True).values():
            assert finding.outcome == Outcome.INCONCLUSIVE, finding.says
