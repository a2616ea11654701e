"""Nodes that do not exist and post the events of a recorded play, over TLS as a real one: they cost what waits for them its work, and play nothing."""

from __future__ import annotations

import importlib
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rackwright.onboard import node as node_programs

EVENTS = Path(__file__).resolve().parents[1] / "onboarding" / "events.json"
"""Of the first onboarding of ``RECORDED``, a node of the twin (2026-11-26)."""
RECORDED = "train-001"
ALIVE = 2
"""How often a node says that it is at work: a play of four minutes and more."""


def report_all(configs: list[dict[str, str]]) -> None:
    """Play all nodes, one thread for each; `configs` as the agent's (``node/pull_agent.py``)."""
    sys.path.insert(0, str(Path(node_programs.__file__).parent))
    program = importlib.import_module("pull_agent")
    events = EVENTS.read_text(encoding="utf-8")
    threading.stack_size(256 << 10)
    with ThreadPoolExecutor(len(configs)) as pool:
        list(pool.map(lambda config: report(program.SiteLink(config), config["node"], events), configs))


def report(site: Any, name: str, events: str) -> None:
    """Play one node, until its result is taken: it asks, fetches the archives and its secrets, is at work, and posts."""
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
