"""NVIDIA's own diagnostic: the JSON report of ``dcgmi diag -r 3 -j``.

Shape: NVIDIA/DCGM 4 (``DCGM Diagnostic``, results by entity, warnings with error_id and error_category; tests/test_dcgmi.py and
dcgm_errors.h), as captured from 4.2.3 in public logs. Notes before the document are passed over. A report with a runtime error is an error
of the tool and is refused. DCGM ends with a status above 0 when a test fails: the verdict is in the report.
"""

from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.load import Diagnosis, Diagnostic

LEVEL = "3"
CATEGORIES = {
    0: "none", 1: "perf_threshold", 2: "perf_violation", 3: "software_config", 4: "software_library", 5: "software_xid",
    6: "software_cuda", 7: "software_eud", 8: "software_other", 9: "hardware_thermal", 10: "hardware_memory", 11: "hardware_nvlink",
    12: "hardware_nvswitch", 13: "hardware_pcie", 14: "hardware_power", 15: "hardware_other", 16: "internal",
}  # fmt: skip
"""dcgmErrorCategory_t (dcgm_errors.h)."""
HARDWARE = "hardware_"
STATUSES = {"pass": "pass", "fail": "fail", "warn": "warn", "skip": "skip", "skipped": "skip", "not run": "not_run"}


def parse(output: str) -> Diagnosis:
    """Every result of every test, by part."""
    try:
        diagnosis = document.read(output[max(output.find("{"), 0) :])
        report, facts = diagnosis["DCGM Diagnostic"], diagnosis["metadata"]
        _must_have_run(report)
        groups = [group for group in diagnosis["entity_groups"] if group["entity_group"] == "GPU"]
        return Diagnosis(
            tool=f"dcgmi {facts['version']}",
            driver_version=facts["Driver Version Detected"],
            level=LEVEL,
            devices=sum(len(group["entities"]) for group in groups),
            results=[
                _result(category["category"], test["name"], result)
                for category in report["test_categories"]
                for test in category["tests"]
                for result in test["results"]
            ],
        )
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the report of dcgmi diag -j ({type(error).__name__}: {str(error)[:80]})"
        ) from None


def _must_have_run(report: dict[str, Any]) -> None:
    if report.get("runtime_error"):
        raise ParseError(1, str(report["runtime_error"]), "a diagnostic that ran")


def _result(category: str, test: str, result: dict[str, Any]) -> Diagnostic:
    warnings = [*result.get("warnings", [])]
    # Of several the one of the hardware counts: a fault of a part is often printed behind what it caused.
    of_hardware = [entry for entry in warnings if CATEGORIES.get(entry.get("error_category"), "").startswith(HARDWARE)]
    first = next(iter([*of_hardware, *warnings]), {})
    code = first.get("error_category")
    return Diagnostic(
        test=test,
        category=category,
        part=f"{result['entity_group']} {result['entity_id']}",
        status=STATUSES[str(result["status"]).lower()],  # type: ignore[arg-type]
        messages=[str(warning["warning"]) for warning in warnings],
        error_code=first.get("error_id"),
        error_category="" if code is None else CATEGORIES.get(code, f"unknown_{code}"),
    )


COLLECTOR = Collector(
    produces=Diagnosis,
    parse=parse,
    seconds=3600,
    roles=("accelerator",),
    command=("rackwright-burn", "dcgmi"),
    accepts=(0, 226),
    vendors=("nvidia",),
    load=True,
    place=5,
)
