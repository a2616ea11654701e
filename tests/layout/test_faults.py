"""Every check can be turned red by a fault on some kind of site, and what is published of faults speaks of all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rackwright import judge
from rackwright.twin import faults

TEXT = (Path(__file__).parents[2] / "validators" / "FAULTS.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| `")]
RED = {name for row in ROWS for cell in row[2:4] for name in re.findall(r"\*([a-z_]+\.[a-z0-9_]+)\*", cell)}
ACCEPTANCE = sorted(name for name, fault in faults.known().items() if fault.judged)


@pytest.mark.parametrize("check", judge.checks())
def test_a_fault_turns_it_red(check: str) -> None:
    assert check in RED, f"no campaign turns {check} to fail or degraded: add a fault, then `make faults`"


@pytest.mark.parametrize("name", ACCEPTANCE)
def test_it_is_published_as_it_is_told(name: str) -> None:
    told = {row[1] for row in ROWS if row[0] == f"| `{name}`"}
    assert told == {faults.known()[name].summary}, f"{name} is not in validators/FAULTS.md as it is: `make faults`"


def test_no_two_faults_are_told_alike() -> None:
    told = [fault.summary for fault in faults.known().values()]
    assert sorted(told) == sorted(set(told))


@pytest.mark.parametrize("name", sorted(faults.known()))
def test_its_file_and_its_text_fit(name: str) -> None:
    fault = faults.known()[name]
    assert Path(faults.__file__).with_name(f"{name.replace('-', '_')}.py").exists()
    assert fault.summary[0].isupper() or fault.summary.split()[0] in (
        "slurmd",
        "munge",
        "nouveau",
        "nccl-tests",
        "nvbandwidth",
    )
    assert not fault.summary.endswith(".")
