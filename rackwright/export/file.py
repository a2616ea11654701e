"""A file of an export, before it is written: text, and tables that are written without being turned into text first."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO, IOBase
from typing import IO, cast

import polars as pl

from rackwright.base.csv_text import without_formulas


@dataclass(frozen=True)
class Csv:
    """A table as CSV with a header, quoted as RFC 4180 says where a value needs it."""

    frame: pl.DataFrame


@dataclass(frozen=True)
class Json:
    """A table as a JSON list of objects."""

    frame: pl.DataFrame


Part = str | bytes | Csv | Json


@dataclass(frozen=True)
class ExportFile:
    """One file: its name within the export, its parts in order, and how many things it lists."""

    name: str
    parts: tuple[Part, ...]
    rows: int

    def write(self, stream: IO[bytes]) -> None:
        """Write all parts."""
        for part in self.parts:
            if isinstance(part, str):
                stream.write(part.encode())
            elif isinstance(part, bytes):
                stream.write(part)
            elif isinstance(part, Csv):
                without_formulas(part.frame).write_csv(stream)
            else:
                part.frame.write_json(cast("IOBase", stream))

    def text(self) -> str:
        """The whole file as text."""
        stream = BytesIO()
        self.write(stream)
        return stream.getvalue().decode()


def table(name: str, frame: pl.DataFrame) -> ExportFile:
    """A CSV file of one table."""
    return ExportFile(name, (Csv(frame),), frame.height)
