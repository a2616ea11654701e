"""Copies between host and accelerators of an AMD node and among them: ``TransferBench p2p``, its table of one direction.

Shape: ROCm/TransferBench 1.5x to 1.6x, as ROCm/system-acceptance-docs prints it: a row for each source that does the copy, a column for each
target. Host memory has a row and a column per socket; the better one counts, because an accelerator is near one of them.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import sections
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Copies, Copy, Direction

TITLE, OTHER = "Unidirectional copy peak bandwidth", "Bidirectional copy peak bandwidth"
PART = re.compile(r"\b([CG]PU) (\d+)\b")
ROW = re.compile(r"^\s*([CG]PU) (\d+)\s+->\s+(\S.*?)\s*$")
VERSION = re.compile(r"TransferBench v(\S+)")
End = tuple[str, int]


def parse(output: str) -> Copies:
    """The table; ParseError without one."""
    parts = sections.read_sections(output, ("version", "transferbench"), ("version", "transferbench"))
    transfer = parts["transferbench"][0]
    speeds = _table(transfer)
    copies = [
        *_host(speeds, "host_to_device"),
        *_host(speeds, "device_to_host"),
        *(
            _copy("device_to_device", source[1], target[1], speed)
            for (source, target), speed in speeds.items()
            if source[0] == target[0] == "GPU" and source != target
        ),
    ]
    version = VERSION.search(transfer.text)
    return Copies(
        tool=f"TransferBench {version[1]}" if version else "TransferBench",
        driver_version=_driver(parts["version"][0]),
        copies=copies,
    )


def _driver(section: Section) -> str:
    rows = sections.json_rows(section)
    return str(rows[0].get("amdgpu_version", "")) if rows else ""


def _table(section: Section) -> dict[tuple[End, End], float]:
    lines = section.text.splitlines()
    start = next((number for number, line in enumerate(lines) if TITLE in line), None)
    stop = next((number for number, line in enumerate(lines) if OTHER in line), len(lines))
    columns: list[End] = []
    speeds: dict[tuple[End, End], float] = {}
    for number, line in enumerate(lines[start + 1 : stop] if start is not None else [], section.line + 1):
        row = ROW.match(line)
        if row is None:
            columns = columns or [(kind, int(index)) for kind, index in PART.findall(line)]
            continue
        cells = row[3].split()
        if len(cells) != len(columns):
            raise ParseError(number, line, f"{len(columns)} speeds")
        for target, cell in zip(columns, cells, strict=True):
            if cell != "N/A":
                speeds[(row[1], int(row[2])), target] = _number(number, cell)
    if not any(kind == "GPU" for (kind, _), _ in speeds):
        raise ParseError(section.line, section.text[-200:], f"the table of TransferBench under {TITLE}")
    return speeds


def _number(line: int, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise ParseError(line, cell, "a speed in GB/s or N/A") from None


def _host(speeds: dict[tuple[End, End], float], direction: Direction) -> list[Copy]:
    best: dict[int, float] = {}
    for (source, target), speed in speeds.items():
        near, far = (source, target) if direction == "host_to_device" else (target, source)
        if near[0] == "CPU" and far[0] == "GPU":
            best[far[1]] = max(speed, best.get(far[1], 0.0))
    down = direction == "host_to_device"
    return [
        _copy(direction, None if down else gpu, gpu if down else None, speed) for gpu, speed in sorted(best.items())
    ]


def _copy(direction: Direction, source: int | None, target: int | None, speed: float) -> Copy:
    return Copy(direction=direction, source=source, target=target, gbytes_per_s=speed, engine="kernel")


COLLECTOR = Collector(
    produces=Copies,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "amd-copy"),
    vendors=("amd",),
    load=True,
    place=1,
)
