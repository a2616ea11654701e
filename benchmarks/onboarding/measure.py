"""Onboards the nodes of a fresh twin by plain Ansible, by pyinfra and by us, and says what each took.

Every tool gets a fresh twin of the same nodes and brings about the
same packages, files and units (`work`). Plain Ansible is stopped once it has taken `PATIENCE` times as long as ours: the goal is
then reached, and the figure is printed as a lower bound.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SITE = "inventories/h100-pod/site.yaml"
PATIENCE = 10.5
"""Plain Ansible may take this many times as long as ours before it is stopped."""
PLAIN_FACTOR = 10
NO_OP_SECONDS = 20.0
CONTROLLER = "slurm-01"
CACHE = Path.home() / ".cache" / "rackwright" / "pyinfra"


@dataclass(frozen=True)
class Onboarding:
    """The race over `nodes` nodes of the example site."""

    name: str
    nodes: int

    def lines(self) -> Iterator[tuple[str, bool]]:
        """What was reached, tool by tool."""
        ours = _run("push", self.nodes, "--again")
        yield f"ours, push: {_as_text(ours['first'])}", _good(ours["first"])
        again = ours["again"]
        yield (
            f"ours, nothing to do: {_as_text(again)}  goal {NO_OP_SECONDS:.0f} s",
            _good(again) and again["seconds"] < NO_OP_SECONDS,
        )
        yield from self._other_tools(ours["first"]["seconds"])
        for mode in ("push", "worker"):
            yield _per_node(mode, self.nodes), True

    def _other_tools(self, seconds: float) -> Iterator[tuple[str, bool]]:
        pyinfra = _run("pyinfra", self.nodes, "--pyinfra", _pyinfra())["first"]
        yield (
            f"pyinfra: {_as_text(pyinfra)}  ({pyinfra['seconds'] / seconds:.1f} x ours)",
            _good(pyinfra) and pyinfra["seconds"] > seconds,
        )
        plain = _run("plain", self.nodes, "--seconds", str(seconds * PATIENCE))["first"]
        bound = "more than " if plain["stopped"] else ""
        factor = plain["seconds"] / seconds
        text = f"plain ansible-playbook: {_as_text(plain)}  ({bound}{factor:.1f} x ours, goal {PLAIN_FACTOR})"
        yield text, factor >= PLAIN_FACTOR and (plain["stopped"] or _good(plain))


def _as_text(run: dict[str, Any]) -> str:
    return f"{run['seconds']:7.1f} s wall, {run['cpu']:6.1f} s processor on the control side, status {run['code']}"


def _good(run: dict[str, Any]) -> bool:
    return bool(run["code"] == 0)


def _per_node(mode: str, nodes: int) -> str:
    """Processor time of the control side for one more node: the slope between a half and all of them."""
    few, many = (_run(mode, count)["first"]["cpu"] for count in (nodes // 2, nodes))
    return f"control side per further node, {mode}: {(many - few) / (nodes - nodes // 2):5.2f} s processor"


@cache
def _run(tool: str, nodes: int, *words: str) -> dict[str, Any]:
    names = ",".join(f"train-{number:03d}" for number in range(1, nodes + 1))
    with tempfile.TemporaryDirectory(prefix="rackwright-bench-") as scratch:
        inside = [sys.executable, str(HERE / "inside.py"), tool, SITE, names, f"{scratch}/tool", *words]
        rackwright = str(Path(sys.executable).parent / "rackwright")
        argv = [
            rackwright,
            "twin",
            SITE,
            "--nodes",
            f"{names},{CONTROLLER}",
            "--work",
            f"{scratch}/twin",
            "--",
            *inside,
        ]
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if not lines:
            raise SystemExit(f"{tool}: exit {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
        figures: dict[str, Any] = json.loads(lines[-1])
        for name, run in figures.items():
            if run["code"] != 0 and not run["stopped"]:
                logs = sorted(Path(scratch, "tool").glob("*.log"))
                print(f"{tool} {name} ended with {run['code']}:", *(log.read_text()[-1500:] for log in logs), sep="\n")
        return figures


@cache
def _pyinfra() -> str:
    """The pinned pyinfra, in an environment of its own, installed on first use."""
    program = CACHE / "bin" / "pyinfra"
    if not program.exists():
        uv = str(Path(sys.executable).parent / "uv")
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(CACHE)], check=True)
        requirements = str(HERE / "requirements.txt")
        subprocess.run(
            [uv, "pip", "install", "--quiet", "--python", str(CACHE / "bin" / "python"), "-r", requirements], check=True
        )
    return str(program)
