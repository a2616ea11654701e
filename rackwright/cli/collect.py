"""``rackwright collect SITE``: takes evidence of nodes, BMCs and fabric, stores it, and says what came of each node."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rackwright.cli import access, output, site
from rackwright.cli.progress import StepProgress
from rackwright.errors import ExitCode

if TYPE_CHECKING:
    from rackwright.model.check import NodeEvidence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the workspace, and the output format."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Ask, store, read, print; 1 when a record that a node owes is missing."""
    loaded = site.load(args)
    way_in = access.from_site(loaded.site, near=loaded.path)
    design = site.expand(loaded)
    nodes = site.nodes(args, design)
    from rackwright import collect  # paramiko takes time that a wrong call need not wait

    store = collect.Store(site.workspace(args, loaded.site).folder("evidence"))
    with StepProgress(["collect"], quiet=args.format == "json") as progress:
        shown = Shown(progress)
        evidence = collect.gather(design, nodes, way_in, store, shown)
        missing = sum(len(one.errors) for one in evidence.values())
        progress.end("collect", "failed" if missing else "done", sentence(evidence))
    if args.format == "json":
        output.emit({"run": shown.run, "path": str(store.path(shown.run)), "nodes": plain(evidence)})
    else:
        _print(evidence)
        print(f"run {shown.run}: {store.path(shown.run)}")
    return ExitCode.PROBLEMS if missing else ExitCode.PASS


class Shown:
    """Events of the run as they are shown: one step of the bar per machine that is through."""

    def __init__(self, progress: StepProgress) -> None:
        self._progress = progress
        self.run = ""

    def __call__(self, kind: str, data: dict[str, Any]) -> None:
        """Show one event."""
        if kind == "start":
            self.run = data["run"]
            self._progress.start("collect", total=data["hosts"] + data["bmcs"])
        elif kind in {"host", "bmc"}:
            self._progress.advance(f"{data['node']} {kind}")


def sentence(evidence: dict[str, NodeEvidence]) -> str:
    """What came of the run, in one sentence."""
    records = sum(len(one.records) for one in evidence.values())
    silent = [node for node, one in evidence.items() if not one.records]
    incomplete = [node for node, one in evidence.items() if one.errors and one.records]
    told = [f"{records} records of {len(evidence)} nodes"]
    told += [f"{len(silent)} told nothing"] if silent else []
    told += [f"{len(incomplete)} lack something"] if incomplete else []
    return ", ".join(told)


def plain(evidence: dict[str, NodeEvidence]) -> dict[str, Any]:
    """Evidence as data: records and hashes by kind, and what is missing by collector."""
    return {
        node: {
            "records": {kind.__name__: record.model_dump() for kind, record in one.records.items()},
            "raw": {kind.__name__: name for kind, name in one.raw.items()},
            "errors": dict(one.errors),
        }
        for node, one in evidence.items()
    }


def _print(evidence: dict[str, NodeEvidence]) -> None:
    width = max(map(len, evidence), default=0)
    for node, one in evidence.items():
        kinds = ", ".join(sorted(kind.__name__ for kind in one.records)) or "nothing"
        print(f"{node:<{width}}  {kinds}")
        for error in dict.fromkeys(one.errors.values()):
            missing = ", ".join(identity for identity, said in one.errors.items() if said == error)
            print(f"{'':<{width}}  no {missing}: {error}")
