"""Onboards nodes that do not exist in pull mode, and prints what it cost the one who releases them: ``python benchmarks/pull.py SITE NODES``.

The site, its inventory, waves, orders, TLS and ledger are real. Each node is played by a process of its own, which asks, fetches the bundle, its project and
its secrets, says twice that it is at work, and posts the events of a first onboarding (``onboarding/events.json``, of a node of the twin, 2026-11-26).
What the nodes cost is not counted; the refusals that Ansible looks for first are.

Measured with 2,000 nodes in waves of 64 (2026-11-26, two processors that other processes wanted as well): 0.036 s of processors
per node, 71 s in all, 244 s by the clock with the work of the nodes, 928 MiB at the most.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import resource
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rackwright import catalog, design, onboard, spec
from rackwright.base.workspace import Workspace
from rackwright.ledger import Ledger, RoleEventStream
from rackwright.model.access import Access, Secret
from rackwright.onboard import node as node_programs
from rackwright.onboard.drain import Nobody
from rackwright.onboard.pull.listening import PullListening
from rackwright.onboard.pull.pull_keys import PullKeys

HERE = Path(__file__).resolve().parent
LISTENING = PullListening("127.0.0.1", 18_444)
ALIVE = 2
"""How often a node says that it is at work: a play of four minutes and more."""
RECORDED = "train-001"


def main() -> None:
    """Print the figures as JSON."""
    site, count = Path(sys.argv[1]), int(sys.argv[2])
    expanded = design.expand(spec.load(site).site, catalog.load())
    nodes = [node.name for node in expanded.nodes("accelerator")][:count]
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        keys = PullKeys.of_site(workspace)
        config = {"url": LISTENING.url, "certificate": keys.server_certificate}
        configs = [{**config, "node": name, "token": keys.token(name)} for name in nodes]
        asking = multiprocessing.Process(target=play_nodes, args=(configs,))
        asking.start()
        try:
            print(json.dumps(released(expanded, nodes, workspace)))
        finally:
            asking.terminate()
            asking.join()


def released(expanded: Any, nodes: list[str], workspace: Workspace) -> dict[str, Any]:
    """Release all nodes and record what they post; the figures."""
    began, before = time.monotonic(), spent()
    access = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("secret"), None)
    hosts = onboard.inventory(expanded, nodes, access, onboard.secret_files(expanded, workspace))
    ledger = Ledger(workspace.ledger_url)
    run = ledger.begin("pull", "onboard", {})
    options = onboard.OnboardOptions(mode="pull", listening=LISTENING)
    places = onboard.places(expanded, nodes)
    with RoleEventStream(ledger, run) as stream:

        def note(kind: str, data: dict[str, Any]) -> None:
            if kind == "onboard.role":
                stream.add(
                    *(data[name] for name in ("host", "role", "task", "status", "seconds", "changed", "message"))
                )

        recap = onboard.bring_hosts(hosts, workspace, places, options, Nobody(), note)
    seconds = spent() - before
    return {
        "nodes": len(nodes),
        "good": sum(host.good for host in recap.hosts.values()),
        "waves": len(recap.waves),
        "wall_seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(seconds, 1),
        "seconds_per_node": round(seconds / len(nodes), 4),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }


def spent() -> float:
    """Processor seconds of this process and of the programs that it ran to their end; its nodes run on."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def play_nodes(configs: list[dict[str, str]]) -> None:
    """All nodes, one thread for each."""
    sys.path.insert(0, str(Path(node_programs.__file__).parent))
    program = importlib.import_module("pull_agent")
    events = (HERE / "onboarding" / "events.json").read_text(encoding="utf-8")
    threading.stack_size(256 << 10)
    with ThreadPoolExecutor(len(configs)) as pool:
        list(pool.map(lambda config: play_node(program.SiteLink(config), config["node"], events), configs))


def play_node(site: Any, name: str, events: str) -> None:
    """One node, until its result is taken."""
    while True:
        try:
            status, answer = site.post("ask", {})
        except OSError:  # nobody listens yet
            time.sleep(5)
            continue
        if status == 200:
            break
    order = json.loads(json.loads(answer)["order"])
    for digest in order["files"].values():
        site.file(digest)
    site.post("secrets", {"order": order["id"]})
    for _ in range(ALIVE):
        site.post("ask", {})
    parts = [json.loads(events.replace(RECORDED, name))]
    site.post("result", {"node": name, "order": order["id"], "files": order["files"], "parts": parts})


if __name__ == "__main__":
    main()
