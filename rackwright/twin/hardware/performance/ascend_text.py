"""Load tests of Ascend NPUs as ascend-dmi and npu-smi print them, in the sections of our driver.

Tables of bandwidth: ascend-dmi 7.0.T10 on an Ascend 310P1, a terminal session in a public repository (read 2026-11-25).
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.evidence.load import Burn, BurnedDevice, Copies, DeviceMemorySpeed, Gemm, MemoryBandwidth, Sample

RULE = "-" * 98
FLOPS = "    Device        Execute Times        Duration(ms)        {0}          Power(W)"
SPEEDS = "    Size(Bytes)        Execute Times        Bandwidth(GB/s)        Elapsed Time(us)"
TITLES = {"host_to_device": "Host to Device Test", "device_to_host": "Device to Host Test"}
SPEED_RULE, NUMBERED_RULE = "-" * 64, "-" * 67
COPY_BYTES = 512 << 20


def burn(record: Burn) -> str:
    """``ascend-dmi -f``, run after run, and what npu-smi showed."""
    runs = [_gemm(device, gemm, rate) for device in record.devices for gemm in device.gemms for rate in gemm.tflops]
    looks = [_sample(device, sample) for device in record.devices for sample in device.samples.looks()]
    return _version(record.tool) + _boards(record.devices) + "".join([*runs, *looks])


def memory(record: MemoryBandwidth) -> str:
    """``ascend-dmi --bw -t d2d``, run after run."""
    runs = [
        f"# memory device={device.index}\n{_speeds(device.bytes, rate)}"
        for device in record.devices
        for rate in device.copy_gbytes_per_s
    ]
    return _version(record.tool) + _boards(record.devices) + "".join(runs)


def copies(record: Copies) -> str:
    """``ascend-dmi --bw`` between host and NPUs and among them."""
    cards = sorted({end for copy in record.copies for end in (copy.source, copy.target) if end is not None})
    boards = "".join(_board(card, "0000:00:00.0", "", record.driver_version) for card in cards)
    text = ""
    for copy in record.copies:
        ends = [end for end in (copy.source, copy.target) if end is not None]
        to = f" target={ends[1]}" if len(ends) > 1 else ""
        title = f"{TITLES[copy.direction]}\nDevice {ends[0]}: Ascend 910B.\n" if copy.direction in TITLES else ""
        head = f"# copy direction={copy.direction} device={ends[0]}{to}\n{title}"
        text += head + _numbered_speed(ends[0], COPY_BYTES, copy.gbytes_per_s)
    return _version(record.tool) + boards + text


def _version(tool: str) -> str:
    return f"# dmi\n{tool}\n"


def _boards(devices: Sequence[BurnedDevice] | Sequence[DeviceMemorySpeed]) -> str:
    return "".join(
        _board(device.index, device.pci_bus_id.removeprefix("0000"), device.serial, "", _chip(device))
        for device in devices
    )


def _chip(device: BurnedDevice | DeviceMemorySpeed) -> str:
    """Which chip of its card it is; empty for a card of one."""
    return device.uuid.removeprefix(device.serial).removeprefix("-")


def _board(card: int, bus: str, serial: str, driver: str, chip: str = "") -> str:
    lines = {"NPU ID": str(card), "Serial Number": serial, "Software Version": driver, "PCIe Bus Info": bus}
    which = f" chip={chip}" if chip else ""
    return f"# board device={card} card={card}{which}\n" + "".join(
        f"        {name:<30} : {value}\n" for name, value in lines.items()
    )


def _gemm(device: BurnedDevice, gemm: Gemm, rate: float) -> str:
    until = round(gemm.began + gemm.seconds, 2)
    head = f"# gemm device={device.index} precision={gemm.precision} from={gemm.began!r} until={until!r}"
    title = FLOPS.format(f"TFLOPS@{gemm.precision.upper()}")
    return f"{head}\n{RULE}\n{title}\n{RULE}\n    {device.index}      480,000,000      2269      {rate!r}      239.300003\n{RULE}\n"


def _sample(device: BurnedDevice, sample: Sample) -> str:
    lines = {
        "Aicore curFreq(MHZ)": sample.sm_clock_mhz,
        "Temperature(C)": sample.temperature_celsius,
        "NPU Real-time Power(W)": sample.power_watts,
    }
    rows = "".join(f"        {name:<30} : {'NA' if value is None else value}\n" for name, value in lines.items())
    mcu = f"\n        {'Chip Name':<30} : mcu\n        {'Temperature(C)':<30} : 41\n"
    chip = _chip(device)
    head = f"# sample device={device.index}{f' chip={chip}' if chip else ''} second={sample.second!r}"
    return f"{head}\n        {'Chip ID':<30} : {chip or 0}\n{rows}{mcu}"


def _speeds(size: int, rate: float) -> str:
    """Rising sizes, of which the last one is read."""
    return f"{SPEED_RULE}\n{SPEEDS}\n{SPEED_RULE}\n    {size}    50    {rate!r}    21474.8\n{SPEED_RULE}\n"


def _numbered_speed(device: int, size: int, rate: float) -> str:
    """The one size that the command names."""
    row = f"    {device}        {size}    50    {rate!r}    21474.8"
    return f"{NUMBERED_RULE}\n    ID    {SPEEDS}\n{NUMBERED_RULE}\n{row}\n{NUMBERED_RULE}\n"
