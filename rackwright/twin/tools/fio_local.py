"""What fio prints of the local file system of a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.storage import LocalFilesystems
from rackwright.twin.hardware.performance import files, fio_text, model
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

ANSWERED = True


def observe(state: State, design: Design, node: str) -> LocalFilesystems:
    """Reading, writing, random reading."""
    about = model.expectation(design, node)
    if about.node.server.local_storage is None:
        raise Silent(f"{node} has no data drives of its own")
    return files.local(state, about, state.machines[node])


def render(record: LocalFilesystems) -> bytes:
    """The report that the collector parses to `record`."""
    return fio_text.text(record.tool, record.jobs).encode()
