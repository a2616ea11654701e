"""A workbook for the trades: what to buy, what to pull in which order, and the labels of both ends of every cable.

Text stays text: a name that begins with ``=``, ``+``, ``-`` or ``@`` is no formula. Equal designs give equal files.
"""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

import polars as pl
import xlsxwriter

from rackwright.base.errors import UsageError
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.model.design import Design

MOST_ROWS = 1_048_575
"""Rows of a sheet below its heading (ECMA-376, and every program that reads it)."""
WIDEST = 48
NARROWEST = 8
LOOKED_AT = 200
"""Rows from which the width of a column is taken."""
OPTIONS = {
    "in_memory": True,
    "constant_memory": False,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
CREATED = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook has no time zone; a design has no date


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """``NAME.xlsx`` with the bill, and the sheets that `request` brings (pull schedule, labels). Raises UsageError for too many rows."""
    sheets = {"bill of materials": design.bill, **request.sheets}
    for name, frame in sheets.items():
        if frame.height > MOST_ROWS:
            raise UsageError(
                f"the sheet {name} has {frame.height:,} rows, and a workbook takes {MOST_ROWS:,}; use rackwright cables --format csv"
            )
    rows = sum(frame.height for frame in sheets.values())
    return [ExportFile(f"{design.site.site}.xlsx", (_workbook(sheets),), rows)]


def _workbook(sheets: dict[str, pl.DataFrame]) -> bytes:
    stream = BytesIO()
    book = xlsxwriter.Workbook(stream, OPTIONS)
    book.set_properties({"created": CREATED})
    bold = book.add_format({"bold": True})
    for name, frame in sheets.items():
        sheet = book.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        for at, column in enumerate(frame.columns):
            sheet.write_string(0, at, column, bold)
            sheet.set_column(at, at, _width(column, frame[column]))
            _fill(sheet, at, frame[column])
        sheet.autofilter(0, 0, max(1, frame.height), len(frame.columns) - 1)
    book.close()
    return stream.getvalue()


def _fill(sheet: xlsxwriter.worksheet.Worksheet, at: int, values: pl.Series) -> None:
    """Write a column below its heading; unknown values stay empty."""
    write = sheet.write_number if values.dtype.is_numeric() else sheet.write_string
    for row, value in enumerate(values, start=1):
        if value is not None:
            write(row, at, value if values.dtype.is_numeric() else str(value))


def _width(column: str, values: pl.Series) -> int:
    longest = max((len(str(value)) for value in values.head(LOOKED_AT) if value is not None), default=0)
    return max(NARROWEST, min(WIDEST, max(longest, len(column)) + 2))
