"""Releases one run of pull mode over the hosts of the twin that this process is inside of and over reporters, and prints what it cost as JSON."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from reporters import report_all

from rackwright import catalog, design, onboard, spec
from rackwright.base.workspace import Workspace
from rackwright.cli import access
from rackwright.model.design import Design
from rackwright.onboard.pull import enrolment
from rackwright.onboard.pull.listening import PullListening
from rackwright.onboard.pull.pull_keys import PullKeys

PORT = 18_444
RACKWRIGHT = str(Path(sys.executable).parent / "rackwright")
AS_DECLARED = ("changed", "unchanged")


def main() -> None:
    """SITE WORK REAL SIMULATED: the last two are names with commas."""
    site, work, *names = sys.argv[1:]
    real, simulated = (text.split(",") for text in names)
    expanded = design.expand(spec.load(Path(site)).site, catalog.load())
    workspace = Workspace(Path(work))
    workspace.claim("twin")
    where = PullListening(str(urlsplit(expanded.site.software.apt_mirror).hostname), PORT)
    keys = PullKeys.of_site(workspace)
    enrol_real(expanded, workspace, real, keys, where)
    config = {"url": where.url, "certificate": keys.server_certificate}
    configs = [{**config, "node": name, "private": new_key(name, keys)} for name in simulated]
    reporting = multiprocessing.Process(target=report_all, args=(configs,))
    reporting.start()
    try:
        figures = released(site, work, [*real, *simulated], where)
    finally:
        reporting.terminate()
        reporting.join()
    print(json.dumps(summary(figures, real, simulated) | {"real_verified": verified(site, work, real)}))


def enrol_real(expanded: Design, workspace: Workspace, real: list[str], keys: PullKeys, where: PullListening) -> None:
    """Enrol the hosts of the twin over SSH, as ``--enrol`` does."""
    secrets = onboard.secret_files(expanded, workspace)
    inventory = onboard.inventory(expanded, real, access.to_hosts(expanded.site), secrets)
    hosts = {name: {**inventory.variables, **variables} for name, variables in inventory.hosts.items()}
    if reasons := enrolment.enrol(hosts, keys, where):
        raise SystemExit(f"not enrolled: {reasons}")


def new_key(node: str, keys: PullKeys) -> bytes:
    """The private key of a simulated node, which the site knows from now on."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    keys.nodes.accept(node, public.decode("ascii"))
    return key.private_bytes_raw()


def released(site: str, work: str, nodes: list[str], where: PullListening) -> dict[str, Any]:
    """Run ``rackwright onboard --mode pull`` on `nodes`; its recap, and what it and its programs used."""
    listen = where.url.removeprefix("https://")
    words = ["--mode", "pull", "--listen", listen, "--reboot", "--nodes", ",".join(nodes)]
    began = time.monotonic()
    with Path(work, "onboard.json").open("w+b") as out, Path(work, "onboard.log").open("wb") as log:
        argv = [RACKWRIGHT, "onboard", site, "--work", work, "--format", "json", *words]
        child = subprocess.Popen(argv, stdout=out, stderr=log)
        _, _, usage = os.wait4(child.pid, 0)
        out.seek(0)
        recap = json.loads(out.read() or b"{}")
    if not recap:
        raise SystemExit(Path(work, "onboard.log").read_text(encoding="utf-8")[-2000:])
    seconds = usage.ru_utime + usage.ru_stime
    return {"recap": recap, "wall": time.monotonic() - began, "seconds": seconds, "mib": usage.ru_maxrss >> 10}


def summary(figures: dict[str, Any], real: list[str], simulated: list[str]) -> dict[str, Any]:
    """What is printed."""
    hosts = figures["recap"]["hosts"]
    good = {name for name, host in hosts.items() if host["status"] in AS_DECLARED}
    return {
        "nodes": len(hosts),
        "real": len(real),
        "real_good": len(good.intersection(real)),
        "real_rebooted": sum(hosts[name]["rebooted"] for name in real),
        "simulated_good": len(good.intersection(simulated)),
        "waves": len(figures["recap"]["waves"]),
        "wall_seconds": round(figures["wall"], 1),
        "processor_seconds": round(figures["seconds"], 1),
        "seconds_per_node": round(figures["seconds"] / len(hosts), 4),
        "peak_mib": figures["mib"],
        "failures": sorted({host["first_failure"] for host in hosts.values() if host["first_failure"]})[:5],
    }


def verified(site: str, work: str, real: list[str]) -> int:
    """How many hosts of the twin are as declared when they are looked at over SSH afterwards."""
    argv = [RACKWRIGHT, "onboard", site, "--work", work, "--format", "json", "--verify", "--nodes", ",".join(real)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return sum(host["status"] in AS_DECLARED for host in json.loads(done.stdout)["hosts"].values())


if __name__ == "__main__":
    main()
