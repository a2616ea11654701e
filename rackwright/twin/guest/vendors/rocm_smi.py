"""rocm-smi and hy-smi of a twin node: one family of tools, with labels of two vendors.

Shapes: JSON of gpustack/gpustack, tests/detectors/rocm_smi/data (AMD 6.2.4, Hygon DTK 24.04.3; 2025); the table of hy-smi as in
PaddleNLP's and FlagPerf's records of K100_AI, that of rocm-smi as MI300X nodes print it.
"""

from __future__ import annotations

import json
import os
import sys

from .node import Accelerator, Node, asked

WIDTH = 86
HYGON_VENDOR = "Chengdu Haiguang IC Design Co., Ltd."
AMD_VENDOR = "Advanced Micro Devices, Inc. [AMD/ATI]"


def main() -> int:
    """Entry point."""
    vendor = "hygon" if os.path.basename(sys.argv[0]) == "hy-smi" else "amd"
    words, node = sys.argv[1:], Node(vendor)
    if not node.loaded:
        name = "hydcu" if vendor == "hygon" else "amdgpu"
        print(f"ERROR:root:Driver not initialized ({name} not found in modules)", file=sys.stderr)
        return 1
    if asked(words, "--json"):
        rows = {f"card{one['index']}": _row(one, vendor) for one in node.accelerators}
        if asked(words, "--showdriverversion"):
            rows["system"] = {"Driver version": node.driver}
        print(json.dumps(rows))
        return 0
    if asked(words, "--showdriverversion"):
        print(f"Driver version: {node.driver}")
        return 0
    print("\n".join(_table(node.accelerators, vendor)))
    return 0


def _row(one: Accelerator, vendor: str) -> dict[str, str]:
    common = {
        "Device ID": f"0x{one['pci_device']}",
        "Serial Number": one["serial"],
        "Unique ID": one["uuid"].replace("-", "")[3:19],
        "Average Graphics Package Power (W)": f"{one['power_watts']}.0",
        "Temperature (Sensor edge) (C)": f"{one['temperature_celsius']}.0",
        "Temperature (Sensor junction) (C)": f"{one['temperature_celsius']}.0",
        "PCI Bus": one["bus_id"].upper(),
    }
    if vendor == "hygon":
        memory = {"vram Total Memory (MiB)": str(one["memory_mib"]), "vram Total Used Memory (MiB)": str(one["memory_used_mib"])}  # fmt: skip
        return {
            **common,
            "Card Series": one["product"],
            "Card Vendor": HYGON_VENDOR,
            "": "",
            "DCU use (%)": "0",
            **memory,
        }
    memory = {"VRAM Total Memory (B)": str(one["memory_mib"] << 20), "VRAM Total Used Memory (B)": str(one["memory_used_mib"] << 20)}  # fmt: skip
    return {**common, "Card Series": one["product"], "Card Vendor": AMD_VENDOR, "GPU use (%)": "0", **memory}


def _table(accelerators: list[Accelerator], vendor: str) -> list[str]:
    if vendor == "hygon":
        title, end = " System Management Interface ", " End of SMI Log "
        head = "DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%      Mode     "
    else:
        title, end = " ROCm System Management Interface ", " End of ROCm SMI Log "
        head = "Device  Temp     Power      Perf     PwrCap     VRAM%      GPU%      Mode     "
    rows = [
        f"{one['index']:<8}{one['temperature_celsius']}.0C{'':4}{one['power_watts']}.0W".ljust(28)
        + f"{'auto':<9}{one['power_limit_watts']}.0W".ljust(20)
        + "0%".ljust(11) + "0%".ljust(10) + "Normal   "
        for one in accelerators
    ]  # fmt: skip
    return ["", title.center(WIDTH, "="), "=" * WIDTH, head, *rows, "=" * WIDTH, end.center(WIDTH, "="), ""]
