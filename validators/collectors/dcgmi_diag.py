"""NVIDIA's own diagnostic: the JSON report of ``dcgmi diag -r 3 -j``.

Shapes: NVIDIA/DCGM 3.1 to 3.3 (``DCGM GPU Diagnostic`` with results by ``gpu_id``, version and driver beside it; dcgmi/Diag.cpp) and DCGM 4 (``DCGM Diagnostic``, results by entity, warnings with error_id and error_category; tests/test_dcgmi.py and
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
OLD = "DCGM GPU Diagnostic"
"""The name of the report before DCGM 4."""
STATUSES = {"pass": "pass", "fail": "fail", "warn": "warn", "skip": "skip", "skipped": "skip", "not run": "not_run"}


def parse(output: str) -> Diagnosis:
    """Every result of every test, by part."""
    try:
        diagnosis = document.read(output[max(output.find("{"), 0) :])
        report = diagnosis[OLD] if OLD in diagnosis else diagnosis["DCGM Diagnostic"]
        _must_have_run(report)
        facts = diagnosis if OLD in diagnosis else diagnosis["metadata"]
        return Diagnosis(
            tool=f"dcgmi {facts['version']}",
            driver_version=facts["Driver Version Detected"],
            level=LEVEL,
            devices=_devices(diagnosis),
            results=[
                _result(category["category"], test["name"], result)
                for category in report["test_categories"]
                for test in category["tests"]
                if test is not None  # 3.1 leaves holes in its lists
                for result in test["results"]
            ],
        )
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(
            1, output, f"the report of dcgmi diag -j ({type(error).__name__}: {str(error)[:80]})"
        ) from None


def _devices(diagnosis: dict[str, Any]) -> int:
    if OLD in diagnosis:
        return len(diagnosis["GPU Device IDs"])
    return sum(len(group["entities"]) for group in diagnosis["entity_groups"] if group["entity_group"] == "GPU")


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
        part=_part(result),
        status=STATUSES[str(result["status"]).lower()],  # type: ignore[arg-type]
        messages=[_message(warning) for warning in warnings],
        error_code=first.get("error_id"),
        error_category="" if code is None else CATEGORIES.get(code, f"unknown_{code}"),
    )


def _part(result: dict[str, Any]) -> str:
    """``GPU 3``; empty for a test of the whole node, to which 3.x gives no GPU or several."""
    if "entity_group" in result:
        return f"{result['entity_group']} {result['entity_id']}"
    number = str(result.get("gpu_id", result.get("gpu_ids", "")))
    return f"GPU {number}" if number.isdecimal() else ""


def _message(warning: dict[str, Any]) -> str:
    """3.x calls it ``warnings`` where it tests the installation."""
    return str(warning["warning"] if "warning" in warning else warning["warnings"])


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
