"""Load tests of Ascend NPUs as ascend-dmi and npu-smi print them, in the sections of our driver."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.evidence.load import Burn, BurnedDevice, Copies, DeviceMemorySpeed, Gemm, MemoryBandwidth, Sample

RULE = "-" * 98
FLOPS = "    Device        Execute Times        Duration(ms)        {0}          Power(W)"
SPEEDS = "    Size(Bytes)        Execute Times        Bandwidth(GB/s)        Elapsed Time(us)"
COPY_BYTES = 512 << 20


def burn(seen: Burn) -> str:
    """``ascend-dmi -f``, run after run, and what npu-smi showed."""
    runs = [_gemm(one, gemm, rate) for one in seen.devices for gemm in one.gemms for rate in gemm.tflops]
    looks = [_sample(one, sample) for one in seen.devices for sample in one.samples.looks()]
    return _version(seen.tool) + _boards(seen.devices) + "".join([*runs, *looks])


def memory(seen: MemoryBandwidth) -> str:
    """``ascend-dmi --bw -t d2d``, run after run."""
    runs = [
        f"# memory device={one.index}\n{_table(one.bytes, rate)}"
        for one in seen.devices
        for rate in one.copy_gbytes_per_s
    ]
    return _version(seen.tool) + _boards(seen.devices) + "".join(runs)


def copies(seen: Copies) -> str:
    """``ascend-dmi --bw`` between host and NPUs and among them."""
    cards = sorted({end for one in seen.copies for end in (one.source, one.target) if end is not None})
    boards = "".join(_board(card, "0000:00:00.0", "", seen.driver_version) for card in cards)
    said = ""
    for one in seen.copies:
        ends = [end for end in (one.source, one.target) if end is not None]
        to = f" target={ends[1]}" if len(ends) > 1 else ""
        said += f"# copy direction={one.direction} device={ends[0]}{to}\n{_table(COPY_BYTES, one.gbytes_per_s)}"
    return _version(seen.tool) + boards + said


def _version(tool: str) -> str:
    return f"# dmi\n{tool}\n"


def _boards(devices: Sequence[BurnedDevice] | Sequence[DeviceMemorySpeed]) -> str:
    return "".join(_board(one.index, one.pci_bus_id.removeprefix("0000"), one.serial, "") for one in devices)


def _board(card: int, bus: str, serial: str, driver: str) -> str:
    told = {"NPU ID": str(card), "Serial Number": serial, "Software Version": driver, "PCIe Bus Info": bus}
    return f"# board device={card} card={card}\n" + "".join(
        f"        {name:<30} : {said}\n" for name, said in told.items()
    )


def _gemm(one: BurnedDevice, gemm: Gemm, rate: float) -> str:
    until = round(gemm.began + gemm.seconds, 2)
    head = f"# gemm device={one.index} precision={gemm.precision} from={gemm.began!r} until={until!r}"
    title = FLOPS.format(f"TFLOPS@{gemm.precision.upper()}")
    return f"{head}\n{RULE}\n{title}\n{RULE}\n    {one.index}      480,000,000      2269      {rate!r}      239.300003\n{RULE}\n"


def _sample(one: BurnedDevice, sample: Sample) -> str:
    told = {
        "Aicore curFreq(MHZ)": sample.sm_clock_mhz,
        "Temperature(C)": sample.temperature_celsius,
        "NPU Real-time Power(W)": sample.power_watts,
    }
    rows = "".join(f"        {name:<30} : {'NA' if said is None else said}\n" for name, said in told.items())
    mcu = f"\n        {'Chip Name':<30} : mcu\n        {'Temperature(C)':<30} : 41\n"
    return f"# sample device={one.index} second={sample.second!r}\n        {'Chip ID':<30} : 0\n{rows}{mcu}"


def _table(size: int, rate: float) -> str:
    return f"{RULE}\n{SPEEDS}\n{RULE}\n    {size}    50    {rate!r}    21474.8\n{RULE}\n"
