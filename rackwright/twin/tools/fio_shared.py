"""What a node says of the speed of its shared file system."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.storage import SharedStorage
from rackwright.twin.hardware.performance import files, model
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
