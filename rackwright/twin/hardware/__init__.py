"""The hardware of a twin node as its own programs see it: accelerators of any vendor, and what stands on its PCI bus."""

from __future__ import annotations

from rackwright.twin.hardware.accelerators import FILE as ACCELERATORS_FILE
from rackwright.twin.hardware.accelerators import device_files, files_by_accelerator, render
from rackwright.twin.hardware.pci import bus

__all__ = ["ACCELERATORS_FILE", "bus", "device_files", "files_by_accelerator", "render"]
