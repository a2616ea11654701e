"""What a node prints of the speed of its shared file system."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.storage import SharedStorage
from rackwright.twin.hardware.performance import files, fio_text, model
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

ANSWERED = True
USUAL = "lustre"


def observe(state: State, design: Design, node: str) -> SharedStorage:
    """Reading, writing, metadata."""
    if state.machines[node].performance.shared_lost:
        raise Silent("no shared file system is mounted (lustre, nfs, nfs4, beegfs, ceph, wekafs, gpfs)")
    kinds = [tier.client.kind for tier in design.site.storage if tier.client is not None]
    return files.shared(state, model.expectation(design, node), state.machines[node], kinds[0] if kinds else USUAL)


def render(record: SharedStorage) -> bytes:
    """The document that the collector parses to `record`."""
    rates = {name: getattr(record, name) for name in ("creates_per_s", "stats_per_s", "removes_per_s")}
    mount = {"path": record.path, "filesystem": record.filesystem, "metadata": rates}
    report = json.loads(fio_text.text(record.tool, record.jobs))
    for job in report["jobs"]:  # our driver names the mount in each job, whose files stand in a folder of their own
        job["job options"].setdefault("directory", report["global options"]["directory"])
    return json.dumps({"schema": 1, **mount, "fio": report}).encode()
