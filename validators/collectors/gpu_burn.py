"""gpu-burn: rate, errors and temperature of every GPU from its progress lines, and its verdict at the end.

Shape: wilicc/gpu-burn, gpu_burn-drv.cpp: ``GPU 0: NVIDIA H100 ... (UUID: GPU-...)``, lines ``12.5%  proc'd: 9 (51234 Gflop/s) - ...   errors:
0 - ...   temps: 52 C - ...`` ended by a carriage return, and ``Tested 8 GPUs:`` with ``GPU 0: OK`` or ``FAULTY``.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.load import Stress, StressedDevice

DEVICE = re.compile(r"^GPU (\d+): (.+?) \(UUID: (GPU-[\w-]+)\)", re.MULTILINE)
PROGRESS = re.compile(r"proc'd: (.+?)\s+errors: (.+?)\s+temps: ([^\r\n]+)")
RATE = re.compile(r"\(([\d.]+) Gflop/s\)")
VERDICT = re.compile(r"^\s*GPU (\d+): (OK|FAULTY)\s*$", re.MULTILINE)


def parse(output: str) -> Stress:
    """The last progress line and the verdicts; an output without verdicts is one of a run that did not end."""
    devices = DEVICE.findall(output)
    verdicts = dict(VERDICT.findall(output))
    progress = PROGRESS.findall(output)
    if not devices or set(verdicts) != {number for number, _, _ in devices}:
        raise ParseError(1, output[-200:], "the end of gpu-burn: OK or FAULTY for every GPU that it listed")
    rates, errors, temperatures = (
        [cell.strip() for cell in text.split(" - ")] for text in (progress or [("", "", "")])[-1]
    )
    return Stress(
        tool="gpu-burn",
        devices=[
            StressedDevice(
                index=int(number),
                product_name=name,
                uuid=uuid,
                gflops=_number(rates, at, RATE),
                errors=_whole(errors, at),
                temperature_celsius=_whole(temperatures, at),
                faulty=verdicts[number] == "FAULTY",
            )
            for at, (number, name, uuid) in enumerate(devices)
        ],
    )


def _number(cells: list[str], at: int, pattern: re.Pattern[str]) -> float | None:
    match = pattern.search(cells[at]) if at < len(cells) else None
    try:
        return float(match[1]) if match else None
    except ValueError:
        return None


def _whole(cells: list[str], at: int) -> int | None:
    """The number that a cell begins with (``0``, ``2 (WARNING!)``, ``62 C``); None for ``--``."""
    match = re.match(r"\d{1,18}", cells[at]) if at < len(cells) else None
    return int(match[0]) if match else None


COLLECTOR = Collector(
    produces=Stress,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "gpu-burn"),
    vendors=("nvidia",),
    load=True,
    place=9,
)
