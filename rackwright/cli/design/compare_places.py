"""The second argument of ``rackwright compare``, where it is what an observer says of a cluster: nodes that it has elsewhere than the site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rackwright import spec
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.locality import groups, observed_places
from rackwright.locality.observed_places import ObservedGroups, PlaceDifference
from rackwright.model.design import Design
from rackwright.model.hostlist import fold_hosts
from rackwright.platform import labels


def text_of(path: str) -> str | None:
    """The text of a file of an observer; None for a site, and for what cannot be read: the loader of sites says why."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if observed_places.is_labels(text) or observed_places.is_topology_conf(text) else None


def run(path: str, observed: str, text: str, output_format: str) -> int:
    """Compare the site at `path` with `text` of the file `observed`."""
    design = site.expand(spec.load(Path(path), to_design=True))
    scheduler = "kubernetes" if observed_places.is_labels(text) else "slurm"
    pools = [pool.name for pool in design.site.pools_of(scheduler)]
    if not pools:
        raise UsageError(f"{observed}: site {design.site.site} has no node of {scheduler} to compare it with")
    places = groups.locality(design, pools, groups.default_fabrics(design), scheduler).nodes
    groupings = [entry for entry in _groupings(text) if places[entry.column].is_not_null().any()]
    differences = [difference for entry in groupings for difference in observed_places.differences(places, entry)]
    strangers = _strangers(design, groupings)
    if output_format == "json":
        rows = [asdict(difference) for difference in differences]
        output.emit({"site": design.site.site, "groupings": [entry.name for entry in groupings], "differences": rows, "strangers": strangers})  # fmt: skip
    else:
        output.print_lines(_lines(design.site.site, observed, groupings, differences, strangers))
    return ExitCode.PROBLEMS if differences or strangers or not groupings else ExitCode.PASS


def _groupings(text: str) -> list[ObservedGroups]:
    if observed_places.is_topology_conf(text):
        return observed_places.from_topology_conf(text)
    return observed_places.from_labels(json.loads(text), labels.columns())


def _strangers(design: Design, groupings: list[ObservedGroups]) -> list[str]:
    """Nodes that the observer groups, and the site does not have."""
    names = set(design.node_table["node"])
    return list(dict.fromkeys(node for entry in groupings for node in entry.of if node not in names))


def _lines(
    name: str, observed: str, groupings: list[ObservedGroups], differences: list[PlaceDifference], strangers: list[str]
) -> Iterator[str]:
    if not groupings:
        yield f"{observed} says nothing of where the nodes of {name} are: none of its nodes has a label of a fabric, rack or hall"
        return
    nodes = len({node for entry in groupings for node in entry.of})
    yield f"{observed} groups {nodes} nodes by {', '.join(entry.name for entry in groupings)}."
    for difference in differences:
        yield f"  {difference.grouping}: {_sentence(difference)}"
    if strangers:
        yield f"  not in the site: {fold_hosts(strangers)}"
    if not differences and not strangers:
        yield f"They stand together as site {name} declares."


def _sentence(difference: PlaceDifference) -> str:
    names, declared = fold_hosts(difference.nodes), difference.declared
    if not difference.observed:
        return f"{names}: declared in {declared}, and in no group"
    if difference.stands_with == declared:
        return f"{names}: declared in {declared}, and in {difference.observed}, apart from most others of it"
    return f"{names}: declared in {declared}, and in {difference.observed} with nodes of {difference.stands_with}"
