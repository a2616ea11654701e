"""Reads cables and devices from lists of others: a vendor's table (xlsx, csv), or an export of NetBox (CSV, or JSON and
YAML of its API).

Columns are recognised by their headings. A file that is too large, or not such a list, raises a `UsageError` that names
the expected format.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rackwright.base import foreign
from rackwright.base.errors import UsageError

HEAD = 4096
"""Characters in which the delimiter of a table is searched."""
LIMIT = foreign.limit("cable_list")
COLUMNS = {
    "a_device": (
        "a_device",
        "side_a_device",
        "from device",
        "from",
        "device a",
        "a device",
        "source device",
        "near device",
        "a end",
    ),
    "a_port": ("a_port", "side_a_name", "from port", "port a", "a port", "source port", "near port"),
    "b_device": (
        "b_device",
        "side_b_device",
        "to device",
        "to",
        "device b",
        "b device",
        "destination device",
        "far device",
        "z device",
        "b end",
    ),
    "b_port": ("b_port", "side_b_name", "to port", "port b", "b port", "destination port", "far port", "z port"),
    "label": ("label", "cable", "cable id", "cable label", "cable number"),
    "sku": ("sku", "part", "part number", "cable part", "model"),
    "length": ("length_meters", "length", "length (m)", "length m", "cable length"),
}
"""Meaning -> headings in lower case: ours, those of NetBox's bulk import, and those of cable schedules."""
DEVICE_COLUMNS = {
    "name": ("name", "device"),
    "rack": ("rack", "rack name"),
    "unit": ("position", "unit", "ru", "rack unit", "u"),
}
ENDS = ("a_device", "a_port", "b_device", "b_port")
EXPECTED = "a table with the columns a_device, a_port, b_device, b_port (or side_a_device, side_a_name ... of NetBox), or a list of devices with name, rack and position"


@dataclass(frozen=True)
class ListedCable:
    """One cable of a list."""

    line: int
    """Row of the table, or number of the entry."""
    a: tuple[str, str]
    b: tuple[str, str]
    label: str = ""
    sku: str = ""
    length: str = ""


@dataclass(frozen=True)
class ListedDevice:
    """One device of a list."""

    line: int
    name: str
    rack: str = ""
    unit: str = ""


@dataclass(frozen=True)
class CableList:
    """Content of a file."""

    cables: tuple[ListedCable, ...]
    devices: tuple[ListedDevice, ...]


def read(path: Path) -> CableList:
    """The cables and devices that the file `path` lists. Raises UsageError."""
    try:
        if path.stat().st_size > LIMIT.bytes:
            raise UsageError(f"{path} is larger than {LIMIT.bytes >> 20} MiB; name a list of cables or devices")
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a list of cables or devices") from error
    try:
        cables, devices = _of(path.suffix.lower(), content)
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        csv.Error,
        yaml.YAMLError,
        zipfile.BadZipFile,
        RecursionError,
    ) as error:
        raise UsageError(
            f"{path} cannot be read as a list ({type(error).__name__}: {str(error)[:120]}); expected {EXPECTED}"
        ) from error
    if not cables and not devices:
        raise UsageError(f"{path} lists no cable and no device; expected {EXPECTED}")
    return CableList(tuple(cables), tuple(devices))


def is_list(path: Path) -> bool:
    """Whether a file is a list, by its name or by the shape of an API answer; a site file is neither."""
    if path.suffix.lower() in (".xlsx", ".csv", ".tsv", ".json"):
        return path.is_file()
    if path.suffix.lower() in (".yaml", ".yml") and path.is_file() and path.stat().st_size <= LIMIT.bytes:
        return "a_terminations" in path.read_text(encoding="utf-8", errors="replace")
    return False


def _of(suffix: str, content: bytes) -> tuple[list[ListedCable], list[ListedDevice]]:
    if suffix == ".xlsx":
        parts = [_rows(sheet) for sheet in _sheets(content)]
        return [cable for cables, _ in parts for cable in cables], [
            device for _, devices in parts for device in devices
        ]
    text = content.decode("utf-8-sig")
    if suffix == ".json":
        return _objects(json.loads(text))
    if suffix in (".yaml", ".yml"):
        return _objects(yaml.safe_load(text))
    delimiter = max(",;\t", key=text[:HEAD].count)
    return _rows(csv.reader(io.StringIO(text), delimiter=delimiter))


