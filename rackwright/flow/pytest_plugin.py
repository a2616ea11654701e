"""Pytest plugin: ``pytest validators/ --site SITE`` shows stored evidence as one test per (check, node).

It judges with the same `judge.judge_evidence` as ``rackwright judge`` and connects to no machine. Everything but a pass fails
the item: a skipped item would look like consent. ``validators/conftest.py`` enables it. Tests of live hosts
(``validators/live``) are collected only if their folder is named.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rackwright import design, gate, judge, spec
from rackwright.base import content
from rackwright.base.errors import RackwrightError, UsageError
from rackwright.base.workspace import default_workspace
from rackwright.flow.stored_evidence import recall
from rackwright.gate.check_patterns import CheckRole, check_roles
from rackwright.model.design import Design
from rackwright.model.gate import Decision, Gate
from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin.hosts import namespaces


@dataclass(frozen=True)
class SessionVerdicts:
    """The content of all items of a session."""

    gate: Gate | None
    verdicts: Mapping[str, list[Verdict]]
    """Verdicts by check; with a gate, only checks that the gate uses."""
    decisions: tuple[Decision, ...]
    """The gate's decisions from verdicts alone; waivers and holds are left to ``rackwright gate``."""


JUDGED = pytest.StashKey[SessionVerdicts]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the site, its evidence, the nodes and the gate."""
    group = parser.getgroup("rackwright")
    group.addoption("--site", help="site file, or the folder that holds site.yaml")
    group.addoption("--evidence", help="evidence store (default: .rackwright/<site>/evidence)")
    group.addoption("--node", action="append", default=[], help="only this node; may be repeated, or names with commas")
    group.addoption("--gate", help="only what this gate looks at, and one item per node for its decision")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Live hosts are tested only if the command names their folder: judging connects to no machine."""
    live = content.folder("validators", "live")
    arguments = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    if collection_path.is_relative_to(live) and not any(path.is_relative_to(live) for path in arguments):
        return True
    return None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Every check file is a collector if a site is named; with a gate, so is the file of gates."""
    if parent.config.getoption("--site") is None:
        return None
    if file_path == content.folder("validators", "gates.yaml") and parent.config.getoption("--gate"):
        return GateFile.from_parent(parent, path=file_path)
    checks = content.folder("validators", "checks")
    return CheckFile.from_parent(parent, path=file_path) if _is_check(file_path, checks) else None


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Report an error that stops everything (no evidence, an unknown gate) once, before the first check."""
    if isinstance(collector, CheckFile | GateFile):
        _session_verdicts(collector.config)


def _is_check(path: Path, base: Path) -> bool:
    return path.suffix == ".py" and path.is_relative_to(base)


class CheckFile(pytest.File):
    """One check; its items are the nodes it was judged on."""

    def collect(self) -> Iterable[VerdictItem]:
        """The verdicts of this check, in design order."""
        base = content.folder("validators", "checks")
        check = ".".join(self.path.relative_to(base).with_suffix("").parts)
        judged = _session_verdicts(self.config)
        degraded = judged.gate is not None and judged.gate.allow_degraded
        for verdict in judged.verdicts.get(check, []):
            good = verdict.outcome == Outcome.PASS or (degraded and verdict.outcome == Outcome.DEGRADED)
            message = "" if good else f"{verdict.outcome.value}: {verdict.says}"
            yield VerdictItem.from_parent(
                self, name=f"{check}[{verdict.target}]", message=message, properties=verdict.model_dump(mode="json")
            )


class GateFile(pytest.File):
    """The gates; the items are the nodes that the chosen gate decides on."""

    def collect(self) -> Iterable[VerdictItem]:
        """The decisions, in design order."""
        for decision in _session_verdicts(self.config).decisions:
            message = "" if decision.accepted else decision.reason
            name = f"{self.config.getoption('--gate')}[{decision.node}]"
            yield VerdictItem.from_parent(self, name=name, message=message, properties=decision.model_dump(mode="json"))


class VerdictItem(pytest.Item):
    """One verdict or decision."""

    def __init__(self, *, message: str, properties: Mapping[str, Any], **options: Any) -> None:
        super().__init__(**options)
        self.message = message
        self.user_properties += [(key, str(value)) for key, value in properties.items()]

    def runtest(self) -> None:
        """Fail unless the verdict is a pass."""
        if self.message:
            raise NotPassedError(self.message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The sentence of the verdict, without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotPassedError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The location that pytest prints for the item."""
        return self.path, 0, self.name


class NotPassedError(Exception):
    """The verdict is not a pass."""


def expand_site(config: pytest.Config) -> tuple[Design, list[str] | None]:
    """The design of ``--site`` and the nodes of ``--node`` (None for all). Raises pytest.UsageError if either is invalid."""
    try:
        loaded = spec.load(Path(config.getoption("--site")))
        expanded = design.expand(loaded.site, loaded.catalog)
        names = [name for words in config.getoption("--node") for name in words.split(",") if name]
        unknown = sorted(set(names) - {node.name for node in expanded.nodes()})
        if unknown:
            raise UsageError(f"--node: site {loaded.site.site} has no {', '.join(unknown)}")
    except RackwrightError as error:
        raise pytest.UsageError(str(error)) from error
    return expanded, names or None


def _session_verdicts(config: pytest.Config) -> SessionVerdicts:
    if JUDGED not in config.stash:
        expanded, nodes = expand_site(config)
        try:
            config.stash[JUDGED] = _judge(expanded, nodes, config.getoption("--evidence"), config.getoption("--gate"))
        except RackwrightError as error:
            raise pytest.UsageError(str(error)) from error
    return config.stash[JUDGED]


def _judge(expanded: Design, nodes: list[str] | None, evidence: str | None, name: str | None) -> SessionVerdicts:
    limits = judge.load_limits(roots=expanded.roots)
    folder = (
        Path(evidence)
        if evidence
        else default_workspace(expanded.site.site, twin=namespaces.inside(os.environ)).path / "evidence"
    )
    evidence_by_node = recall(folder, expanded, limits).nodes
    verdicts = judge.judge_evidence(expanded, evidence_by_node, judge.load_checks(expanded.roots), limits, nodes)
    chosen = _gate(name, expanded) if name else None
    grouped: dict[str, list[Verdict]] = defaultdict(list)
    role_of = check_roles(chosen) if chosen else None
    for verdict in verdicts:
        role = role_of(verdict.check) if role_of else CheckRole.ALWAYS
        if role is CheckRole.ALWAYS or (role is CheckRole.WHEN_RUN and verdict.outcome != Outcome.NOT_RUN):
            grouped[verdict.check].append(verdict)
    members = [node.name for node in expanded.nodes("accelerator") if node.name in (nodes or evidence_by_node)]
    abilities = gate.node_capabilities(expanded, members)
    decisions = gate.decide_nodes(verdicts, chosen, [], date.min, members, capabilities=abilities) if chosen else []
    return SessionVerdicts(chosen, grouped, tuple(decisions))


def _gate(name: str, expanded: Design) -> Gate:
    gates = gate.load_gates(roots=expanded.roots)
    if name not in gates:
        raise UsageError(f"--gate {name}: there is no such gate; there are {', '.join(gates)}")
    return gates[name]
