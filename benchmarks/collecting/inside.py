"""Runs every tool over the hosts of the twin that this process is inside of, and prints what each cost.

Connections are names of their own in one SSH configuration, so that every tool sees that many hosts.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from meter import measured

from rackwright import catalog, design, spec
from rackwright.collect import collector
from rackwright.collect.plan import plan_requests

HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
FEW = {"ansible": 40, "testinfra": 8}
"""Connections that slow tools get."""
TESTS = """\
import pytest

READS = {reads!r}

@pytest.mark.parametrize("command", READS)
def test_read(host, command):
    assert host.run(command).rc >= 0
"""


def reads(site: str, node: str) -> dict[str, tuple[str, ...]]:
    """Collector id -> command: everything that the probe runs on an accelerator node."""
    loaded = spec.load(Path(site))
    design_ = design.expand(loaded.site, catalog.load(loaded.site.catalog))
    asks = plan_requests(design_, [node], collector.library()).asks[node]
    return {ask.collector: ask.command for ask in asks if ask.command and not ask.subject}


def configuration(work: Path, names: list[str], addresses: list[str]) -> Path:
    """An SSH configuration in which every connection is a host of its own."""
    trust = f"  User root\n  IdentityFile {os.environ['RACKWRIGHT_SSH_KEY']}\n  UserKnownHostsFile {os.environ['RACKWRIGHT_KNOWN_HOSTS']}\n"
    trust += "  StrictHostKeyChecking yes\n  BatchMode yes\n  LogLevel ERROR\n"
    blocks = [
        f"Host {name}\n  HostName {address}\n  HostKeyAlias {address}\n{trust}"
        for name, address in zip(names, addresses, strict=True)
    ]
    path = work / "ssh_config"
    path.write_text("\n".join(blocks))
    return path


def tools(
    args: argparse.Namespace, work: Path, commands: dict[str, tuple[str, ...]], names: list[str], ssh: Path
) -> dict[str, list[str]]:
    """The command line of every other tool: the same reads, with the status of each, as one line where a tool allows it."""
    parts = [f"echo '== {name}'; {shlex.join(argv)}; echo \"rc=$?\"" for name, argv in commands.items()]
    script = (
        "export LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; { "
        + "; ".join(parts)
        + "; } 2>&1"
    )
    (work / "hosts").write_text("\n".join(names[: FEW["ansible"]]) + "\n")
    (work / "test_reads.py").write_text(TESTS.format(reads=[shlex.join(argv) for argv in commands.values()]))
    targets = ",".join(f"ssh://{name}" for name in names[: FEW["testinfra"]])
    fan = str(args.at_once)
    return {
        "clush": [args.clush, "-q", "-f", fan, "-w", ",".join(names), "-O", f"ssh_options=-F {ssh}", "-o", f"-F {ssh}", script],
        "ansible": [str(BIN / "ansible"), "all", "-i", str(work / "hosts"), "-f", fan, "--ssh-common-args", f"-F {ssh}", "-m", "raw", "-a", script],
        "testinfra": [str(BIN / "pytest"), "-q", "-p", "no:cacheprovider", str(work / "test_reads.py"), "--hosts", targets, "--ssh-config", str(ssh)],
    }  # fmt: skip


def ours(args: argparse.Namespace, work: Path, addresses: list[str], count: int, *, nvml: bool) -> list[str]:
    """Our own fleet transport and store, in a process of its own."""
    folder = work / f"evidence-{count}-{nvml}"
    argv = [sys.executable, str(HERE / "ours.py"), args.site, args.nodes.split(",")[0], str(folder), str(args.at_once)]
    return [*argv, "yes" if nvml else "no", ",".join(addresses[:count])]


def main() -> None:
    """Run every tool, print what it cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("site")
    parser.add_argument("nodes", help="names with commas")
    parser.add_argument("connections", type=int)
    parser.add_argument("work", type=Path)
    parser.add_argument("--clush", default="clush")
    parser.add_argument("--at-once", type=int, default=64)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    nodes = args.nodes.split(",")
    loaded = spec.load(Path(args.site))
    design_ = design.expand(loaded.site, catalog.load(loaded.site.catalog))
    where = [design_.node(name).inband_address for name in nodes]
    addresses = [where[number % len(where)] for number in range(args.connections)]
    names = [f"n{number:05d}" for number in range(args.connections)]
    commands = reads(args.site, nodes[0])
    ssh = configuration(args.work, names, addresses)
    result: dict[str, Any] = {"reads": len(commands)}
    count = args.connections
    result["one"] = measured(ours(args, args.work, addresses, 1, nvml=False), args.work, 1)
    result["ours"] = measured(ours(args, args.work, addresses, count, nvml=False), args.work, count)
    for name, argv in tools(args, args.work, commands, names, ssh).items():
        result[name] = measured(argv, args.work, min(count, FEW.get(name, count)))
    result["whole"] = measured(ours(args, args.work, addresses, count, nvml=True), args.work, count)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
