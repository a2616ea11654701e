"""The first entry of a run, as far as parsing depends on it: its chain proves that it is unchanged, not that rackwright
wrote it.
"""

from __future__ import annotations

from pydantic import ConfigDict, Field, ValidationError

from rackwright.base.errors import ProblemsError
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.recording import Store
from rackwright.collect.store.tampering import problem
from rackwright.model.base import Record
from rackwright.model.times import IsoTime


class RunHeader(Record):
    """Fields of the first entry."""

    model_config = ConfigDict(extra="ignore")

    taken: IsoTime
    """Start of the run."""
    purpose: str = "state"
    """``state`` of machines, ``load`` on single nodes, ``group``: tests over several nodes."""
    owed: dict[str, list[str]] = Field(default_factory=dict)
    """Node -> ids of the collectors that owe it a record."""
    adapters: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Node -> its InfiniBand adapters, each with the fabric that the design plugs it into."""
    designs: dict[str, str] = Field(default_factory=dict)
    """Node -> hash of its part of the design (`plan.node_digest`); empty for older runs."""


def read_header(store: Store, run: str, entry: Entry) -> RunHeader:
    """The header in `entry`, the first entry of `run`. ProblemsError if it is malformed."""
    try:
        return RunHeader.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ProblemsError([problem(store, run, 1, f"{field} of the first entry: {first['msg']}")]) from None
