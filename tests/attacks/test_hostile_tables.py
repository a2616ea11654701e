"""Tables of parsed records in evidence of somebody else: a small file that unpacks to gigabytes is refused before it is read."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest

from rackwright import collect
from rackwright.base import foreign
from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.collect import Store, collector
from rackwright.collect.store import hash_chain, record_cache, record_table
from rackwright.collect.store.parquet_size import parquet_size
from rackwright.model.layout import columns
from rackwright.model.record_columns import Sheet
from tests.unit.cli import evidence_store
from tests.unit.collect.store.test_record_cache import sealed

TABLE = "clock"
TITLES = ("node", "raw", "error", *map(record_table._title, record_table.columns(collector.library()[TABLE].produces)))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    evidence_store.write_run(tmp_path / "evidence", {"train-001": {}, "train-002": {}})
    return Store(tmp_path / "evidence")


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is unpacked."""
    monkeypatch.setattr(pl, "read_parquet", lambda *_, **__: pytest.fail("the table was read"))


def table(store: Store) -> bytes:
    return store.objects.get(record_cache.tables(store, store.runs()[0], collector.library())[TABLE])


def with_table(store: Store, content: bytes) -> None:
    """The run with another table in it, its chain sealed again, as whoever hands over a store of evidence can do it."""
    [run] = store.runs()
    entries = list(store.index(run).entries)
    [place] = [place for place, entry in enumerate(entries) if entry["kind"] == record_cache.TABLES]
    tables = {**entries[place]["tables"], TABLE: store.objects.put(content)}
    entries[place] = {**entries[place], "tables": tables}
    store.path(run).write_bytes(b"".join(hash_chain.line(entry) for entry in sealed(entries)))


def of_rows(text: str, rows: int, groups: int = 1) -> bytes:
    """A table that says `text` in all columns of so many rows, in each of so many groups of them; all of them share its memory."""
    column = pl.select(pl.repeat(text, rows, dtype=pl.String)).to_series()
    frame = pl.DataFrame([column.alias(title) for title in TITLES])
    file = BytesIO()
    pl.concat([frame] * groups, rechunk=False).write_parquet(
        file, compression="zstd", statistics=False, row_group_size=rows
    )
    return file.getvalue()


