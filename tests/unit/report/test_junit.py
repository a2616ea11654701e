from __future__ import annotations

from xml.etree import ElementTree

from rackwright.model.verdict import Outcome
from rackwright.report import build, junit


def suites(handover):
    return ElementTree.fromstring(junit.to_xml(build.build_report(handover, lambda _check: "")))


def result(root, node, check):
    case = root.find(f"testsuite[@name='{node}']/testcase[@classname='{node}.{check}']")
    assert case is not None
    return case[0].tag if len(case) else "passed"


def test_only_a_pass_is_green_and_only_what_refuses_is_red(handover):
    root = suites(handover)
    assert result(root, "train-001", "gpu.count") == "passed"
    assert result(root, "train-001", "gpu.ecc") == "skipped"
    assert result(root, "train-002", "gpu.ecc") == "failure"
    assert result(root, "train-003", "gpu.count") == "error"
    assert result(root, "train-003", "clock.offset") == "error"
    assert result(root, "train-003", "fabric.cabling") == "skipped"
    assert "waived" in ElementTree.tostring(root, encoding="unicode")


def test_one_case_per_node_and_check(handover):
    cases = [case.get("classname") for case in suites(handover).iter("testcase")]
    assert len(cases) == len(set(cases))
    assert {f"{v.target}.{v.check}" for v in handover.verdicts} <= set(cases)


def test_counts_add_up(handover):
    root = suites(handover)
    for tag, key in (("testcase", "tests"), ("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert int(root.get(key)) == len(list(root.iter(tag)))


def test_a_node_without_a_decision_is_not_green(make):
    root = suites(make(decisions=()))
    assert result(root, "train-001", "gate") == "error"
    assert root.find("testsuite[@name='slurm-01']/testcase") is None


def test_control_characters_of_a_tool_do_not_break_the_file(make, verdict):
    root = suites(make(verdicts=(verdict("train-002", "gpu.ecc", Outcome.FAIL, "bad \x00\x1b[31m <tag> & more"),)))
    assert "<tag> & more" in root.find(".//failure").get("message")
