"""Which libraries of the driver lie on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.container import DriverLibraries, Library
from rackwright.twin.hardware.state import OLDER, State
from rackwright.twin.tools.packages import OTHER

ANSWERED = True
FOLDERS = {"dpkg": "/usr/lib/x86_64-linux-gnu", "rpm": "/usr/lib64"}
"""Debian policy 9.1.1 (multiarch); Fedora packaging guidelines, %{_libdir}."""
SIZES = {
    "libcuda.so": 96_276_264,
    "libnvidia-ml.so": 2_283_608,
    "libnvidia-ptxjitcompiler.so": 39_422_584,
    "libnvidia-nvvm.so": 86_842_616,
    "libnvidia-cfg.so": 374_200,
}
"""What CUDA programs in a container need, with sizes of release 580 for x86-64 in bytes (580.105.08 for the first three: tests/cases/collectors/libraries)."""


def observe(state: State, design: Design, node: str) -> DriverLibraries:
    """Every library in the version of the driver, but those that a fault emptied or left behind."""
    system = state.machines[node].system
    bill = design.site.software.bill(design.node(node).pool)
    folder, version = FOLDERS[bill.packager], bill.driver
    libraries = []
    for name, size in SIZES.items():
        carried = OTHER[OLDER] if name in system.stale_libraries else version
        bytes_present = 0 if name in system.empty_libraries else size
        libraries.append(Library(path=f"{folder}/{name}.{carried}", bytes=bytes_present))
    return DriverLibraries(libraries=libraries)


def render(record: DriverLibraries) -> bytes:
    """The lines that the collector parses to `record`."""
    return "".join(f"{library.bytes}\t{library.path}\n" for library in record.libraries).encode()
