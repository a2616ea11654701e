"""Every accelerator of an AMD node out of amd-smi: one shell, one section per verb, JSON wherever the tool has it.

Shapes: ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py (6.3 to 7.2): a list of rows, from ROCm 7 on inside ``gpu_data``; a value with a
unit is ``{"value": 550, "unit": "W"}``, one that is not supported ``N/A``. The link matrix (`xgmi -l`) is text in every release.
The power limit in force is ``socket_power`` beside the highest that may be set, and stands under ``ppt0`` from ROCm 7.2 on; releases that print the
highest alone are taken at that. Parts whose metrics have no throttle status any more tell of violations instead.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.accelerator import Accelerators, Device

VERBS = ("version", "list", "static", "metric", "process", "bad-pages")
SCRIPT = "; ".join(
    [f"echo '== {verb}'; amd-smi {verb} --json || exit $?" for verb in VERBS]
    + ["echo '== links'; amd-smi xgmi -l || true"]
)
SECTION = re.compile(r"^== ([\w-]+)$", re.MULTILINE)
LINKS = re.compile(r"^\s*GPU(\d+)\s+\S+\s+((?:[UDX]\s*)+)$", re.MULTILINE)
GENERATIONS = {2.5: 1, 5: 2, 8: 3, 16: 4, 32: 5, 64: 6}
MIB = 2**20
NONE = "N/A"
IN_FORCE, HIGHEST = (("ppt0", "socket_power_limit"), ("socket_power",)), ("max_power",)
"""Where the limits of power stand."""
HOT = ("prochot", "socket_thermal", "vr_thermal", "hbm_thermal")
HELD_BACK, FREE = {"THROTTLED", "ACTIVE", "TRUE"}, {"UNTHROTTLED", "NOT ACTIVE", "FALSE"}
Row = dict[str, Any]


def parse(output: str) -> Accelerators:
    """Sections ``== verb``; rows of one accelerator are joined by its number."""
    parts = SECTION.split(output)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    missing = [verb for verb in VERBS if verb not in sections]
    if missing:
        raise ParseError(1, output, f"a section == {missing[0]}")
    try:
        version = _rows(sections["version"])[0]
        rows = {verb: {row["gpu"]: row for row in _rows(sections[verb])} for verb in VERBS[1:]}
        links = {
            int(gpu): [letter == "U" for letter in letters.split() if letter != "X"]
            for gpu, letters in LINKS.findall(sections.get("links", ""))
        }
        return Accelerators(
            driver_version=_text(version.get("amdgpu_version")) or "",
            cuda_driver_version=_text(version.get("rocm_version")) or "",
            devices=[_device(number, rows, links.get(number, [])) for number in sorted(rows["list"])],
        )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise ParseError(1, output, f"JSON of amd-smi ({type(error).__name__}: {str(error)[:80]})") from None


def _rows(text: str) -> list[Row]:
    rows = document.read(text)
    if isinstance(rows, dict):
        rows = rows["gpu_data"]
    if not rows:
        raise ValueError("no rows")
    return list(rows)


def _device(number: int, rows: dict[str, dict[int, Row]], links: list[bool]) -> Device:
    static, metric = rows["static"][number], rows["metric"].get(number, {})
    speed = _number(metric, "pcie", "speed")
    bad = rows["bad-pages"].get(number, {})
    return Device.bare(
        index=number,
        uuid=rows["list"][number]["uuid"],
        serial=_text(static["board"]["product_serial"]) or _text(static["asic"]["asic_serial"]) or "",
        product_name=static["asic"]["market_name"],
        pci_bus_id=f"0000{static['bus']['bdf'].lower()}",
        vbios=_text(static["vbios"]["version"]) or "",
        memory_total_bytes=int(_number(static, "vram", "size") or 0) * MIB,
        ecc_enabled=_ecc(static),
        ecc_corrected_volatile=_number(metric, "ecc", "total_correctable_count"),
        ecc_uncorrected_volatile=_number(metric, "ecc", "total_uncorrectable_count"),
        ecc_uncorrected_aggregate=_number(metric, "ecc", "total_uncorrectable_count"),
        pcie_generation=GENERATIONS.get(speed) if speed is not None else None,
        pcie_width=_number(metric, "pcie", "width"),
        pcie_replays=_number(metric, "pcie", "replay_count"),
        temperature_celsius=_number(metric, "temperature", "hotspot"),
        temperature_memory_celsius=_number(metric, "temperature", "mem"),
        power_limit_watts=_watts(_limit(static)),
        power_watts=_watts(_number(metric, "power", "socket_power")),
        throttle_reasons=_throttled(metric),
        retired_pages=_pages(bad.get("retired")),
        retired_pages_pending=_in_use(bad),
        processes=_processes(rows["process"].get(number, {})),
        scale_up_active=links,
    )


def _limit(static: Row) -> Any:
    """Limit of power in force in watts; None if the tool has no reading of it."""
    limits = _at(static, "limit") or {}
    paths = [way for way in IN_FORCE if _at(limits, *way[:1]) is not None]
    return _number(limits, *(paths[0] if paths else HIGHEST))


def _throttled(metric: Row) -> list[str]:
    """``throttled``; nothing; or ``unknown`` when the tool reports neither the status nor a thermal violation."""
    violations = [_at(metric, "throttle", f"{part}_violation_status") for part in HOT]
    statusesuses = {str(status).upper() for status in (_at(metric, "power", "throttle_status"), *violations)}
    if statusesuses & HELD_BACK:
        return ["throttled"]
    return [] if statusesuses & FREE else ["unknown"]


def _ecc(static: Row) -> bool | None:
    """Whether the memory controllers (UMC) correct errors; some releases print a list of blocks, others an object."""
    blocks = _at(static, "ras", "ecc_block_state")
    if isinstance(blocks, list):
        blocks = {block.get("block"): block.get("status") for block in blocks}
    state = blocks.get("UMC") if isinstance(blocks, dict) else None
    return None if state in (None, NONE) else state == "ENABLED"


def _processes(row: Row) -> list[int] | None:
    """Process ids; the tool prints a sentence if there are none."""
    listed = row.get("process_list")
    if listed is None:
        return None
    infos = [process.get("process_info") for process in listed]
    return [int(process["pid"]) for process in infos if isinstance(process, dict)]


def _pages(pages: Any) -> int | None:
    """Pages of a list, or none when the tool says so in words."""
    if isinstance(pages, list):
        return len(pages)
    return 0 if isinstance(pages, str) and pages.startswith("No bad pages") else None


def _in_use(bad: Row) -> bool | None:
    """Whether a bad page is still in use: it waits to be retired, or could not be."""
    pending, failed = _pages(bad.get("pending")), _pages(bad.get("un_res"))
    return None if pending is None else bool(pending or failed)


def _at(row: Row, *names: str) -> Any:
    value: Any = row
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _number(row: Row, *names: str) -> Any:
    value = _at(row, *names)
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, int | float) else None


def _watts(value: Any) -> float | None:
    return None if value is None else float(value)


def _text(value: Any) -> str | None:
    return None if value in (None, NONE, "") else str(value)


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    as_root=True,
    seconds=60,
    roles=("accelerator",),
    vendors=("amd",),
    folders=("/opt/rocm/bin",),  # ROCm installation guide
    command=("sh", "-c", SCRIPT),
)
