"""Tools of the RDMA stack on a twin node: openibd, ofed_info, ibv_devinfo.

Shape: DOCA-OFED 3.2 and rdma-core 44 (2025). They answer from /sys/class/infiniband and from the modules that are loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys

from . import parts

DEVICES = "/sys/class/infiniband"
SETTINGS = "/etc/infiniband/openib.conf"
LOADED = ("mlx5_core", "mlx5_ib", "ib_umad", "rdma_ucm")


def ofed_info() -> int:
    """Entry point of ``ofed_info``: ``-s`` is the release in one line."""
    release = parts.release("ofed")
    print(f"OFED-internal-{release}:" if sys.argv[1:] == ["-s"] else f"OFED-internal-{release}:\n\nmlnx-ofed-kernel")
    return 0


def openibd() -> int:
    """Entry point of ``openibd``: start loads the drivers of the fabric, and those of IPoIB where the settings say so."""
    if sys.argv[1:] != ["start"]:
        return 0
    settings: dict[str, str] = {}
    if os.path.exists(SETTINGS):
        with open(SETTINGS, encoding="utf-8") as file:
            settings = {key: value for key, _, value in (line.strip().partition("=") for line in file)}
    modules = [*LOADED, *(["ib_ipoib"] if settings.get("IPOIB_LOAD", "yes") == "yes" else [])]
    return max(subprocess.run(["modprobe", name], check=False).returncode for name in modules)


def ibv_devinfo() -> int:
    """Entry point of ``ibv_devinfo`` and ``ibv_devices``."""
    names = sorted(os.listdir(DEVICES)) if os.path.isdir(DEVICES) else []
    if not names:
        print("No IB devices found", file=sys.stderr)
        return 255
    print("\n".join(f"hca_id:\t{name}" for name in names))
    return 0
