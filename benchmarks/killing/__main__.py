"""Kills a process of `rackwright up --install` at a random moment, runs it again, and looks at what is left: ``make crashes`` (KILLS=200).

Killed with SIGKILL is the command, the engine, the plugin, the boot server, or the twin with its BMCs and what boots from the network, which then come
back. One of the machines runs from the start and is accepted: it must never be switched and get no installer. The others must be switched on once, get
their system once, and no installer after it is on the disk. Nothing kept or printed may contain the password, a key or a signed path.

What was played stands in a file, and another call goes on after it. Needs root, and the packages dnsmasq-base and ipxe.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.killing import wiring
from benchmarks.killing.trial import NotStartedError, Trial

VICTIMS = {
    "command": "-m rackwright up",
    "engine": "/pulumi --non-interactive up",
    "plugin": "pulumi-resource-rackwright",
    "twin": "benchmarks.killing.twin",
    "boot server": "-m rackwright boot-server",
}
"""What the command line of each contains."""
SHARE = {"command": 1.0, "engine": 0.9, "plugin": 0.8, "twin": 1.0, "boot server": 1.0}
"""Of a whole run: how long after its own start each is killed at most; machines and boot server count from that of the run."""
LONGEST_SECONDS, POLL_SECONDS = 900.0, 0.05
AWAY_SECONDS = 3.0
"""How long machines or boot server are away at most."""


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
    if victim in trial.running:
        return trial.running[victim].pid
    while run.poll() is None:
        number = next((number for number, line in processes(run.pid) if VICTIMS[victim] in line), 0)
        if number:
            return number
        time.sleep(POLL_SECONDS)
    return 0


def kill(trial: Trial, run: subprocess.Popen[bytes], victim: str, seconds: float) -> tuple[bool, list[str]]:
    """Kill the `victim` when it is `seconds` old; whether it was there until then, and which command lines have the password."""
    number = find(trial, run, victim)
    time.sleep(seconds)
    lines = dict(processes(os.getpid()))
    exposed = [f"the password is in the command line {line[:80]}" for line in lines.values() if trial.password in line]
    if not number or VICTIMS[victim] not in lines.get(number, "") or run.poll() is not None:
        return False, exposed
    os.kill(number, signal.SIGKILL)
    if victim in trial.running:
        trial.running[victim].wait()
    return True, exposed


def play(trial: Trial, victim: str, seconds: float, away: float) -> tuple[bool, list[str]]:
    """Whether the victim was there to be killed, and what is wrong afterwards."""
    try:
        trial.begin()
        run = trial.up()
        killed, wrong = kill(trial, run, victim, seconds)
        if victim in trial.running and killed:
            time.sleep(away)
            trial.start(victim)
        run.wait(LONGEST_SECONDS)
        again = trial.up().wait(LONGEST_SECONDS)
        wrong += [f"another run ends with {again}"] if again else []
        return killed, [*wrong, *trial.problems(interrupted=killed and victim in trial.running)]
    except (NotStartedError, subprocess.TimeoutExpired) as error:
        return True, [str(error)]
    finally:
        trial.end()


def undisturbed(loader: Path) -> float:
    """Seconds that a run takes."""
    with tempfile.TemporaryDirectory(prefix="rackwright-killing-") as name:
        trial = Trial(Path(name), loader)
        try:
            trial.begin()
            started = time.monotonic()
            code = trial.up().wait(LONGEST_SECONDS)
            seconds = time.monotonic() - started
            wrong = list(trial.problems(interrupted=False))
        finally:
            trial.end()
        texts = [path.read_text()[-2000:] for path in sorted(trial.folder.glob("out-*"))]
    if code or wrong:
        raise SystemExit("\n".join([f"a run that nobody disturbs ends with {code}: {wrong}", *texts]))
    return seconds


def one_kill(seed: int, number: int, longest: float, loader: Path) -> dict[str, Any]:
    """Play kill `number` of `seed`: the same victim at the same share of a run whenever it is played."""
    draw = random.Random(f"{seed} {number}")  # noqa: S311 - moments are drawn, not keys
    victim = draw.choice(list(VICTIMS))
    seconds, away = draw.uniform(0, longest * SHARE[victim]), draw.uniform(0, AWAY_SECONDS)
    with tempfile.TemporaryDirectory(prefix="rackwright-killing-") as name:
        killed, problems = play(trial := Trial(Path(name), loader), victim, seconds, away)
        if problems:
            for path in sorted(trial.folder.glob("out-*")):
                print(f"--- {path.name}\n{path.read_text()[-3000:]}", file=sys.stderr)
    print(f"{number}: {victim} at {seconds:.2f} s: {'; '.join(problems) or 'nothing lost'}{'' if killed else ' (not there)'}", file=sys.stderr, flush=True)  # fmt: skip
    return {"seed": seed, "number": number, "victim": victim, "seconds": round(seconds, 2), "killed": killed, "problems": problems}  # fmt: skip


def main() -> int:
    """One line per kill; a summary as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killing")
    parser.add_argument("--kills", type=int, default=200, help="kills in all, with those that were played before")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--played", type=Path, default=Path("build/crashes.jsonl"), help="what was played; remove it to begin anew")  # fmt: skip
    parser.add_argument("--loader", type=Path, default=Path("/usr/lib/ipxe/snponly.efi"))
    args = parser.parse_args()
    wiring.enter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started ends with us
    args.played.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(line) for line in args.played.read_text().splitlines()] if args.played.exists() else []

    def keep(line: dict[str, Any]) -> dict[str, Any]:
        with args.played.open("a") as stream:
            stream.write(json.dumps(line) + "\n")
        return line

    first, *played = lines or [keep({"undisturbed_seconds": round(undisturbed(args.loader), 1)})]
    longest = first["undisturbed_seconds"]
    while sum(kill["killed"] for kill in played) < args.kills and len(played) < 2 * args.kills:
        played.append(keep(one_kill(args.seed, len(played) + 1, longest, args.loader)))
    counts = Counter(kill["victim"] for kill in played if kill["killed"])
    wrong = [kill["number"] for kill in played if kill["problems"]]
    print(json.dumps({"kills": sum(counts.values()), "by victim": counts, "wrong": wrong, "undisturbed_seconds": longest}))  # fmt: skip
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
