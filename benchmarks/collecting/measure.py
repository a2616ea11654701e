"""Collects from the hosts of a twin by us and by others, in one run, and says what each took for one node.

Several connections go to each
host of the twin; every tool has the same hosts, the same reads and the same number of connections at once. What is slow gets fewer
connections, and its figure is for one node all the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SITE = "inventories/h100-pod/site.yaml"
CACHE = Path.home() / ".cache" / "rackwright" / "clustershell"
TESTINFRA_FACTOR = 30
AT_ONCE = 32
"""Default of pdsh (its option -f)."""
FLEET = 10_000
FLEET_AT_ONCE = 256


@dataclass(frozen=True)
class Collecting:
    """The race over `connections` connections to `hosts` hosts of the example site."""

    name: str
    connections: int
    hosts: int

    def lines(self) -> Iterator[tuple[str, bool]]:
        """What was reached, tool by tool."""
        runs = self._run()
        ours, clush = runs["ours"], runs["clush"]
        text = f"{runs['reads']} reads from each of {self.connections} connections to {self.hosts} hosts, {AT_ONCE} at once"
        failed = [f"{name}: {run['said']}" for name, run in runs.items() if isinstance(run, dict) and not run["good"]]
        yield " ".join([text, *failed]), not failed
        yield f"ours: {_as_text(ours)}, stored", bool(ours["good"])
        factor = clush["wall"] / ours["wall"]
        yield f"ClusterShell clush: {_as_text(clush)}  ({factor:.2f} x ours, goal 1)", factor >= 1
        yield (
            f"ansible -m raw: {_as_text(runs['ansible'])}  ({runs['ansible']['wall'] / ours['wall']:.1f} x ours)",
            True,
        )
        factor = runs["testinfra"]["wall"] / ours["wall"]
        text = f"pytest-testinfra: {_as_text(runs['testinfra'])}  ({factor:.0f} x ours, goal {TESTINFRA_FACTOR})"
        yield text, factor >= TESTINFRA_FACTOR
        yield f"ours, with NVML: {_as_text(runs['whole'])}, stored", bool(runs["whole"]["good"])
        yield model(runs["one"], ours, self.connections), True

    def _run(self) -> dict[str, Any]:
        names = ",".join(f"train-{number:03d}" for number in range(1, self.hosts + 1))
        rackwright = str(Path(sys.executable).parent / "rackwright")
        with tempfile.TemporaryDirectory(prefix="rackwright-bench-") as scratch:
            inside = [sys.executable, str(HERE / "inside.py"), SITE, names, str(self.connections), f"{scratch}/work"]
            twin = [rackwright, "twin", SITE, "--nodes", names, "--work", f"{scratch}/twin", "--"]
            argv = [*twin, *inside, "--clush", _clush(), "--at-once", str(AT_ONCE)]
            done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if not lines:
            raise SystemExit(f"{self.name}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        figures: dict[str, Any] = json.loads(lines[-1])
        return figures


def _as_text(run: dict[str, Any]) -> str:
    return (
        f"{run['wall'] * 1000:7.1f} ms a node, {run['cpu'] * 1000:6.1f} ms processor and {run['mib']:5.1f} MiB of the client "
        f"({run['nodes']} nodes, peak {run['peak_mib']:.0f} MiB)"
    )


def model(single: dict[str, Any], many: dict[str, Any], nodes: int) -> str:
    """What 10,000 nodes cost us: our processor, or waiting for the slowest of each batch, whichever is more.

    From the processor time for one node and the memory of one connection, as measured, and the seconds of a single quiet node.
    """
    processor = many["cpu"] * FLEET
    waiting = FLEET / FLEET_AT_ONCE * single["wall"]
    each = max(0.0, many["peak_mib"] - single["peak_mib"]) / min(nodes, AT_ONCE)
    memory = single["peak_mib"] + each * FLEET_AT_ONCE
    return (
        f"model of {FLEET:,} nodes, {FLEET_AT_ONCE} at once: {max(processor, waiting):.0f} s ({processor:.0f} s of one processor, "
        f"{waiting:.0f} s of waiting), {memory:.0f} MiB"
    )


def _clush() -> str:
    """The pinned ClusterShell, in an environment of its own, installed on first use."""
    program = CACHE / "bin" / "clush"
    if not program.exists():
        uv = str(Path(sys.executable).parent / "uv")
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(CACHE)], check=True)
        python, requirements = str(CACHE / "bin" / "python"), str(HERE / "requirements.txt")
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, "-r", requirements], check=True)
    return str(program)
