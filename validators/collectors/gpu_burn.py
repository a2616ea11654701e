"""gpu-burn: rate, errors and temperature of every GPU from its progress lines, and its verdict at the end.

Shape: wilicc/gpu-burn, gpu_burn-drv.cpp: ``GPU 0: NVIDIA H100 ... (UUID: GPU-...)``, lines ``12.5%  proc'd: 9 (51234 Gflop/s) - ...   errors:
0 - ...   temps: 52 C - ...`` ended by a carriage return, and ``Tested 8 GPUs:`` with ``GPU 0: OK`` or ``FAULTY``.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.load import Stress, StressedDevice

DEVICE = re.compile(r"^GPU (\d+): (.+?) \(UUID: (GPU-[\w-]+)\)", re.MULTILINE)
PROCESSED = "proc'd: "
PROGRESS = re.compile(rf"{PROCESSED}(.+?)\s+errors: (.+?)\s+temps: ([^\r\n]+)")
RATE = re.compile(r"\(([\d.]+) Gflop/s\)")
WHOLE = re.compile(r"\d{1,18}")
VERDICT = re.compile(r"^\s*GPU (\d+): (OK|FAULTY)\s*$", re.MULTILINE)


def parse(output: str) -> Stress:
    """The last progress line and the verdicts; an output without verdicts is one of a run that did not end."""
    devices = DEVICE.findall(output)
    verdicts = dict(VERDICT.findall(output))
    if not devices or set(verdicts) != {number for number, _, _ in devices}:
        raise ParseError(1, output[-200:], "the end of gpu-burn: OK or FAULTY for every GPU that it listed")
    rates, errors, temperatures = ([cell.strip() for cell in text.split(" - ")] for text in _last(output))
    return Stress(
        tool="gpu-burn",
        devices=[
            StressedDevice.unvalidated(
                index=int(number),
                product_name=name,
                uuid=uuid,
                gflops=_rate(rates, at),
                errors=_integer(errors, at),
                temperature_celsius=_integer(temperatures, at),
                faulty=verdicts[number] == "FAULTY",
            )
            for at, (number, name, uuid) in enumerate(devices)
        ],
    )


def _last(output: str) -> tuple[str, ...]:
    """Rates, errors and temperatures of the last whole progress line. Sought from the end: a run of minutes prints thousands."""
    at = output.rfind(PROCESSED)
    while at >= 0:
        if match := PROGRESS.match(output, at):
            return match.groups()
        at = output.rfind(PROCESSED, 0, at)
    return "", "", ""


def _rate(cells: list[str], at: int) -> float | None:
    match = RATE.search(cells[at]) if at < len(cells) else None
    try:
        return float(match[1]) if match else None
    except ValueError:
        return None


def _integer(cells: list[str], at: int) -> int | None:
    """The number that a cell begins with (``0``, ``2 (WARNING!)``, ``62 C``); None for ``--``."""
    match = WHOLE.match(cells[at]) if at < len(cells) else None
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
