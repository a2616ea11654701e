"""Answers out of the evidence store instead of from machines, so that judging is repeatable without them.

In: a store and a run. Out: the outputs of that run, in the order in which they came, as if they had just arrived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rackwright.collect.output import Output
from rackwright.collect.store import OUTPUT, Store

FIELDS = tuple(one.name for one in fields(Output))


def outputs(store: Store, run: str) -> Iterator[tuple[Output, str]]:
    """Every output of `run` with the hash of its standard output. ValueError when raw bytes are not what was written."""
    for entry in store.index(run).entries:
        if entry["kind"] == OUTPUT:
            said = {name: entry[name] for name in FIELDS}
            said |= {name: store.objects.get(entry[name]) for name in ("stdout", "stderr")}
            yield Output(**said), entry["stdout"]
