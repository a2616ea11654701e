"""The numbers of the ports at both ends of cables.

To join the tables by three names takes twice as long.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
KEY = ("fabric", "device", "port")


def numbered(cables: pl.DataFrame, ports: pl.DataFrame) -> pl.DataFrame:
    """`cables` with ``a_number`` and ``b_number``; 0 where `ports` does not have the port."""
    kinds = tuple(pl.Enum(ports[name].unique().drop_nulls()) for name in KEY)
    fabric, device, port = (_codes(ports[name], kind) for name, kind in zip(KEY, kinds, strict=True))
    width = len(kinds[2].categories)
    # Few ports are called the same in two fabrics: a column for each pair that there is keeps the array small.
    column = np.full(len(kinds[0].categories) * width + 1, -1, dtype=np.int64)
    pairs = np.unique(fabric * width + port)
    column[pairs] = np.arange(len(pairs))
    number = np.zeros((len(kinds[1].categories) + 1, len(pairs) + 1), dtype=np.int32)  # the last ones are of no port
    number[device, column[fabric * width + port]] = ports["number"].to_numpy()
    numbers = {}
    for end in ("a", "b"):
        names = ("fabric", f"{end}_device", f"{end}_port")
        fabric, device, port = (_codes(cables[name], kind) for name, kind in zip(names, kinds, strict=True))
        pair = np.where((fabric < 0) | (port < 0), -1, fabric * width + port)
        numbers[f"{end}_number"] = number[device, column[pair]]
    return cables.with_columns(**{name: pl.Series(values, dtype=pl.Int32) for name, values in numbers.items()})


def _codes(names: pl.Series, kind: pl.Enum) -> Numbers:
    """The place of each name in `kind`, -1 where it is not in it."""
    return names.cast(kind, strict=False).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
