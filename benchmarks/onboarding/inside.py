"""Runs one tool over the hosts of the twin that this process is inside of, and prints what it cost."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from rackwright.onboard import inventory_file

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent


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


def in_turn(runs: list[tuple[list[str], dict[str, str]]], log: Path, seconds: float) -> dict[str, float | int | bool]:
    """Several programs as one; what fails or takes too long ends it."""
    total: dict[str, float | int | bool] = {"seconds": 0.0, "cpu": 0.0, "code": 0, "stopped": False}
    for number, (argv, environment) in enumerate(runs):
        path = log.with_name(f"{log.stem}-{number}.log")
        figures = timed(argv, path, seconds - total["seconds"], ANSIBLE_HOST_KEY_CHECKING="1", **environment)
        total = {**figures, **{name: total[name] + figures[name] for name in ("seconds", "cpu")}}
        if total["code"]:
            break
    return total


def ours(args: argparse.Namespace, work: Path, *words: str) -> list[str]:
    """Our own command: everything, the one reboot of each node included."""
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


def plain(args: argparse.Namespace, work: Path) -> list[tuple[list[str], dict[str, str]]]:
    """ansible-playbook as it comes: linear, five forks, no pipelining."""
    inventory = _inventory(args, work)
    output = subprocess.run(
        [sys.executable, HERE / "plain.py"], input=_work(args, work), capture_output=True, text=True, check=True
    )
    (work / "plain.yml").write_text(output.stdout)
    return [([str(BIN / "ansible-playbook"), "-i", str(inventory), str(work / "plain.yml")], {})]


def pyinfra(args: argparse.Namespace, work: Path) -> list[tuple[list[str], dict[str, str]]]:
    """pyinfra as it comes, all hosts at once, before and after the reboot; its own operation for that never returns from hosts
    that go without a word, so the reboot is that of Ansible, for all hosts at once.
    """
    acts = json.loads(_work(args, work))
    cut = [act["kind"] for act in acts].index("reboot")
    addresses = _addresses(_inventory(args, work))
    data = {
        "ssh_user": "root",
        "ssh_key": os.environ["RACKWRIGHT_SSH_KEY"],
        "ssh_known_hosts_file": os.environ["RACKWRIGHT_KNOWN_HOSTS"],
        "ssh_strict_host_key_checking": "yes",
    }
    (work / "hosts.py").write_text(f"nodes = {[(address, data) for address in addresses.values()]!r}\n")
    for name, part in (("before", acts[:cut]), ("after", acts[cut + 1 :])):
        (work / f"{name}.json").write_text(json.dumps(part))
    deploy = [args.pyinfra, "-y", str(work / "hosts.py"), str(HERE / "deploy.py")]
    reboot = [str(BIN / "ansible"), "all", "-i", str(work / "inventory"), "-f", str(len(addresses)), "-m", "reboot"]
    parts = [{"RACKWRIGHT_WORK": str(work / f"{name}.json")} for name in ("before", "after")]
    return [(deploy, parts[0]), (reboot, {}), (deploy, parts[1])]


def _inventory(args: argparse.Namespace, work: Path) -> Path:
    words = ["inventory", args.site, "--nodes", args.nodes, "--work", str(work), "--out", str(work / "inventory")]
    subprocess.run([BIN / "rackwright", *words], check=True, capture_output=True, cwd=ROOT)
    return work / "inventory"


def _addresses(inventory: Path) -> dict[str, str]:
    """Address by host of a written inventory, in which every text is marked as data."""
    hosts = json.loads((inventory / inventory_file.FILE).read_text())["all"]["hosts"]
    return {name: host["ansible_host"][inventory_file.DATA] for name, host in hosts.items()}


def _work(args: argparse.Namespace, work: Path) -> str:
    key = work / "secrets" / "munge.key"
    if not key.exists():
        _inventory(args, work)
    node = args.nodes.split(",")[0]
    argv = [sys.executable, HERE / "work.py", args.site, node, key, _release(_inventory(args, work), node)]
    return subprocess.run(argv, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def _release(inventory: Path, node: str) -> str:
    """The kernel that runs on a node."""
    address = _addresses(inventory)[node]
    trust = ["-i", os.environ["RACKWRIGHT_SSH_KEY"], "-o", f"UserKnownHostsFile={os.environ['RACKWRIGHT_KNOWN_HOSTS']}"]
    argv = ["ssh", *trust, f"root@{address}", "uname", "-r"]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


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
        runs = plain(args, args.work) if args.tool == "plain" else pyinfra(args, args.work)
        print(json.dumps({"first": in_turn(runs, log, args.seconds)}))
        return
    words = ["--mode", "worker"] if args.tool == "worker" else []
    figures = {"first": timed(ours(args, args.work, *words), log, args.seconds)}
    if args.again:
        figures["again"] = timed(ours(args, args.work, *words), args.work / "again.log", args.seconds)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
