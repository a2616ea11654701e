"""Judges every check on every node directly, without sharing findings: what the engine must agree with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rackwright.judge.engine_findings import crash_finding, missing_finding, silent_finding
from rackwright.judge.judgement import verdict
from rackwright.model.check import AnyCheck, Expectation, FleetCheck, NodeEvidence
from rackwright.model.lazy_finding import worded
from rackwright.model.records import reading_name
from rackwright.model.times import parse_day
from rackwright.model.verdict import Finding, Verdict


def reference_verdicts(
    expectations: list[Expectation], evidence: Mapping[str, NodeEvidence], checks: Mapping[str, AnyCheck]
) -> list[Verdict]:
    """One verdict for every check of every node, in the order of `expectations`, then by check id."""
    dated = [replace(expected, as_of=parse_day(evidence[expected.node.name].taken)) for expected in expectations]
    compared = {
        name: _compared(name, check, dated, evidence) for name, check in checks.items() if isinstance(check, FleetCheck)
    }
    verdicts = []
    for expectation in dated:
        node = expectation.node.name
        for name, check in sorted(checks.items()):
            finding = _finding(name, check, expectation, evidence[node], checks, compared)
            if finding is not None:
                verdicts.append(verdict(name, check, node, worded(finding), evidence[node].raw.get(check.reads)))
    return verdicts


def _compared(
    name: str, check: FleetCheck[Any], expectations: list[Expectation], evidence: Mapping[str, NodeEvidence]
) -> Mapping[str, Finding]:
    try:
        records = [
            (expected, evidence[expected.node.name].get(check.reads))
            for expected in expectations
            if check.applies(expected)
        ]
        return check.judge([(expected, check.takes(record)) for expected, record in records if record is not None])
    except Exception as error:
        return {expected.node.name: crash_finding(expected.node.name, name, error) for expected in expectations}


def _finding(
    name: str,
    check: Any,
    expectation: Expectation,
    stored: NodeEvidence,
    checks: Mapping[str, AnyCheck],
    compared: Mapping[str, Mapping[str, Finding]],
) -> Finding | None:
    node = expectation.node.name
    try:
        if not check.applies(expectation):
            return None
        record = stored.get(check.reads)
        if record is None:
            return missing_finding(node, check, stored, {reading_name(peer.reads) for peer in checks.values()})
        if isinstance(check, FleetCheck):
            return compared[name].get(node) or silent_finding(node, name)
        return check.judge(expectation, record)
    except Exception as error:
        return crash_finding(node, name, error)
