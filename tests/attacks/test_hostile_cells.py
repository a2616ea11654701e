"""Cells of tables of records that hold valid JSON of another type than their field: nothing is made of them but a refusal."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rackwright.cli.main import main
from rackwright.collect import Store, collector
from rackwright.collect.store import record_table
from rackwright.collect.store.record_table import StoredSheet, is_cached
from rackwright.gate import NodeParts
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.node_state import state_of
from rackwright.model.record_columns import sheet
from rackwright.model.records import OnSheet, Records
from tests.attacks.test_hostile_tables import table, with_table
from tests.build import EXAMPLE
from tests.examples import examples
from tests.properties.test_collectors import RECORDS
from tests.rotation import of_this_run
from tests.unit.cli import evidence_store

NODE = "train-001"
VALUES: tuple[Any, ...] = ("x", 1, 1.5, True, None, [1], [[1]], ["x"], {"a": 1}, {"a": {"b": None}})
KINDS = [identity for identity in RECORDS if is_cached(collector.library()[identity])]


class RefusedError(Exception):
    """What was refused."""


@pytest.mark.parametrize("identity", of_this_run(sorted(KINDS), 20))
def test_of_any_json_in_any_cell_a_record_is_made_as_its_kind_declares_it_or_none(identity: str) -> None:
    kind = collector.library()[identity].produces

    @settings(examples(2), phases=[Phase.generate])  # a smaller record shows nothing more
    @given(st.data())
    def forge(data: st.DataObject) -> None:
        cells = sheet(kind, [data.draw(RECORDS[identity])]).cells
        for column, (cell,) in cells.items():
            for text in forgeries(cell):
                try:
                    forged = OnSheet(StoredSheet(kind, [NODE], {**cells, column: [text]}, RefusedError), 0)
                    evidence = NodeEvidence(node=NODE, records=Records({kind: forged}), raw={}, errors={})
                    NodeParts.pack(evidence)
                    state_of(evidence.records)
                    record = evidence.get(kind)
                except RefusedError as refused:
                    assert f"the cells of {NODE} are not those of a {kind.__name__}" in str(refused)  # noqa: PT017 - most are refused
                else:
                    assert not type_errors(kind, record)

    forge()


def forgeries(cell: str) -> set[str]:
    """JSON of every type, as the value of each part and in place of their list."""
    parts = len(json.loads(cell)) if cell.startswith("[") else 1
    return {json.dumps(value) for single in VALUES for value in (single, [single], [single] * parts)}


def type_errors(kind: type[Record], record: Record) -> list[Any]:
    """What its model finds in the types of a record. A list that lacks a value is no other type, and a check meets it."""
    try:
        kind.model_validate(record.model_dump(), strict=False)
    except ValidationError as error:
        return [wrong for wrong in error.errors() if wrong["type"] != "value_error"]
    return []


CELL, REFUSAL = "[[1]]", "Clock.offset_seconds holds [1], expected a number"


def test_judge_names_node_collector_and_what_was_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence_store.write_run(tmp_path / "evidence", {NODE: {}, "train-002": {}})
    store, title = Store(tmp_path / "evidence"), "record.offset_seconds"
    cells = pl.when(pl.col("node") == NODE).then(pl.lit(CELL)).otherwise(pl.col(title)).alias(title)
    with_table(store, record_table.parquet([pl.read_parquet(BytesIO(table(store))).with_columns(cells)]))
    assert main(["judge", str(EXAMPLE), "--work", str(tmp_path), "--nodes", NODE]) == 1
    printed = " ".join(capsys.readouterr().err.split())
    assert f"the records of clock cannot be read: the cells of {NODE} are not those of a Clock: {REFUSAL}" in printed
