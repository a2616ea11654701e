"""A page: what the parsers made of the answers of some nodes, as text that is kept beside the raw bytes.

The first line holds the nodes. Then, for every collector, a line
with the rows that it has and the sentences of those that could not be read, one with the hashes of the raw outputs, and one per
column of its records: its name and its cells (see `model.sheet`), between tabs. What is the same in all rows stands once.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect.collector import Collector, Collectors
from rackwright.collect.store.assemble import OWN
from rackwright.collect.store.reading import Reading, Seen
from rackwright.model.layout import columns, layout
from rackwright.model.record_columns import Cells, Sheet, once, sheet
from rackwright.model.records import OnSheet

LINE, CELL = b"\n", b"\t"
"""Neither of them occurs in JSON as it is written here."""


@dataclass(frozen=True)
class _Rows:
    """What one collector made of a page's nodes."""

    collector: str
    nodes: Sequence[str]
    """Those with a record, one per row."""
    raws: Sequence[str]
    sheet: Sheet | None
    errors: Mapping[str, tuple[str, str]]
    """By node without a record: hash of the raw output, and why."""


def kept(collector: Collector) -> bool:
    """Whether the records of a collector can be kept on pages: they are about one node, and JSON gives them back as they were."""
    return collector.scope in OWN and layout(collector.produces).exact


def write(nodes: Sequence[str], seen: Sequence[Seen], collectors: Collectors) -> bytes:
    """The page of `nodes`, with the readings of `seen`; of collectors that cannot be kept nothing is written.

    ValueError when a record cannot be written.
    """
    by_collector: dict[str, dict[str, Reading]] = defaultdict(dict)
    for one in seen:
        if kept(collectors[one.collector]):
            by_collector[one.collector][one.machine] = one.reading
    lines = [_json({"nodes": list(nodes)})]
    for name, own in sorted(by_collector.items()):
        lines += _lines(name, {node: own[node] for node in nodes if node in own}, collectors[name])
    return LINE.join(lines)


def _lines(name: str, readings: Mapping[str, Reading], collector: Collector) -> Iterator[bytes]:
    read = {node: one for node, one in readings.items() if isinstance(one.value, collector.produces)}
    errors = {node: [one.raw, one.error] for node, one in readings.items() if node not in read}
    if unnamed := [node for node, (_, error) in errors.items() if not error]:
        raise ValueError(f"{name} gave no {collector.produces.__name__} for {', '.join(unnamed)}")
    yield _json({"collector": name, "nodes": list(read), "errors": errors})
    if read:
        yield CELL.join([b"raw", *once([one.raw.encode() for one in read.values()])])
        for (path, field), cells in sheet(collector.produces, [one.value for one in read.values()]).cells.items():
            yield CELL.join([".".join((*path, field)).encode(), *cells])


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


class Page:
    """A page that was written with the same collectors."""

    def __init__(self, content: bytes, collectors: Collectors, taken: str) -> None:
        """`taken` is the time of its run. ValueError for bytes that are no page."""
        self._taken = taken
        self._rows = list(_read(iter(content.split(LINE)[1:]), collectors))

    def seen(self, wanted: Container[str]) -> Iterator[Seen]:
        """The readings of those of its nodes that are `wanted`; records stay on their sheets."""
        for own in self._rows:
            name, on, taken, raws = own.collector, own.sheet, self._taken, own.raws
            if on is not None:
                for place, node in enumerate(own.nodes):
                    if node in wanted:
                        raw = raws[place if len(raws) > 1 else 0]
                        yield Seen(node, name, "", Reading(OnSheet(on, place), raw, "", taken))
            for node, (raw, error) in own.errors.items():
                if node in wanted:
                    yield Seen(node, name, "", Reading(None, raw, error, taken))


def _read(lines: Iterator[bytes], collectors: Collectors) -> Iterator[_Rows]:
    for line in lines:
        head = json.loads(line)
        kind, nodes = collectors[head["collector"]].produces, head["nodes"]
        raws, on = [], None
        if nodes:
            raws = [cell.decode() for cell in next(lines, b"").split(CELL)[1:]]
            cells: Cells = {column: next(lines, b"").split(CELL)[1:] for column in columns(kind)}
            if any(len(own) not in (1, len(nodes)) for own in (raws, *cells.values())):
                raise ValueError(f"a column of {head['collector']} has another number of rows")
            on = Sheet(kind, len(nodes), cells)
        yield _Rows(
            head["collector"], nodes, raws, on, {node: (raw, why) for node, (raw, why) in head["errors"].items()}
        )
