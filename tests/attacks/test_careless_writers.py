"""The tests of texts that are code are tried themselves: a writer that lets such a text through as it is, is noticed by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
import yaml
from jinja2 import Environment

from rackwright.base import yaml_text
from rackwright.cli import output
from rackwright.cli.design import environment
from rackwright.export import file
from rackwright.export.netbox import types
from rackwright.model.verdict import Outcome
from rackwright.report import matrix, render
from tests import build
from tests.attacks import test_hostile_site
from tests.attacks.test_hostile_site import ENDS, MARK, ROOT, STARTS, assert_csv, assert_yaml, site, written_by
from tests.attacks.test_hostile_texts import PAYLOAD, assert_harmless

__all__ = ["site"]


def careless_yaml(data: Any, *_: object, **__: object) -> str:
    """YAML of somebody who puts texts as they are behind a colon."""

    def lines(value: Any, indent: str) -> Iterator[str]:
        entries = value.items() if isinstance(value, dict) else (("-", entry) for entry in value)
        for key, inner in entries:
            head = f"{indent}{key}" + ":" * isinstance(value, dict)
            if isinstance(inner, dict | list):
                yield head
                yield from lines(inner, f"{indent}  ")
            else:
                yield f"{head} {'null' if inner is None else inner}"

    return "\n".join(lines(data, "")) + "\n"


def careless_json(data: Any, stream: Any, **_: object) -> None:
    """JSON of somebody who forgets that a text can hold a quote."""
    stream.write(json.dumps(data, indent=2).replace('\\"', '"'))


class UnquotedTable:
    """A CSV table of somebody who forgets that a text can hold a comma."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def write_csv(self, stream: Any) -> None:
        rows = [self.frame.columns, *self.frame.rows()]
        stream.write("".join(",".join(map(str, row)) + "\n" for row in rows).encode())


COMMAS = "commas in tables"
CARELESS: dict[str, tuple[str, Any, str, object]] = {
    "YAML of an environment": ("environment dev", environment, "yaml", SimpleNamespace(safe_dump=careless_yaml)),
    "YAML for NetBox": (
        "export --to netbox --out OUT/netbox", types, "yaml", SimpleNamespace(dump=careless_yaml),
    ),
    "formulas in tables": ("export --to netbox --out OUT/netbox", file, "without_formulas", lambda frame: frame),
    COMMAS: ("export --to netbox --out OUT/netbox", file, "without_formulas", UnquotedTable),
    "JSON": ("environment dev --format json", output, "json", SimpleNamespace(dump=careless_json)),
}  # fmt: skip
"""Writers of one format that let texts through as they are: the verb, and what is put in the place of what."""


@pytest.mark.parametrize("site", ["h100-pod"], indirect=True)
@pytest.mark.parametrize("writer", CARELESS)
def test_a_writer_that_lets_texts_through_is_noticed(
    site: Path, writer: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    verb, module, name, careless = CARELESS[writer]
    monkeypatch.chdir(site)
    monkeypatch.setattr(module, name, careless)
    with pytest.raises((AssertionError, yaml.YAMLError, json.JSONDecodeError)):
        written_by([verb], site, capsys)


@pytest.mark.parametrize("writer", [name for name in CARELESS if name != COMMAS])
def test_it_is_the_code_that_is_noticed(
    writer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same writers do well as long as nobody declares code, but that names of parts have commas."""
    verb, module, name, careless = CARELESS[writer]
    folder = tmp_path / "in"
    folder.mkdir()
    data = yaml_text.load((ROOT / "h100-pod" / "site.yaml").read_text())
    data["environments"] = [{"name": "dev", "differences": [{"field": "site", "value": "lab", "because": "a lab"}]}]
    (folder / "site.yaml").write_text(yaml.safe_dump(data))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(module, name, careless)
    written_by([verb], folder, capsys)


@pytest.mark.parametrize("piece", [*STARTS, *ENDS, ": b", " #b"])
def test_each_piece_alone_is_noticed_where_a_text_is_written_as_it_is(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a colon of YAML, or between double quotes; `=cmd` in a table."""
    text = f"{piece}{MARK}" if piece in STARTS else f"{MARK}x{piece}"
    monkeypatch.setattr(test_hostile_site, "FREE", {text})
    if piece.startswith("="):
        readers = [(assert_csv, f"note\n{text}\n")]
    else:
        readers = [(assert_yaml, f"note: {text}\n"), (assert_yaml, f'note: "{text}"\n')]
    noticed = 0
    for reader, document in readers:
        try:
            reader(document)
        except (AssertionError, yaml.YAMLError):
            noticed += 1
    assert noticed


@pytest.fixture(params=["texts of the page", "cells of the matrix", "marks of direction on the page"])
def careless_page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A report of somebody who forgets what one part of it has to do with texts."""
    render._environment.cache_clear()
    module, name, careless = {
        "texts of the page": (render, "Environment", lambda autoescape, **words: Environment(**words)),
        "cells of the matrix": (matrix, "escape", str),
        "marks of direction on the page": (render, "escape_controls", str),
    }[request.param]
    monkeypatch.setattr(module, name, careless)
    yield
    render._environment.cache_clear()


def test_a_page_that_lets_texts_through_is_noticed(careless_page: None) -> None:
    with pytest.raises((AssertionError, TypeError)):
        assert_harmless([build.verdict(outcome=Outcome.FAIL, says=PAYLOAD)])


def test_the_page_as_it_is_lets_none_through() -> None:
    assert_harmless([build.verdict(outcome=Outcome.FAIL, says=PAYLOAD)])
