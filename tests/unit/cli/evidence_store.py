"""A real evidence store with answers of some nodes, rendered from the healthy records of the builders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rackwright.collect import Store
from rackwright.collect.collector import library
from rackwright.collect.output import Output
from rackwright.collect.store import record_cache
from rackwright.twin import tools
from tests import build

KINDS = {"nvml": build.Accelerators, "clock": build.Clock, "host": build.Host}


def write_run(
    folder: Path,
    nodes: Mapping[str, Mapping[str, Any]],
    taken_at: str = build.TAKEN,
    collectors: tuple[str, ...] = tuple(KINDS),
    purpose: str = "state",
) -> str:
    """Writes one run, in which every node answers the `collectors`; its mapping changes records by collector id."""
    header = {
        "site": "h100-pod",
        "purpose": purpose,
        "owed": {node: list(collectors) for node in nodes},
        "adapters": {},
    }
    evidence = Store(folder)
    with evidence.begin(header, datetime.fromisoformat(taken_at)) as run:
        for node, changes in nodes.items():
            for collector in collectors:
                record = build.healthy_record(KINDS[collector], changes.get(collector))
                rendered = tools.tool(collector).render(record)
                run.add(Output(node=node, collector=collector, subject="", stdout=rendered, rc=0))
        record_cache.keep(evidence, run, library())
    return run.run
