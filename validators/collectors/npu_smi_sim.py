"""Prints accelerators as npu-smi does: the table, then board and ECC counts of each card."""

from rackwright.model.evidence.accelerator import Accelerators, Device

RULE = "+---------------------------+---------------+----------------------------------------------------+"
DOUBLE = RULE.replace("-", "=")
MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The sections whose parse is `seen`; memory must be whole MiB."""
    lines = [
        "== table",
        RULE,
        f"| npu-smi 25.3.rc1                 Version: {seen.driver_version}                    |",
        RULE,
    ]
    lines += ["| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|"]
    lines += [
        "| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |",
        DOUBLE,
    ]
    for one in seen.devices:
        lines += _card(one)
    lines += [
        "| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |",
        DOUBLE,
    ]
    lines += [
        f"| {one.index:<7} 0                 | {pid:<13} | python3                  | 0                       |"
        for one in seen.devices
        for pid in one.processes or []
    ]
    for one in seen.devices:
        lines += [f"== card {one.index}", *_board(seen, one)]
    return ("\n".join(lines) + "\n").encode()


def _card(one: Device) -> list[str]:
    power = "NA" if one.power_watts is None else f"{one.power_watts:.1f}"
    heat = "NA" if one.temperature_celsius is None else str(one.temperature_celsius)
    memory = f"0    / {one.memory_total_bytes // MIB}"
    bus = one.pci_bus_id[4:].upper()
    return [
        f"| {one.index:<5} {one.product_name:<19} | {one.health or 'OK':<13} | {power:<11} {heat:<17} 0    / 0             |",
        f"| {0:<25} | {bus:<13} | {0:<11} {'0    / 0':<17} {memory:<21}|",
        DOUBLE,
    ]


def _board(seen: Accelerators, one: Device) -> list[str]:
    said = {
        "NPU ID": one.index,
        "Serial Number": one.serial,
        "Software Version": seen.driver_version,
        "Firmware Version": one.vbios,
        "HBM Single Bit Error Count": one.ecc_corrected_volatile,
        "HBM Double Bit Error Count": one.ecc_uncorrected_volatile,
        "HBM Single Bit Aggregate Total Err Cnt": one.ecc_corrected_dram,
        "HBM Double Bit Aggregate Total Err Cnt": one.ecc_uncorrected_aggregate,
        "HBM Single Bit Isolated Pages Count": None if one.retired_pages is None else 0,
        "HBM Double Bit Isolated Pages Count": one.retired_pages,
    }
    return [f"\t{name:<40}: {'NA' if value is None else value}" for name, value in said.items()]
