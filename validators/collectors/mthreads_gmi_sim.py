"""Prints accelerators as the table of mthreads-gmi does."""

from rackwright.model.evidence.accelerator import Accelerators, Device

RULE = "-" * 63
MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The table whose parse is `seen`; memory must be whole MiB."""
    lines = [RULE, f"    mthreads-gmi:1.14.0         Driver Version:{seen.driver_version}", RULE]
    lines += ["ID   Name           |PCIe                |%GPU  Mem            "]
    for one in seen.devices:
        lines += _rows(one)
    return ("\n".join([*lines, RULE]) + "\n").encode()


def _rows(one: Device) -> list[str]:
    rows = [f"{one.index:<5}{one.product_name:<15}|{one.pci_bus_id:<20}|0%    0MiB({one.memory_total_bytes // MIB}MiB)"]
    if one.pcie_width is not None:
        rows.append(
            f"     Physical       |{one.pcie_width}x({one.pcie_width}x)              |{one.temperature_celsius}C   YES"
        )
    return rows
