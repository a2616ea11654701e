"""What ``dcgmi diag`` prints on a node."""

from __future__ import annotations

import json
from typing import Any

from rackwright.model.design import Design
from rackwright.model.evidence.load import Diagnosis, Diagnostic
from rackwright.twin.hardware.performance import burn
from rackwright.twin.hardware.state import State

ANSWERED = True
CATEGORIES = [
    "none", "perf_threshold", "perf_violation", "software_config", "software_library", "software_xid", "software_cuda", "software_eud",
    "software_other", "hardware_thermal", "hardware_memory", "hardware_nvlink", "hardware_nvswitch", "hardware_pcie", "hardware_power",
    "hardware_other", "internal",
]  # fmt: skip
STATUSES = {"pass": "Pass", "fail": "Fail", "warn": "Warn", "skip": "Skip", "not_run": "Not Run"}


def observe(state: State, design: Design, node: str) -> Diagnosis:
    """Every test on every accelerator that is there."""
    bill = design.site.software.bill(design.node(node).pool)
    return burn.diagnosis(state.machines[node], (bill.dcgm, bill.driver))


def render(record: Diagnosis) -> bytes:
    """The report that the collector parses to `record`; results of one test stand together."""
    categories: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for result in record.results:
        categories.setdefault(result.category, {}).setdefault(result.test, []).append(_result(result))
    report = [
        {"category": name, "tests": [{"name": test, "results": results} for test, results in tests.items()]}
        for name, tests in categories.items()
    ]
    entities = [{"entity_id": number} for number in range(record.devices)]
    document = {
        "DCGM Diagnostic": {"test_categories": report},
        "entity_groups": [{"entity_group": "GPU", "entity_group_id": 1, "entities": entities}],
        "metadata": {"Driver Version Detected": record.driver_version, "version": record.tool.removeprefix("dcgmi ")},
    }
    return json.dumps(document, indent=2).encode()


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    group, _, number = diagnostic.part.rpartition(" ")
    result: dict[str, Any] = {"entity_group": group, "entity_id": int(number), "status": STATUSES[diagnostic.status]}
    if diagnostic.messages:
        code = CATEGORIES.index(diagnostic.error_category) if diagnostic.error_category else None
        facts = {"error_id": diagnostic.error_code, "error_category": code, "error_severity": 2}
        result["warnings"] = [{**facts, "warning": text} for text in diagnostic.messages]
    return result
