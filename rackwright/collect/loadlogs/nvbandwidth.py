"""Copies between host and accelerators and among accelerators: nvbandwidth's JSON report (``-j``).

Shape: NVIDIA/nvbandwidth, json_output.cpp at 4a34680 (``nvbandwidth.testcases[].bandwidth_matrix``, cells as text,
``N/A`` on the diagonal, which older versions fill with zeros, as its README shows); NVIDIA/DCGM,
nvvs/plugin_src/nvbandwidth/tests, a report of version v0.5. Rows of a device-to-device matrix are the accelerators that
are read in a ``read`` test and those that write in a ``write`` test; columns are the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rackwright.base.finite_number import finite
from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.load import Copies, Copy, Direction

TESTS: dict[str, Direction] = {
    "host_to_device_memcpy_ce": "host_to_device",
    "device_to_host_memcpy_ce": "device_to_host",
    "device_to_device_memcpy_write_ce": "device_to_device",
    "device_local_copy": "device_local",
}
ENDS: dict[Direction, Callable[[int, int], tuple[int | None, int | None]]] = {
    "host_to_device": lambda _, column: (None, column),
    "device_to_host": lambda _, column: (column, None),
    "device_to_device": lambda row, column: (row, column),
    "device_local": lambda _, column: (column, column),
}
"""Source and target of a cell, from its row and column."""


def parse(output: str) -> Copies:
    """The copies of a report.

    ParseError if a test failed: that is an error of the tool, and no bandwidth; a waived test has no copies.
    """
    try:
        report = document.read(output[max(output.find("{"), 0) :])
    except (ValueError, TypeError) as error:
        raise _unreadable(output, error) from None
    return read(report, output)


def read(document_read: Any, output: str) -> Copies:
    """The copies of a report that is already parsed JSON; `output` is its text, for errors."""
    try:
        report = document_read["nvbandwidth"]
        cases = [case for case in report["testcases"] if case["name"] in TESTS]
        copies = [copy for case in cases for copy in _case(case)]
        version, driver = str(report["version"]).removeprefix("v"), str(report["Driver Version"])
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(output, error) from None
    if not copies:
        raise ParseError(1, output, f"at least one of the tests {', '.join(TESTS)}")
    return Copies(tool=f"nvbandwidth {version}", driver_version=driver, copies=copies)


def _unreadable(output: str, error: Exception) -> ParseError:
    return ParseError(1, output, f"nvbandwidth's JSON report ({type(error).__name__}: {str(error)[:80]})")


def _case(case: dict[str, Any]) -> list[Copy]:
    if case["status"] == "Waived":
        return []
    if case["status"] != "Passed":
        raise ParseError(1, f"{case['name']}: {case['status']} {case.get('error', '')}".strip(), "a test that Passed")
    direction = TESTS[case["name"]]
    ends = ENDS[direction]
    copies = []
    for row, cells in enumerate(case["bandwidth_matrix"]):
        for column, cell in enumerate(cells):
            if cell != "N/A" and not (direction == "device_to_device" and row == column):
                source, target = ends(row, column)
                copies.append(_copy(direction, source, target, finite(cell)))
    return copies


def _copy(direction: Direction, source: int | None, target: int | None, speed: float) -> Copy:
    return Copy.unvalidated(direction=direction, source=source, target=target, gbytes_per_s=speed, engine="copy_engine")
