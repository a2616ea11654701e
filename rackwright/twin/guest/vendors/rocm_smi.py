"""rocm-smi and hy-smi of a twin node: gpu family of tools, with labels of two vendors.

Shapes: JSON of gpustack/gpustack, tests/detectors/rocm_smi/data (AMD 6.2.4, Hygon DTK 24.04.3; 2025); the table of hy-smi as in
PaddleNLP's and FlagPerf's records of K100_AI, that of rocm-smi as MI300X nodes print it.
"""

from __future__ import annotations

import json
import os
import sys

from .node import Accelerator, VendorNode, has_option, read

WIDTH = 86
HYGON_VENDOR = "Chengdu Haiguang IC Design Co., Ltd."
AMD_VENDOR = "Advanced Micro Devices, Inc. [AMD/ATI]"


def main() -> int:
    """Entry point."""
    vendor = "hygon" if os.path.basename(sys.argv[0]) == "hy-smi" else "amd"
    words, node = sys.argv[1:], read(vendor)
    if not node.loaded:
        name = "hydcu" if vendor == "hygon" else "amdgpu"
        print(f"ERROR:root:Driver not initialized ({name} not found in modules)", file=sys.stderr)
        return 1
    if has_option(words, "--json"):
        print(document(node, vendor, driver=has_option(words, "--showdriverversion")))
        return 0
    if has_option(words, "--showdriverversion"):
        print(f"Driver version: {node.driver}")
        return 0
    print("\n".join(_table(node.accelerators, vendor)))
    return 0


def document(node: VendorNode, vendor: str, *, driver: bool) -> str:
    """The JSON object with a row for each card; `driver`: with the release of the driver."""
    rows = {f"card{gpu['index']}": _row(gpu, vendor) for gpu in node.accelerators}
    if driver:
        rows["system"] = {"Driver version": node.driver}
    return json.dumps(rows)


def _row(gpu: Accelerator, vendor: str) -> dict[str, str]:
    readings = {
        "Average Graphics Package Power (W)": gpu["power_watts"],
        "Temperature (Sensor edge) (C)": gpu["temperature_celsius"],
        "Temperature (Sensor junction) (C)": gpu["temperature_celsius"],
    }
    common = {
        "Device ID": f"0x{gpu['pci_device']}",
        "Serial Number": gpu["serial"],
        "Unique ID": gpu.get("unique_id") or gpu["uuid"].replace("-", "")[3:19],
        **{label: f"{value:.1f}" for label, value in readings.items() if value is not None},
        "PCI Bus": gpu["bus_id"].upper(),
    }
    if vendor == "hygon":
        memory = {"vram Total Memory (MiB)": str(gpu["memory_mib"]), "vram Total Used Memory (MiB)": str(gpu["memory_used_mib"])}  # fmt: skip
        return {
            **common,
            "Card Series": gpu["product"],
            "Card Vendor": HYGON_VENDOR,
            "": "",
            "DCU use (%)": "0",
            **memory,
        }
    memory = {"VRAM Total Memory (B)": str(gpu["memory_mib"] << 20), "VRAM Total Used Memory (B)": str(gpu["memory_used_mib"] << 20)}  # fmt: skip
    return {**common, "Card Series": gpu["product"], "Card Vendor": AMD_VENDOR, "GPU use (%)": "0", **memory}


def _table(accelerators: list[Accelerator], vendor: str) -> list[str]:
    if vendor == "hygon":
        title, end = " System Management Interface ", " End of SMI Log "
        head = "DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%      Mode     "
    else:
        title, end = " ROCm System Management Interface ", " End of ROCm SMI Log "
        head = "Device  Temp     Power      Perf     PwrCap     VRAM%      GPU%      Mode     "
    rows = [
        f"{gpu['index']:<8}{gpu['temperature_celsius']}.0C{'':4}{gpu['power_watts']}.0W".ljust(28)
        + f"{'auto':<9}{gpu['power_limit_watts']}.0W".ljust(20)
        + "0%".ljust(11) + "0%".ljust(10) + "Normal   "
        for gpu in accelerators
    ]  # fmt: skip
    return ["", title.center(WIDTH, "="), "=" * WIDTH, head, *rows, "=" * WIDTH, end.center(WIDTH, "="), ""]
