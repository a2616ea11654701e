"""Runs one tool over the hosts of the twin that this process is inside of, and prints what it cost.

In: the tool, the site, the nodes, a folder. Out: one JSON line: wall seconds, processor seconds of the control side, exit status.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent
CONTROLLER = "slurm-01"
"""Without it no node is rebooted: nobody could say whether jobs run there."""


def timed(argv: list[str], log: Path, seconds: float, **environment: str) -> dict[str, float | int | bool]:
    """Run a program; it is stopped after `seconds`."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with log.open("w") as out:
        process = subprocess.Popen(
            argv, stdout=out, stderr=out, cwd=ROOT, env={**os.environ, **environment}, start_new_session=True
        )
        try:
            code, stopped = process.wait(timeout=seconds), False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            code, stopped = process.wait(), True
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": time.monotonic() - started, "cpu": spent, "code": code, "stopped": stopped}


def ours(args: argparse.Namespace, work: Path, *words: str) -> list[str]:
    """Our own command: everything, the one reboot of each node and the Slurm controller included."""
    base = [
        str(BIN / "rackwright"),
        "onboard",
        args.site,
        "--nodes",
        args.nodes,
        "--work",
        str(work),
        "--wave-size",
        "all",
    ]
    return [*base, "--reboot", "--format", "json", *words]


def plain(args: argparse.Namespace, work: Path) -> list[str]:
    """ansible-playbook as it comes: linear, five forks, no pipelining."""
    inventory = _inventory(args, work)
    said = subprocess.run(
        [sys.executable, HERE / "plain.py"], input=_work(args, work), capture_output=True, text=True, check=True
    )
    (work / "plain.yml").write_text(said.stdout)
    return [str(BIN / "ansible-playbook"), "-i", str(inventory), str(work / "plain.yml")]


def pyinfra(args: argparse.Namespace, work: Path) -> list[str]:
    """pyinfra as it comes, all hosts at once."""
    (work / "work.json").write_text(_work(args, work))
    hosts = json.loads((_inventory(args, work) / "hosts.yml").read_text())["all"]["hosts"]
    data = {
        "ssh_user": "root",
        "ssh_key": os.environ["RACKWRIGHT_SSH_KEY"],
        "ssh_known_hosts_file": os.environ["RACKWRIGHT_KNOWN_HOSTS"],
        "ssh_strict_host_key_checking": "yes",
    }
    (work / "hosts.py").write_text(f"nodes = {[(host['ansible_host'], data) for host in hosts.values()]!r}\n")
    return [args.pyinfra, "-y", str(work / "hosts.py"), str(HERE / "deploy.py")]


def _inventory(args: argparse.Namespace, work: Path) -> Path:
    words = ["inventory", args.site, "--nodes", args.nodes, "--work", str(work), "--out", str(work / "inventory")]
    subprocess.run([BIN / "rackwright", *words], check=True, capture_output=True, cwd=ROOT)
    return work / "inventory"


def _work(args: argparse.Namespace, work: Path) -> str:
    key = work / "secrets" / "munge.key"
    if not key.exists():
        _inventory(args, work)
    argv = [sys.executable, HERE / "work.py", args.site, args.nodes.split(",")[0], key]
    return subprocess.run(argv, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def main() -> None:
    """Run the tool, print its cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=["push", "worker", "plain", "pyinfra"])
    parser.add_argument("site")
    parser.add_argument("nodes", help="names with commas")
    parser.add_argument("work", type=Path)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--again", action="store_true", help="and once more, when nothing is left to do")
    parser.add_argument("--pyinfra", default="")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    log = args.work / f"{args.tool}.log"
    if args.tool in ("plain", "pyinfra"):
        argv = plain(args, args.work) if args.tool == "plain" else pyinfra(args, args.work)
        environment = {"RACKWRIGHT_WORK": str(args.work / "work.json"), "ANSIBLE_HOST_KEY_CHECKING": "1"}
        print(json.dumps({"first": timed(argv, log, args.seconds, **environment)}))
        return
    words = ["--mode", "worker"] if args.tool == "worker" else []
    found = {"first": timed(ours(args, args.work, *words), log, args.seconds)}
    if args.again:
        found["again"] = timed(ours(args, args.work, *words), args.work / "again.log", args.seconds)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
