"""What a node gets of the test who sees whose files."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.storage import Visibility
from rackwright.twin.hardware.performance import files, rails
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent


def observe(state: State, design: Design, node: str) -> Visibility:
    """Its own files and those of its partners."""
    if not rails.partners(state, node):
        raise Silent(f"{node} has no partner to share files with")
    return files.visibility(state, design, node)


def render(record: Visibility) -> bytes:
    """The lines that the collector parses to `record`."""
    lines = [
        f"# sight path={record.path} writer={sight.writer} reader={sight.reader} "
        f"seconds={'none' if sight.seconds is None else repr(sight.seconds)} matches={int(sight.matches)}"
        for sight in record.sights
    ]
    return "".join(f"{line}\n" for line in lines).encode()
