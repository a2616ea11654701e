"""What a judgement rests on, as hashes: each names its own input and nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import polars as pl
import pytest

from rackwright import __version__, judge
from rackwright.base import content
from rackwright.judge.basis import SHARING, catalogues_sha256, design_sha256, folder_sha256, limits_sha256
from rackwright.judge.limits import LimitTable, Metric
from rackwright.model.tenancy import Tenant
from tests import build

ROWS = tuple(build.row(build.limit(metric, value=1), f"{metric}.yaml:1") for metric in ("a", "b"))
METRICS = tuple(
    build.row(Metric(metric=metric, unit="share", judged="at_least", says="it"), f"{metric}.yaml:2") for metric in "ab"
)
TABLE = LimitTable(METRICS, ROWS)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_every_part_of_a_basis() -> None:
    design = build.site_design()
    assert judge.basis(design, "s" * 64, TABLE, {"run": "e" * 64}) == {
        "rackwright": __version__,
        "checks_sha256": folder_sha256("checks"),
        "collectors_sha256": folder_sha256("collectors"),
        "catalogues_sha256": catalogues_sha256(),
        "limits_sha256": limits_sha256(TABLE),
        "site_sha256": "s" * 64,
        "design_sha256": design_sha256(design),
        "evidence": {"run": "e" * 64},
    }


@pytest.mark.parametrize(
    "table",
    [LimitTable(METRICS[::-1], ROWS[::-1]), LimitTable(METRICS, tuple(replace(row, place="c") for row in ROWS))],
)
def test_limits_are_the_same_in_any_order_and_file(table) -> None:
    assert limits_sha256(table) == limits_sha256(TABLE)


@pytest.mark.parametrize(
    "table",
    [
        LimitTable(METRICS, ROWS[:1]),
        LimitTable(METRICS[:1], ROWS),
        LimitTable(METRICS, (ROWS[0], build.row(build.limit("b", value=2)))),
    ],
)
def test_other_limits_have_another_hash(table) -> None:
    assert limits_sha256(table) != limits_sha256(TABLE)


def test_the_hash_of_limits_is_that_of_their_json() -> None:
    texts = {
        name: [json.dumps(row.record.model_dump(), sort_keys=True) for row in rows]
        for name, rows in (("metrics", METRICS), ("limits", ROWS))
    }
    assert limits_sha256(TABLE) == sha256(json.dumps(texts, sort_keys=True))


def test_the_hash_of_a_folder_is_that_of_names_and_contents(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "validators" / "checks"
    (folder / "gpu").mkdir(parents=True)
    monkeypatch.setattr(content, "root", lambda: tmp_path)
    files = {"a.csv": "1", "b.json": "2", "gpu/c.py": "3", "gpu/d.yaml": "4"}
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "notes.md").write_text("5")
    assert folder_sha256("checks") == sha256("".join(f"{name}\0{sha256(text)}\n" for name, text in files.items()))


def test_the_hash_of_a_design_is_that_of_its_site_and_tables() -> None:
    design = build.site_design()
    tables = {name: table for name, table in vars(design).items() if isinstance(table, pl.DataFrame)}
    parts = {"site": sha256(design.site.model_dump_json(exclude=SHARING))} | {
        name: sha256(table.with_columns(pl.col(pl.List(pl.String)).list.join(" ")).write_csv() if table.width else "\n")
        for name, table in tables.items()
    }
    assert len(parts) > 5
    assert design_sha256(design) == sha256(json.dumps(parts, sort_keys=True))
    for name in list(tables)[:3]:
        assert design_sha256(replace(design, **{name: tables[name][:0]})) != design_sha256(design)


def test_who_may_use_the_site_changes_no_hash_of_the_design() -> None:
    design = build.site_design()
    shared = design.site.model_copy(update={"tenants": [Tenant(name="research")]})
    moved = design.site.model_copy(update={"region": "elsewhere"})
    assert design_sha256(replace(design, site=shared)) == design_sha256(design)
    assert design_sha256(replace(design, site=moved)) != design_sha256(design)
