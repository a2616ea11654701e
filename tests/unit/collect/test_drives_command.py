"""The command of the collector of drives, with a smartctl that ends its document without a newline, as the real one does."""

import json
import os
import subprocess

from rackwright.collect import collector


def test_reports_of_several_drives_do_not_run_together(tmp_path):
    tool = tmp_path / "bin" / "smartctl"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\nprintf '%s' '{json.dumps({'serial_number': 'S1'})}'\nexit 8\n")
    tool.chmod(0o755)
    devices = tmp_path / "dev"
    devices.mkdir()
    for name in ("nvme0", "nvme1"):
        (devices / name).touch()
    drives = collector.library()["drives"]
    words = ["f" if word == "c" else str(devices) if word == "/dev" else word for word in drives.command]
    path = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
    printed = subprocess.run(words, env=path, capture_output=True, text=True, check=True).stdout
    record = drives.parse(printed.replace(f"{tmp_path}/dev/", "/dev/"))
    assert [drive.name for drive in record.drives] == ["nvme0", "nvme1"]
