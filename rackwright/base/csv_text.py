"""Tables as CSV for spreadsheets: text that a spreadsheet would take for a formula is escaped.

Characters that start a formula, and the escape: OWASP, CSV Injection (read 2026-11-25).
"""

from __future__ import annotations

import polars as pl

FORMULA = r"^[=+\-@\t\r]"
NUMBER = r"^[+\-]?[0-9.]+$"


def without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """`frame` with formulas escaped, ready to be written as CSV."""
    text = pl.col(pl.String)
    formula = text.str.contains(FORMULA) & ~text.str.contains(NUMBER)
    return frame.with_columns(pl.when(formula).then(pl.lit("'") + text).otherwise(text).name.keep())
