"""The report as JUnit XML, for continuous integration: one test suite per node, one test case per node and check.

A test case is red exactly if it keeps its node from being handed over, and green only if the check passed:

    pass                                    passed
    fail, degraded        blocking          failure
    inconclusive, not_run blocking          error: nothing was proven, and a gate opens only on proof
    any other, waived or not required       skipped, with the sentence
    node without a decision of the gate     one more test case, error
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from rackwright.base.terminal_text import escape_controls
from rackwright.model.verdict import Outcome
from rackwright.report.view import Judged, NodeStatus, Report, ReportNode

_OBSERVED = (Outcome.FAIL, Outcome.DEGRADED)
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_xml(report: Report) -> str:
    """The report as JUnit XML text."""
    root = ElementTree.Element("testsuites", name=f"rackwright {report.run.site}")
    for node in report.nodes:
        root.append(_suite(node, report.run.created))
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(node: ReportNode, created: str) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=node.node, timestamp=created.removesuffix("Z"))
    for verdict in node.verdicts:
        suite.append(_case(node, verdict))
    if node.status is NodeStatus.UNDECIDED and node.role == "accelerator":
        case = _test_case("gate", "the gate decides", node)
        _result(case, "error", "undecided", "the gate made no decision on this node", "")
        suite.append(case)
    suite.set("tests", str(len(suite)))
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(sum(case.find(tag) is not None for case in suite)))
    return suite


def _case(node: ReportNode, verdict: Judged) -> ElementTree.Element:
    case = _test_case(verdict.check, verdict.title, node)
    if verdict.outcome is Outcome.PASS:
        return case
    tag = "skipped"
    if verdict.blocking:
        tag = "failure" if verdict.outcome in _OBSERVED else "error"
    waived = "waived: " if verdict.waived else ""
    details = f"observed: {verdict.observed}\nexpected: {verdict.expected}\nsource: {verdict.source}"
    _result(case, tag, verdict.outcome, waived + verdict.says, details)
    return case


def _test_case(check: str, title: str, node: ReportNode) -> ElementTree.Element:
    return ElementTree.Element("testcase", name=_clean(f"{check}: {title}"), classname=_clean(f"{node.node}.{check}"))


def _result(case: ElementTree.Element, tag: str, kind: str, message: str, details: str) -> None:
    result = ElementTree.SubElement(case, tag, type=str(kind), message=_clean(message))
    result.text = _clean(details) or None


def _clean(words: str) -> str:
    """`words` without the characters that XML 1.0 cannot hold; control characters of tool output are escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", escape_controls(words))
