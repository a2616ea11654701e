"""Machines to render, and a folder that the twin's library and programs take for a node."""

import base64
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from rackwright.twin import nvml
from rackwright.twin.hardware.state import Gpu, TwinMachine
from tests.patience import PATIENCE, until

DRIVER = "580.173.02"
NEWER = "595.91.07"


def gpu(index, **changes):
    return replace(
        Gpu(
            index=index,
            uuid=f"GPU-0000000{index}-1111-4222-8333-444444444444",
            serial=f"165212300{index:04d}",
            product_name="NVIDIA H100 80GB HBM3",
            pci_bus_id=f"00000000:{0x1B + 0x11 * index:02x}:00.0",
            vbios="96.00.89.00.01",
            memory_bytes=80 * 2**30,
            pcie_generation=5,
            pcie_width=16,
            nvlinks=(True,) * 18,
            power_limit_watts=700,
        ),
        **changes,
    )


def machine(*gpus):
    return TwinMachine(
        "train-001", "accelerator", "NVIDIA", "DGX H100", "S", "1", "2", "On", 2, 2048, tuple(gpus), (), 6, 6
    )


@dataclass
class Node:
    """A node in a folder: state, installed driver, daemons."""

    root: Path
    compiled: Path
    release: str = DRIVER

    @property
    def environment(self):
        return {**os.environ, "RACKWRIGHT_TWIN_ROOT": str(self.root), "LD_LIBRARY_PATH": str(self.root / "lib")}

    def show(self, state):
        (self.root / "run/rackwright-twin").mkdir(parents=True, exist_ok=True)
        (self.root / nvml.STATE_FILE.lstrip("/")).write_text(nvml.render(state))

    def install_library(self, release=DRIVER):
        self.release = release
        library = self.root / "lib" / "libnvidia-ml.so.1"
        library.parent.mkdir(exist_ok=True)
        library.unlink(missing_ok=True)
        library.symlink_to(self.compiled / f"driver-{release}" / "libnvidia-ml.so")

    def install_module(self, release=DRIVER):
        """What modprobe would load from now on."""
        version = self.root / nvml.MODULE_LOADED.lstrip("/")
        program = self.root / "usr/sbin/modprobe"
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\nmkdir -p {version.parent}\necho {release} > {version}\n")
        program.chmod(0o755)

    def reboot(self):
        (self.root / nvml.MODULE_LOADED.lstrip("/")).unlink(missing_ok=True)

    def run(self, program, *arguments, release=None):
        command = [self.compiled / f"driver-{release or self.release}" / program, *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)

    def dump(self, probe):
        request = json.dumps({"commands": [{"id": "nvml", "library": "nvml", "seconds": 20}]}).encode()
        command = [sys.executable, "-I", probe]
        done = subprocess.run(
            command, env=self.environment, input=request, capture_output=True, timeout=PATIENCE, check=True
        )
        return json.loads(base64.b64decode(json.loads(done.stdout.splitlines()[0])["stdout"]))

    def stop(self, name):
        file = next(self.root.glob(f"run/*/{name}.pid"))
        os.kill(int(file.read_text()), signal.SIGTERM)
        until(lambda: not file.exists(), f"{name} does not end")

    def stop_all(self):
        for file in self.root.glob("run/*/*.pid"):
            self.stop(file.stem)
