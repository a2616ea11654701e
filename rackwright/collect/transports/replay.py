"""Answers from the evidence store instead of from machines, so that judging can be repeated without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from rackwright.collect.output import Output
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.recording import OUTPUT, Store

FIELDS = tuple(field.name for field in fields(Output))


def outputs(store: Store, run: str) -> Iterator[tuple[Output, str]]:
    """Every output of `run` with the hash of its standard output. ValueError if raw bytes were changed."""
    for entry in store.index(run).entries:
        if entry["kind"] == OUTPUT:
            yield output(store, entry), entry["stdout"]


def output(store: Store, entry: Entry) -> Output:
    """The output of one entry. ValueError if its raw bytes were changed."""
    values = {name: entry[name] for name in FIELDS if name in entry}
    values |= {name: store.objects.get(entry[name]) for name in ("stdout", "stderr")}
    return Output(**{**values, "nodes": tuple(entry.get("nodes") or ())})
