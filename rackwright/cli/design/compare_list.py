"""``rackwright compare SITE LIST``: compares a site with a list of cables or devices, a vendor's table or an export of NetBox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rackwright import spec
from rackwright.base.errors import ExitCode
from rackwright.cli import output, site
from rackwright.flow import cable_differences, cable_list
from rackwright.flow.cable_differences import ListDifference
from rackwright.flow.cable_list import CableList


def run(path: str, listed_path: str, output_format: str) -> int:
    """Compare the site at `path` with the list at `listed_path`."""
    design = site.expand(spec.load(Path(path), to_design=True))
    listed = cable_list.read(Path(listed_path))
    differing = cable_differences.differences(design, listed)
    if output_format == "json":
        rows = [asdict(difference) for difference in differing]
        counts = {"cables": len(listed.cables), "devices": len(listed.devices)}
        output.emit({"site": design.site.site, "list": listed_path, **counts, "differences": rows})
    else:
        output.print_lines(_lines(design.site.site, listed_path, listed, differing))
    return ExitCode.PROBLEMS if differing else ExitCode.PASS


def _lines(name: str, path: str, listed: CableList, differing: Sequence[ListDifference]) -> Iterator[str]:
    things = [(len(listed.cables), "cable"), (len(listed.devices), "device")]
    counts = " and ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in things if count)
    yield f"{path} lists {counts}."
    for difference in differing:
        place = f"{path}:{difference.line}: " if difference.line else ""
        yield f"  {place}{difference.kind}: {difference.subject}: {difference.says}"
    yield f"{len(differing):,} differences to site {name}." if differing else f"It agrees with site {name}."