def _sheets(content: bytes) -> Iterator[Iterable[Iterable[Any]]]:
    """The rows of each sheet as values; formulas have the value that was stored with them."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        if sum(part.file_size for part in book.infolist()) > LIMIT.bytes:
            raise ValueError(f"it unpacks to more than {LIMIT.bytes >> 20} MiB")
    import openpyxl  # heavy, and of no use for other lists

    workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    for sheet in workbook.worksheets:
        yield sheet.iter_rows(values_only=True, max_row=LIMIT.values)


def _rows(rows: Iterable[Iterable[Any]]) -> tuple[list[ListedCable], list[ListedDevice]]:
    """The entries of a table. Its heading is the first row that has the columns; rows above it are a title."""
    cables: list[ListedCable] = []
    devices: list[ListedDevice] = []
    places: dict[str, int] = {}
    for line, row in enumerate(rows, start=1):
        if line > LIMIT.values:
            raise ValueError(f"more than {LIMIT.values:,} rows")
        cells = [_text(cell) for cell in row]
        if not places:
            places = _places(cells)
            continue
        values = {name: cells[at] if at < len(cells) else "" for name, at in places.items()}
        if "a_device" in places and values["a_device"]:
            cables += _links(line, values)
        elif values.get("name"):
            devices.append(ListedDevice(line, values["name"], values.get("rack", ""), values.get("unit", "")))
    return cables, devices


def _links(line: int, values: dict[str, str]) -> Iterator[ListedCable]:
    """A row as its links: a cable between twin ports (``37+38``) has two."""
    a_ports, b_ports = values["a_port"].split("+"), values["b_port"].split("+")
    if len(a_ports) != len(b_ports):
        a_ports, b_ports = [values["a_port"]], [values["b_port"]]
    rest = [values.get(name, "") for name in ("label", "sku", "length")]
    for a_port, b_port in zip(a_ports, b_ports, strict=True):
        yield ListedCable(line, (values["a_device"], a_port), (values["b_device"], b_port), *rest)


def _places(cells: list[str]) -> dict[str, int]:
    """Meaning -> column; empty for a row that is not a heading."""
    heading = [" ".join(cell.lower().replace("*", "").split()) for cell in cells]
    cables = _columns(heading, COLUMNS)
    if all(name in cables for name in ENDS):
        return cables
    devices = _columns(heading, DEVICE_COLUMNS)
    return devices if {"name", "rack"} <= devices.keys() else {}


def _columns(heading: list[str], names: dict[str, tuple[str, ...]]) -> dict[str, int]:
    return {
        meaning: heading.index(words[0])
        for meaning, called in names.items()
        if (words := [w for w in called if w in heading])
    }


def _text(cell: Any) -> str:
    """A cell as text; a sheet stores whole numbers as 1.0, and our own tables write ``'=`` for a text that begins with
    a sign.
    """
    if cell is None or isinstance(cell, (dict, list)):
        return ""
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text


def _objects(data: Any) -> tuple[list[ListedCable], list[ListedDevice]]:
    """The entries of NetBox's API, one page or a list."""
    entries: Any = data
    if isinstance(data, dict):
        entries = data.get("results", data.get("cables", []))
    cables: list[ListedCable] = []
    devices: list[ListedDevice] = []
    for number, entry in enumerate(entries, start=1):
        if "a_terminations" in entry:
            a, b = (_end(entry[f"{side}_terminations"]) for side in ("a", "b"))
            label, length = _text(entry.get("label")), _text(entry.get("length"))
            cables.append(ListedCable(number, a, b, label, "", length))
        elif "name" in entry:
            rack = entry.get("rack")
            devices.append(
                ListedDevice(
                    number,
                    _text(entry["name"]),
                    _text(rack.get("name") if isinstance(rack, dict) else rack),
                    _text(entry.get("position")),
                )
            )
    return cables, devices


def _end(terminations: Any) -> tuple[str, str]:
    """Device and port of an end; the first of several terminations."""
    end = terminations[0].get("object", terminations[0]) if terminations else {}
    device = end.get("device") or {}
    return _text(device.get("name") if isinstance(device, dict) else device), _text(end.get("name"))
