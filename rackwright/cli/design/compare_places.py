"""``rackwright compare SITE FILE`` with a file of an observer of a cluster: reports nodes that it sees elsewhere than the site declares."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rackwright import spec
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.locality import groups, observed_devices, observed_places
from rackwright.locality.observed_devices import DeviceDifference
from rackwright.locality.observed_places import ObservedGroups, PlaceDifference
from rackwright.model.design import Design
from rackwright.model.hostlist import fold_hosts
from rackwright.platform import labels


def text_of(path: str) -> str | None:
    """The text of an observer's file; None for a site, and for a file that cannot be read (the site loader then reports why)."""
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
    slices = observed_devices.of_kind(json.loads(text), "ResourceSlice") if scheduler == "kubernetes" else []
    devices = list(observed_devices.differences(places, _gpus(design, set(places["node"])), slices))
    strangers = _strangers(design, groupings, slices)
    if output_format == "json":
        rows = [asdict(difference) for difference in differences]
        output.emit({"site": design.site.site, "groupings": [entry.name for entry in groupings], "differences": rows, "devices": [asdict(entry) for entry in devices], "strangers": strangers})  # fmt: skip
    else:
        output.print_lines(
            _lines(design.site.site, observed, groupings, [*differences, *devices], strangers, len(slices))
        )
    agrees = (groupings or slices) and not (differences or devices or strangers)
    return ExitCode.PASS if agrees else ExitCode.PROBLEMS


def _groupings(text: str) -> list[ObservedGroups]:
    if observed_places.is_topology_conf(text):
        return observed_places.from_topology_conf(text)
    document = json.loads(text)
    nodes = {"items": observed_devices.of_kind(document, "Node")}
    cliques = observed_devices.cliques(observed_devices.of_kind(document, "ComputeDomain"))
    return [*observed_places.from_labels(nodes, labels.columns()), *cliques]


def _gpus(design: Design, names: set[str]) -> dict[str, int]:
    """Node -> number of devices that the NVIDIA driver shows."""
    nodes = [node for node in design.nodes("accelerator") if node.name in names]
    return {node.name: node.accelerators for node in nodes if node.accelerator and node.accelerator.vendor == "nvidia"}


def _strangers(design: Design, groupings: list[ObservedGroups], slices: list[Mapping[str, Any]]) -> list[str]:
    """Nodes that the observer groups, or that publish devices, but that the site does not have."""
    names = set(design.node_table["node"])
    publishing = [node for by_node in observed_devices.published(slices).values() for node in by_node]
    grouped = [node for entry in groupings for node in entry.of]
    return list(dict.fromkeys(node for node in [*grouped, *publishing] if node not in names))


def _lines(
    name: str,
    observed: str,
    groupings: list[ObservedGroups],
    differences: Sequence[PlaceDifference | DeviceDifference],
    strangers: list[str],
    slices: int,
) -> Iterator[str]:
    if not groupings and not slices:
        yield f"{observed} says nothing of where the nodes of {name} are: none of its nodes has a label of a fabric, rack or hall"
        return
    nodes = len({node for entry in groupings for node in entry.of})
    if groupings:
        yield f"{observed} groups {nodes} nodes by {', '.join(entry.name for entry in groupings)}."
    if slices:
        yield f"{observed} has {slices} ResourceSlices."
    for difference in differences:
        if isinstance(difference, PlaceDifference):
            yield f"  {difference.grouping}: {_sentence(difference)}"
        else:
            yield f"  {difference.driver}: {_device_sentence(difference)}"
    if strangers:
        yield f"  not in the site: {fold_hosts(strangers)}"
    if not differences and not strangers:
        agreement = "stand together" if groupings else "publish their devices"
        yield f"They {agreement} as site {name} declares."


def _sentence(difference: PlaceDifference) -> str:
    names, declared = fold_hosts(difference.nodes), difference.declared
    if not difference.observed:
        return f"{names}: declared in {declared}, and in no group"
    if difference.stands_with == declared:
        return f"{names}: declared in {declared}, and in {difference.observed}, apart from most others of it"
    return f"{names}: declared in {declared}, and in {difference.observed} with nodes of {difference.stands_with}"


def _device_sentence(difference: DeviceDifference) -> str:
    names = fold_hosts(difference.nodes)
    if difference.driver == observed_devices.GPUS:
        return f"{names}: declared with {difference.declared} GPUs, and publishes {difference.published}"
    return f"{names}: declared in an NVLink domain, and publishes nothing for ComputeDomains"
