"""Kills a process of `rackwright up` at a random moment, runs it again, and looks at what is left: ``make crashes`` (KILLS=200).

Killed with SIGKILL is the command, the engine, the plugin, or the twin behind the BMCs, which then comes back. One of the machines runs from the start, as an
accepted node does, and must never be switched; the others must be switched on once; nothing kept or printed may contain the password.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.killing.twin import SWITCHED
from tests.ports import loopback_network

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "inventories/h100-pod/site.yaml"
NODES = ["train-001", "train-002", "train-003", "train-004"]
VICTIMS = {
    "command": "-m rackwright up",
    "engine": "/pulumi --non-interactive up",
    "plugin": "pulumi-resource-rackwright",
    "twin": "benchmarks.killing.twin",
}
"""What the command line of each contains."""
SHARE = {"command": 1.0, "engine": 0.5, "plugin": 0.3, "twin": 1.0}
"""Of a whole run: how long after its own start each is killed at most."""
PASSWORD = "BENCH_BMC_PASSWORD"
LONGEST_SECONDS, POLL_SECONDS = 900.0, 0.05


@dataclass
class Trial:
    """One workspace, with machines of its own."""

    folder: Path
    network: str
    password: str = field(default_factory=lambda: secrets.token_hex(12))
    runs: int = 0
    twin: subprocess.Popen[bytes] | None = None

    @property
    def site(self) -> Path:
        """Its site file, whose BMCs are on loopback addresses."""
        return self.folder / "site.yaml"

    def begin(self) -> None:
        """Write the site and start its machines."""
        text = EXAMPLE.read_text().replace("10.64.", f"{self.network}.")
        self.site.write_text(text)
        (self.folder / "twin").mkdir()
        self.start_twin()

    def start_twin(self) -> None:
        """Start the machines, as they were when they were killed."""
        ready = self.folder / "twin" / "ready"
        ready.unlink(missing_ok=True)
        words = [sys.executable, "-m", "benchmarks.killing.twin", str(self.site), str(self.folder / "twin"), PASSWORD]
        environment = {**os.environ, PASSWORD: self.password}
        self.twin = subprocess.Popen([*words, *NODES], cwd=ROOT, env=environment)
        while not ready.exists():
            time.sleep(0.05)
            if self.twin.poll() is not None:
                raise SystemExit("the twin does not start")

    def up(self) -> subprocess.Popen[bytes]:
        """`rackwright up`, begun."""
        words = [sys.executable, "-m", "rackwright", "up", str(self.site), "--work", str(self.folder / "work")]
        account = {"RACKWRIGHT_BMC_USER": "admin", "RACKWRIGHT_BMC_PASSWORD": self.password}
        authority = {"RACKWRIGHT_BMC_CA": (self.folder / "twin" / "ready").read_text()}
        out = (self.folder / f"out-{self.runs}").open("wb")
        self.runs += 1
        return subprocess.Popen(
            [*words, "--nodes", ",".join(NODES), "--format", "json"],
            cwd=ROOT, env={**os.environ, **account, **authority}, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def end(self) -> None:
        """Stop the machines."""
        if self.twin is not None:
            self.twin.kill()
            self.twin.wait()

    def problems(self) -> Iterator[str]:
        """What is not as it must be in the end."""
        lines = (self.folder / "twin" / SWITCHED).read_text().splitlines()
        switched = Counter(tuple(json.loads(line)) for line in lines)
        expected = {(node, "On"): 1 for node in NODES[1:]}
        if switched != expected:
            yield f"machines were switched {dict(switched)}, expected {expected}"
        [file] = (self.folder / "work" / "pulumi" / "state").rglob("stacks/*/*.json")
        latest = json.loads(file.read_text())["checkpoint"]["latest"]
        names = sorted(entry["urn"].rpartition("::")[2] for entry in latest["resources"] if entry["type"].endswith(":Machine"))  # fmt: skip
        if names != NODES or latest.get("pending_operations"):
            yield f"the stack holds {names}, pending {latest.get('pending_operations')}"
        for path in self.folder.rglob("*"):
            if path.is_file() and self.password.encode() in path.read_bytes():
                yield f"the password is in {path.relative_to(self.folder)}"


def processes(parent: int) -> Iterator[tuple[int, str]]:
    """Id and command line of `parent` and of all that it started."""
    children: dict[int, list[int]] = {}
    lines: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            number, stat = int(entry.name), (entry / "stat").read_text()
            lines[number] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(number)
    waiting = [parent]
    while waiting:
        number = waiting.pop()
        if number in lines:
            yield number, lines[number]
        waiting += children.get(number, [])


def find(trial: Trial, run: subprocess.Popen[bytes], victim: str) -> int:
    """The id of the `victim`, once it is there; 0 when the run ends without it."""
    if victim == "twin" and trial.twin is not None:
        return trial.twin.pid
    while run.poll() is None:
        number = next((number for number, line in processes(run.pid) if VICTIMS[victim] in line), 0)
        if number:
            return number
        time.sleep(POLL_SECONDS)
    return 0


def kill(trial: Trial, run: subprocess.Popen[bytes], victim: str, seconds: float) -> bool:
    """Kill the `victim` when it is `seconds` old; whether it was there until then."""
    number = find(trial, run, victim)
    time.sleep(seconds)
    line = dict(processes(number)).get(number, "") if number else ""
    if VICTIMS[victim] not in line:
        return False
    os.kill(number, signal.SIGKILL)
    if victim == "twin":
        trial.end()
    return True


def play(trial: Trial, victim: str, seconds: float) -> tuple[bool, list[str]]:
    """Whether the victim was there to be killed, and what is wrong afterwards."""
    trial.begin()
    try:
        run = trial.up()
        killed = kill(trial, run, victim, seconds)
        run.wait(LONGEST_SECONDS)
        if victim == "twin" and killed:
            trial.start_twin()
        again = trial.up().wait(LONGEST_SECONDS)
        wrong = [f"another run ends with {again}"] if again else []
        return killed, [*wrong, *trial.problems()]
    finally:
        trial.end()


def undisturbed(network: str) -> float:
    """Seconds that a run takes."""
    with tempfile.TemporaryDirectory(prefix="rackwright-killing-") as name:
        trial = Trial(Path(name), network)
        trial.begin()
        started = time.monotonic()
        code = trial.up().wait(LONGEST_SECONDS)
        seconds = time.monotonic() - started
        output = (trial.folder / "out-0").read_text()
        wrong = list(trial.problems())
        trial.end()
    if code or wrong:
        raise SystemExit(f"a run that nobody disturbs ends with {code}: {wrong}\n{output[-2000:]}")
    return seconds


def main() -> int:
    """One line per kill; a summary as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killing")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    draw, network, counts, wrong = random.Random(args.seed), loopback_network(), Counter[str](), 0  # noqa: S311 - moments are drawn, not keys
    longest = undisturbed(network)
    tried = 0
    while sum(counts.values()) < args.kills and tried < 2 * args.kills:
        tried += 1
        victim = draw.choice(list(VICTIMS))
        seconds = draw.uniform(0, longest * SHARE[victim])
        with tempfile.TemporaryDirectory(prefix="rackwright-killing-") as name:
            killed, problems = play(trial := Trial(Path(name), network), victim, seconds)
            counts[victim] += killed
            wrong += bool(problems)
            if problems:
                print(problems, (trial.folder / "out-1").read_text()[-3000:], file=sys.stderr)
        print(f"{tried}: {victim} at {seconds:.2f} s: {'; '.join(problems) or 'nothing lost'}{'' if killed else ' (not there)'}", file=sys.stderr, flush=True)  # fmt: skip
    print(json.dumps({"kills": dict(counts), "wrong": wrong, "undisturbed_seconds": round(longest, 1)}))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
