"""Sensors of a switch as columns: the switches of a large site have half a million, and a record of each takes ten times as long to make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from pydantic import GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema, to_json

from rackwright.model.base import Record


class SwitchTemperature(Record):
    """A sensor of a switch, or of a module in one of its ports."""

    name: str
    celsius: float | None
    most: float | None
    """Where the switch itself warns, in degrees Celsius; None where it does not tell."""


Columns = tuple[list[str], list[float | None], list[float | None]]
COLUMNS = TypeAdapter(Columns)


class TemperatureTable(Sequence[SwitchTemperature]):
    """The sensors in the order in which the switch lists them; several may have one name."""

    __slots__ = ("celsius", "most", "names")

    def __init__(self, names: list[str], celsius: list[float | None], most: list[float | None]) -> None:
        """One value of each per sensor, with the meaning that they have in `SwitchTemperature`. ValueError for columns of different lengths."""
        if not len(names) == len(celsius) == len(most):
            raise ValueError(f"{len(names)} sensors with {len(celsius)} temperatures and {len(most)} limits")
        self.names, self.celsius, self.most = names, celsius, most

    def packed(self) -> str:
        """The table as text."""
        return to_json(self._columns, inf_nan_mode="constants").decode()

    @classmethod
    def unpacked(cls, text: str) -> TemperatureTable:
        """The table that was `packed`. ValueError for other text."""
        return cls(*COLUMNS.validate_json(text))

    @classmethod
    def of(cls, sensors: Iterable[SwitchTemperature]) -> TemperatureTable:
        """The table of `sensors`."""
        listed = list(sensors)
        return cls(
            [sensor.name for sensor in listed],
            [sensor.celsius for sensor in listed],
            [sensor.most for sensor in listed],
        )

    @property
    def _columns(self) -> Columns:
        return self.names, self.celsius, self.most

    @overload
    def __getitem__(self, place: int) -> SwitchTemperature: ...

    @overload
    def __getitem__(self, place: slice) -> TemperatureTable: ...

    def __getitem__(self, place: int | slice) -> SwitchTemperature | TemperatureTable:
        if isinstance(place, slice):
            return TemperatureTable(self.names[place], self.celsius[place], self.most[place])
        return SwitchTemperature(name=self.names[place], celsius=self.celsius[place], most=self.most[place])

    def __iter__(self) -> Iterator[SwitchTemperature]:
        return map(self.__getitem__, range(len(self)))

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, table: object) -> bool:
        return isinstance(table, TemperatureTable) and self._columns == table._columns

    def __hash__(self) -> int:
        return hash((*self.names, *self.celsius, *self.most))

    def __repr__(self) -> str:
        return f"TemperatureTable({list(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, listed: core_schema.ValidatorFunctionWrapHandler) -> TemperatureTable:
            return value if isinstance(value, TemperatureTable) else cls.of(listed(value))

        serializer = core_schema.plain_serializer_function_ser_schema(
            lambda sensors: [sensor.model_dump() for sensor in sensors]
        )
        listed = handler.generate_schema(list[SwitchTemperature])
        return core_schema.no_info_wrap_validator_function(read, listed, serialization=serializer)
