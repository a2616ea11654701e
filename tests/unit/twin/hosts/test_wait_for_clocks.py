import os
import subprocess
from pathlib import Path

import pytest

from rackwright import judge
from rackwright.twin.hosts import wait_for_clocks

SURE = "7F000001,10.64.0.2,9,1795248121.47,-0.000001366,0.000000054,0.0000016,-0.014,0.001,0.120,0.0000058,0.0000013,1.0,Normal"
COLD = "00000000,,0,0.0,0.0,0.0,0.0,0.000,0.000,0.000,1.0,1.0,0.0,Not synchronised"
THREE_ANSWERS = (
    "7F000001,127.0.0.1,9,1795333718.2,-0.000002035,0.000002035,0.000002035,0.000,0.101,1000000.000,0.000007358,0.729898274,"
    "0.0,Normal"
)
"""chronyc 4.3 on Debian 12, recorded 2026-11-22 a moment before the fourth answer."""


def waited(folder: Path, *lines: str, active: bool = True) -> int:
    """How often the wait slept while chronyc said `lines`, one at each call and the last one from then on."""
    (folder / "said").write_text("".join(f"{line}\n" for line in lines))
    next_line = f'[ "$(wc -l < {folder}/said)" -eq 1 ] || sed -i 1d {folder}/said'
    programs = {
        "systemctl": f"exit {0 if active else 3}",
        "chronyc": f"head -n 1 {folder}/said; {next_line}",
        "sleep": f"echo >> {folder}/slept",
    }
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    subprocess.run(["sh", "-c", wait_for_clocks.SURE], env={"PATH": f"{folder}:{os.environ['PATH']}"}, check=True)
    slept = folder / "slept"
    return len(slept.read_text().splitlines()) if slept.exists() else 0


@pytest.mark.parametrize(
    "unsure",
    [
        COLD,
        THREE_ANSWERS,
        "506 Cannot talk to daemon",
        SURE.replace("-0.000001366", "-0.06"),
        SURE.replace("0.000000054", "3.2"),
        SURE.replace("0.0000058", "0.12"),
    ],
)
def test_a_clock_that_is_not_sure_is_waited_for(tmp_path: Path, unsure: str) -> None:
    assert waited(tmp_path, unsure, unsure, SURE) == 2


def test_a_sure_clock_and_a_host_without_one_are_not_waited_for(tmp_path: Path) -> None:
    assert waited(tmp_path, SURE) == 0
    assert waited(tmp_path, COLD, active=False) == 0


def test_the_wait_is_one_minute_at_most(tmp_path: Path) -> None:
    assert (waited(tmp_path, COLD) + 1) * wait_for_clocks.EVERY_SECONDS == 60


def test_the_bound_is_the_one_that_acceptance_judges_by() -> None:
    assert judge.load_limits().find("clock.error_seconds").value == wait_for_clocks.SURE_SECONDS
