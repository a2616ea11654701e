"""Ends of links of a subnet as one table: a sequence of `FabricLink`s that costs a tenth of the memory."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from rackwright.model.base import Record


class FabricLink(Record):
    """One end of one link, as the subnet shows it."""

    guid: str
    """Port GUID of a host adapter or node GUID of a switch, ``0x`` and 16 hex digits."""
    kind: str
    """``Ca`` or ``Switch``."""
    name: str
    """NodeDescription."""
    port: int
    remote_guid: str
    remote_kind: str
    remote_name: str
    remote_port: int
    speed: str
    """As printed (``4xNDR``)."""


Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SwitchEnds:
    """The ends at switches, in the order of the table. Half a million ends share a few thousand names, so each name is compared only once."""

    rows: Numbers
    """Their rows in the table."""
    names: list[str]
    """Descriptions of switches, each once."""
    near: Numbers
    """Place of the own description in `names`."""
    port: Numbers
    far: Numbers
    """Place in `names` of the description of the switch at the other end; -1 where something else is."""
    far_port: Numbers


SCHEMA = {name: pl.Int64 if field.annotation is int else pl.String for name, field in FabricLink.model_fields.items()}


class LinkTable(Sequence[FabricLink]):
    """Every end of every link, in the order of the output."""

    __slots__ = ("_frame", "_make", "_switch_ends")

    def __init__(self, frame: pl.DataFrame) -> None:
        """`frame` has the fields of `FabricLink` as its columns."""
        self._frame = frame
        self._make: Callable[[str | None], pl.DataFrame] | None = None
        self._switch_ends: SwitchEnds | None = None

    @classmethod
    def later(cls, make: Callable[[str | None], pl.DataFrame]) -> LinkTable:
        """A table that calls ``make(None)`` for all ends on first use, and ``make(kind)`` for the ends of one kind."""
        table = cls(pl.DataFrame(schema=SCHEMA))
        table._make = make
        return table

    @property
    def frame(self) -> pl.DataFrame:
        """All ends, with the fields of `FabricLink` as columns."""
        make = self._make
        if make is not None:
            self._frame = make(None)
            self._make = None
        return self._frame

    def of_kind(self, kind: str) -> pl.DataFrame:
        """The ends of one kind; a table that is not built yet builds only these."""
        make = self._make
        return make(kind) if make is not None else self._frame.filter(pl.col("kind") == kind)

    def __reduce__(self) -> tuple[type[LinkTable], tuple[pl.DataFrame]]:
        return LinkTable, (self.frame,)

    def packed(self) -> str:
        """The table as text that is quick to read again: parsing half a million ends from the output of the tool takes a second."""
        buffer = io.BytesIO()
        self.frame.write_ipc(buffer, compression="zstd")
        return base64.b64encode(buffer.getvalue()).decode()

    @classmethod
    def unpacked(cls, text: str) -> LinkTable:
        """The table that was `packed`. ValueError for other text."""
        try:
            return cls(pl.read_ipc(io.BytesIO(base64.b64decode(text, validate=True))))
        except (pl.exceptions.PolarsError, OSError) as error:
            raise ValueError(f"this is no table of links: {error}") from None

    @classmethod
    def of(cls, links: Iterable[FabricLink]) -> LinkTable:
        """The table of `links`."""
        return cls(pl.DataFrame([tuple(vars(link).values()) for link in links], schema=SCHEMA, orient="row"))

    @property
    def switch_ends(self) -> SwitchEnds:
        """The ends at switches as numbers; built once, because several checks need them."""
        if self._switch_ends is None:
            self._switch_ends = _switch_ends(self.frame)
        return self._switch_ends

    @overload
    def __getitem__(self, place: int) -> FabricLink: ...

    @overload
    def __getitem__(self, place: slice) -> LinkTable: ...

    def __getitem__(self, place: int | slice) -> FabricLink | LinkTable:
        if isinstance(place, slice):
            return LinkTable(self.frame[place])
        return _link(self.frame.row(place))

    def __iter__(self) -> Iterator[FabricLink]:
        return map(_link, self.frame.iter_rows())

    def __len__(self) -> int:
        return self.frame.height

    def __eq__(self, table: object) -> bool:
        return isinstance(table, LinkTable) and self.frame.equals(table.frame)

    def __hash__(self) -> int:
        return hash((len(self), self.frame.row(0) if len(self) else None))

    def __repr__(self) -> str:
        return f"LinkTable({list(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, listed: core_schema.ValidatorFunctionWrapHandler) -> LinkTable:
            return value if isinstance(value, LinkTable) else cls.of(listed(value))

        serializer = core_schema.plain_serializer_function_ser_schema(
            lambda links: [link.model_dump() for link in links]
        )
        listed = handler.generate_schema(list[FabricLink])
        return core_schema.no_info_wrap_validator_function(read, listed, serialization=serializer)


def _link(row: tuple[Any, ...]) -> FabricLink:
    return FabricLink.unvalidated(**dict(zip(SCHEMA, row, strict=True)))  # its columns have the types of the fields


def _switch_ends(frame: pl.DataFrame) -> SwitchEnds:
    to_switch = pl.when(pl.col("remote_kind") == "Switch").then("remote_name").alias("far")
    switch_rows = frame.with_row_index("row").filter(pl.col("kind") == "Switch")
    ends = switch_rows.select("row", "name", "port", to_switch, "remote_port")
    names = pl.concat([ends["name"], ends["far"]]).unique().drop_nulls()
    number = pl.Enum(names)
    near, far = (ends[name].cast(number).to_physical().cast(pl.Int64).fill_null(-1) for name in ("name", "far"))
    columns = (
        column.cast(pl.Int64).to_numpy() for column in (ends["row"], near, ends["port"], far, ends["remote_port"])
    )
    rows, near_place, port, far_place, far_port = columns
    return SwitchEnds(rows, names.to_list(), near_place, port, far_place, far_port)
