"""Copies between host and accelerators and among accelerators: nvbandwidth's JSON report (``-j``).

Shape: NVIDIA/nvbandwidth, json_output.cpp at 4a34680 (``nvbandwidth.testcases[].bandwidth_matrix``, cells as text, ``N/A`` on the
diagonal). Rows of a device-to-device matrix are the accelerators that are read in a ``read`` test and those
that write in a ``write`` test; columns the others.
"""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.load import Copies, Copy, Direction

TESTS: dict[str, Direction] = {
    "host_to_device_memcpy_ce": "host_to_device",
    "device_to_host_memcpy_ce": "device_to_host",
    "device_to_device_memcpy_write_ce": "device_to_device",
    "device_local_copy": "device_local",
}


def parse(output: str) -> Copies:
    """The report. A test with an error refuses the whole: it is the tool's, and no bandwidth; a waived one has no copies."""
    try:
        document = json.loads(output[max(output.find("{"), 0) :])["nvbandwidth"]
        cases = [one for one in document["testcases"] if one["name"] in TESTS]
        copies = [copy for one in cases for copy in _case(one)]
        version, driver = str(document["version"]), str(document["Driver Version"])
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(1, output, f"nvbandwidth's JSON report ({type(error).__name__}: {str(error)[:80]})") from None
    if not copies:
        raise ParseError(1, output, f"at least one of the tests {', '.join(TESTS)}")
    return Copies(tool=f"nvbandwidth {version}", driver_version=driver, copies=copies)


def _case(one: dict[str, Any]) -> list[Copy]:
    if one["status"] == "Waived":
        return []
    if one["status"] != "Passed":
        raise ParseError(1, f"{one['name']}: {one['status']} {one.get('error', '')}".strip(), "a test that Passed")
    return [
        _copy(TESTS[one["name"]], row, column, float(cell))
        for row, cells in enumerate(one["bandwidth_matrix"])
        for column, cell in enumerate(cells)
        if cell != "N/A"
    ]


def _copy(direction: Direction, row: int, column: int, speed: float) -> Copy:
    ends: dict[Direction, tuple[int | None, int | None]] = {
        "host_to_device": (None, column),
        "device_to_host": (column, None),
        "device_to_device": (row, column),
        "device_local": (column, column),
    }
    source, target = ends[direction]
    return Copy(direction=direction, source=source, target=target, gbytes_per_s=speed, engine="copy_engine")


COLLECTOR = Collector(
    produces=Copies,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "nvbandwidth"),
    vendors=("nvidia",),
    load=True,
    place=1,
)
