"""A check with nothing behind it does not pass: from the evidence of a healthy node, list after list and optional value after value is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from rackwright.model.base import Record
from rackwright.model.check import Check
from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign.play import collect_evidence
from tests.check_cases import CHECKS, cases, evidence, judge_with, load
from tests.matrix.walk import sized_stage
from tests.rotation import of_this_run

SITES = [("dgx-h100", "slurm"), ("mi300x-8u", "slurm"), ("gb200-nvl72", "kubernetes"), ("atlas-900-a2", "slurm")]
NOTHING_IS_GOOD = {
    (
        "bmc.adapters",
        "bmc",
    ): "a BMC that names no adapter contradicts nobody; that it lists too few is what bmc.nics says",
    ("bmc.power_cap", "power_limit_watts"): "none is how the record says that there is no limit (power_limit_known)",
    ("bmc.sel", "log"): "events of faults: none is what a healthy machine has",
    ("host.open_files", "open_files"): "none is how the record says unlimited (getrlimit(2), RLIM_INFINITY)",
    ("host.memlock", "memlock_limit_bytes"): "likewise",
    (
        "power.health",
        "mains",
    ): "the health of circuits is optional (DSP0268, Circuit); that of the PDU is over all of them",
    ("power.health", "branches"): "likewise",
    ("power.shelf_health", "mains"): "likewise",
    ("rail.bandwidth", "rails"): "a test has two ends: those that other nodes started are in their records",
    ("rail.latency", "rails"): "likewise",
    (
        "rail.bandwidth",
        "rails[].accelerator",
    ): "none is how the record says that a test had its data in the memory of the host",
    ("tenancy.neighbour", "alone[].source"): "none is how the record names the host",
    ("tenancy.neighbour", "alone[].target"): "likewise",
    (
        "collective.path_across",
        "results[].nodes",
    ): "nodes of a test are those that it was started on; no parser reads them",
    ("collective.ports", "results[].nodes"): "likewise",
    ("collective.wrong_across", "results[].nodes"): "likewise",
    ("pcie.device_errors", "devices[].path"): "a device without bridges above it sits on a root bus (lspci -PP)",
    ("pcie.max_payload", "devices[].path"): "likewise",
    (
        "peers.steady",
        "devices[].gemms",
    ): "clocks are steady or not without them; that a test was left out is what its own check says",
}
"""Check and field -> why it may pass without."""


def fields_taken_away(record: Record, prefix: str = "") -> Iterator[tuple[str, Record]]:
    """Name of a field, and `record` without what it holds; fields of the records in a list are taken from all of them."""
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if isinstance(value, Record):
            for path, changed in fields_taken_away(value, f"{prefix}{name}."):
                yield path, record.model_copy(update={name: changed})
        elif value and isinstance(value, list | tuple | dict):
            yield f"{prefix}{name}", record.model_copy(update={name: type(value)()})
            if isinstance(value, list) and isinstance(value[0], Record):
                for part in type(value[0]).model_fields:
                    emptied = [_without(entry, part) for entry in value]
                    if emptied != value:
                        yield f"{prefix}{name}[].{part}", record.model_copy(update={name: emptied})
        elif value is not None and type(None) in get_args(field.annotation):
            yield f"{prefix}{name}", record.model_copy(update={name: None})


def _without(entry: Record, name: str) -> Record:
    value: Any = getattr(entry, name)
    if isinstance(value, list | tuple | dict):
        return entry.model_copy(update={name: type(value)()})
    optional = type(None) in get_args(type(entry).model_fields[name].annotation)
    return entry.model_copy(update={name: None}) if optional else entry


@pytest.mark.parametrize(("server", "scheduler"), of_this_run(SITES, 2))
def test_what_is_taken_away_makes_no_check_pass(server: str, scheduler: str, tmp_path: Path) -> None:
    _, stage = sized_stage(server, scheduler, tmp_path)
    expectation = stage.expected[0]
    records = collect_evidence(stage, stage.healthy)[expectation.node.name].records
    passing: dict[tuple[str, str], str] = {}
    for identity, check in stage.checks.items():
        if not isinstance(check, Check) or check.reads not in records or not check.applies(expectation):
            continue
        record = records[check.reads]
        healthy = worded(check.judge(expectation, record))
        for path, changed in fields_taken_away(record) if healthy.outcome == Outcome.PASS else ():
            if (identity, path) in NOTHING_IS_GOOD:
                continue
            finding = worded(check.judge(expectation, changed))
            # The same words: the check does not read the field.
            if finding.outcome == Outcome.PASS and finding.observed != healthy.observed:
                passing[identity, path] = finding.observed
    assert passing == {}


@pytest.mark.parametrize("check", CHECKS)
def test_what_is_taken_away_from_a_case_makes_no_check_pass(check: str) -> None:
    """Of each check, those of machines without accelerators, of the plant and of the fleet among them: its first case that passes, with less."""
    case = next(case for path in cases(check) if (case := load(path))["outcome"] == Outcome.PASS)
    records, findings_of = evidence(check, case), judge_with(check, case)
    name = case.get("node", next(iter(records)))
    healthy = worded(findings_of(records)[name])
    passing = {}
    for path, changed in fields_taken_away(records[name]):
        if (check, path) in NOTHING_IS_GOOD:
            continue
        finding = findings_of({**records, name: changed}).get(name)
        if finding and finding.outcome == Outcome.PASS and worded(finding).observed != healthy.observed:
            passing[path] = worded(finding).observed
    assert passing == {}
