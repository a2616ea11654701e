"""What nvbandwidth prints on a node."""

from __future__ import annotations

import json
from typing import Any

from rackwright.model.design import Design
from rackwright.model.evidence.load import Copies, Copy, Direction
from rackwright.twin.hardware.performance import copies, model
from rackwright.twin.hardware.state import State

ANSWERED = True
NAMES: dict[Direction, str] = {
    "host_to_device": "host_to_device_memcpy_ce",
    "device_to_host": "device_to_host_memcpy_ce",
    "device_to_device": "device_to_device_memcpy_write_ce",
    "device_local": "device_local_copy",
}
DESCRIPTIONS = {
    "host_to_device_memcpy_ce": "memcpy CE CPU(row) -> GPU(column)",
    "device_to_host_memcpy_ce": "memcpy CE CPU(row) <- GPU(column)",
    "device_to_device_memcpy_write_ce": "memcpy CE GPU(row) <- GPU(column)",
    "device_local_copy": "memcpy local GPU(column)",
}
"""NVIDIA/DCGM, a report that it tests its parser with; NVIDIA/nvbandwidth issue 48 for the last."""


def observe(state: State, design: Design, node: str) -> Copies:
    """Every way between host and accelerators."""
    driver = design.site.software.bill(design.node(node).pool).driver
    return copies.copies(state, model.expectation(design, node), state.machines[node], driver)


def render(record: Copies) -> bytes:
    """The report that the collector parses to `record`."""
    cases = [
        _case(name, copies)
        for way, name in NAMES.items()
        if (copies := [c for c in record.copies if c.direction == way])
    ]
    version = "v" + record.tool.removeprefix("nvbandwidth ")
    report = {
        "CUDA Runtime Version": 13000,
        "Driver Version": record.driver_version,
        "git_version": version,
        "version": version,
        "testcases": cases,
    }
    return json.dumps({"nvbandwidth": report}, indent=2).encode()


def _case(name: str, copies: list[Copy]) -> dict[str, Any]:
    ends = [(copy.source or 0, copy.target if copy.target is not None else copy.source or 0) for copy in copies]
    square = name == NAMES["device_to_device"]
    width = 1 + max(max(pair) for pair in ends)
    matrix: list[list[Any]] = [["N/A"] * width for _ in range(width if square else 1)]
    for (row, column), copy in zip(ends, copies, strict=True):
        matrix[row if square else 0][column] = repr(copy.gbytes_per_s)
    speeds = [copy.gbytes_per_s for copy in copies]
    figures = {"sum": sum(speeds), "min": min(speeds), "max": max(speeds), "average": sum(speeds) / len(speeds)}
    about = f"{DESCRIPTIONS[name]} bandwidth (GB/s) "
    return {
        "name": name, "status": "Passed", "bandwidth_description": about, "bandwidth_matrix": matrix, **figures
    }  # fmt: skip
