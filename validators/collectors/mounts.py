"""Mounted file systems of one host: `findmnt --json` (util-linux), sizes in bytes."""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.mounts import Mount, Mounts

COLUMNS = "TARGET,SOURCE,FSTYPE,OPTIONS,SIZE,USED,AVAIL"


def parse(output: str) -> Mounts:
    """The list of file systems; older versions print sizes as words."""
    try:
        rows = json.loads(output)["filesystems"]
        return Mounts(mounts=[_mount(row) for row in rows])
    except json.JSONDecodeError as error:
        raise ParseError(error.lineno, output, "the JSON of findmnt") from None
    except (KeyError, TypeError, AttributeError, ValueError):
        raise ParseError(1, output, "the file systems of findmnt --json --list") from None


def _mount(row: dict[str, Any]) -> Mount:
    return Mount(
        target=row["target"],
        source=row.get("source") or "",
        kind=row.get("fstype") or "",
        options=(row.get("options") or "").split(","),
        bytes=_number(row.get("size")),
        used_bytes=_number(row.get("used")),
        available_bytes=_number(row.get("avail")),
    )


def _number(value: int | str | None) -> int | None:
    return None if value is None else int(value)


COLLECTOR = Collector(
    produces=Mounts,
    parse=parse,
    seconds=20,
    roles=("accelerator",),
    command=("findmnt", "--json", "--list", "--bytes", "--output", COLUMNS),
)