SMALL = foreign.ForeignLimit(
    "a thousandth of the limit, so that a test can write what is over it", bytes=4 << 20, values=100_000
)
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "rows": (lambda: of_rows("x", 1 << 20), "more than 100,000 values"),
    "bytes": (lambda: of_rows("x" * (1 << 20), 1, groups=5), "more than 4 MiB after decompression"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_table_that_unpacks_to_a_thousandfold_is_refused_unread(
    store: Store, bomb: str, unread: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_table, "OPEN", SMALL)
    make, sentence = BOMBS[bomb]
    content = make()
    assert len(content) < 1 << 17
    with_table(store, content)
    with pytest.raises(ProblemsError, match=f"the records of {TABLE} cannot be read: {sentence}"):
        collect.load_merged(store)


def test_tables_that_are_open_together_are_counted_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    most = max(parquet_size(content).cells for content in tables(store))
    monkeypatch.setattr(record_table, "OPEN", foreign.ForeignLimit("test", bytes=1 << 30, values=most))
    with pytest.raises(ProblemsError, match=f"more than {most:,} values"):
        collect.load_merged(store)


def tables(store: Store) -> list[bytes]:
    names = record_cache.tables(store, store.runs()[0], collector.library())
    assert len(names) > 1
    return [store.objects.get(content) for content in names.values()]


def test_a_text_that_all_rows_share_costs_what_it_is_written_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary holds a text once; a row of it may be no longer than what a node can have said."""
    monkeypatch.setattr(record_table, "LONGEST", 1 << 20)
    with_table(store, of_rows("x" * (1 << 17), 64))
    with pytest.raises(ProblemsError, match="a row of more than 1 MiB"):
        collect.load_merged(store)


def test_other_columns_than_texts_are_refused_unread(store: Store, unread: None) -> None:
    frame = pl.DataFrame({title: [1 if title == "raw" else "x"] for title in TITLES})
    with_table(store, record_table.parquet([frame]))
    with pytest.raises(ProblemsError, match="no column of texts: raw"):
        collect.load_merged(store)


def test_a_list_in_a_cell_is_refused_unread(store: Store, unread: None) -> None:
    """It would be as long as it likes, in one row."""
    frame = pl.DataFrame({title: [["x"] * 9] if title == "raw" else ["x"] for title in TITLES})
    with_table(store, record_table.parquet([frame]))
    with pytest.raises(ProblemsError, match="9 values in 1 rows"):
        collect.load_merged(store)


def test_a_damaged_table_is_a_sentence(store: Store) -> None:
    """Also where the reader of Polars gives up with a panic, which is no `Exception`."""
    content, chance = table(store), random.Random(1)
    refused = 0
    for _ in range(200):
        damaged = bytearray(content)
        damaged[chance.randrange(len(content))] = chance.randrange(256)
        sentence = refusal_of(bytes(damaged))
        assert not sentence or sentence.startswith(f"the records of {TABLE} cannot be read: ")
        refused += bool(sentence)
    assert refused > 100


def refusal_of(content: bytes) -> str:
    try:
        record_table.RecordTable(TABLE, collector.library()[TABLE], content, "")
    except ValueError as error:
        return str(error)
    return ""


CELLS = {
    "no JSON": ("{nope", "key must be a string"),
    "too deep": ("[" * 100_000, "recursion limit exceeded"),
    "too few": ("[]", "1 parts, of which"),
    "too many": ("[1,2,3]", "holds 1, expected text"),
    "none": (None, "a row without record."),
}


@pytest.mark.parametrize("cells", CELLS)
def test_cells_that_are_no_records_are_refused(store: Store, cells: str) -> None:
    """They are parsed only where a check reads them: what it meets then is a finding, and no bug of rackwright."""
    text, sentence = CELLS[cells]
    frame = pl.read_parquet(BytesIO(table(store)))
    cell = pl.lit(text, dtype=pl.String)
    with_table(store, record_table.parquet([frame.with_columns(cell.alias(title) for title in TITLES[3:])]))
    with pytest.raises(ProblemsError) as refused:
        dict(collect.load_merged(store)["train-001"].records)
    assert f"the records of {TABLE} cannot be read: " in str(refused.value)
    assert sentence in str(refused.value)


def test_what_a_forked_process_refuses_its_parent_reads(store: Store) -> None:
    """Large fleets are judged by processes that send what they find."""
    with_table(store, b"no table")
    with pytest.raises(ProblemsError) as refused:
        collect.load_merged(store)
    assert pickle.loads(pickle.dumps(refused.value)).problems == refused.value.problems


def test_a_cell_that_claims_a_thousand_million_parts_makes_none() -> None:
    """What it costs is bounded by what it holds."""
    kind = collector.library()["drives"].produces
    cells = {column: ["[]"] for column in columns(kind)} | {((), "drives"): ["[1000000000]"]}
    with pytest.raises(ValueError, match="1000000000 parts, of which"):
        Sheet(kind, 1, cells).field(0, "drives")


def test_an_index_that_is_larger_than_any_is_refused_unread(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    [run] = store.runs()
    os.truncate(store.path(run), foreign.limit("run_index").bytes + 1)  # sparse: nothing is written
    monkeypatch.setattr(hash_chain, "read", lambda _: pytest.fail("it was read"))
    for read in (store.first, store.content, store.ending, store.purpose, lambda _: collect.load_merged(store)):
        with pytest.raises(OutsideError, match="larger than 4096 MiB, which no run"):
            read(run)


def test_a_footer_that_lies_about_the_rows_is_believed_by_nobody(store: Store) -> None:
    """Polars goes by the rows of each group, whatever the file as a whole claims: so does the bound."""
    content = of_rows("x", 1 << 20)
    length = int.from_bytes(content[-8:-4], "little")
    footer, rows, fewer = content[-8 - length : -8], bytes([0x80, 0x80, 0x80, 0x01]), bytes([0x82, 0x80, 0x80, 0x00])
    claims = footer.replace(rows, fewer, 1)
    assert claims != footer
    lying = content[: -8 - length] + claims + content[-8:]
    assert pl.scan_parquet(BytesIO(lying)).select(pl.len()).collect().item() == 1
    assert parquet_size(lying) == parquet_size(content)
    assert parquet_size(content).cells == len(TITLES) << 20
