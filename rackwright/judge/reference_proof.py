"""Holds limits against healthy and faulty machines of the field, by the comparison that judges a node (`compare.floors`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.compare import floors
from rackwright.compare.limits import limit, limits_about
from rackwright.judge.limits import LimitTable
from rackwright.model.check import Expectation
from rackwright.model.design import Node
from rackwright.model.reference import FieldReading, FieldReference
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill
from rackwright.model.verdict import Finding, Outcome

BAD = (Outcome.FAIL, Outcome.DEGRADED)


@dataclass(frozen=True)
class HardwareChoice:
    """What nodes can be made of."""

    servers: Mapping[str, Server]
    accelerators: Mapping[str, Accelerator]

    def nodes(self) -> Iterator[Node]:
        """A node of every server, then one with each accelerator that no server has."""
        fitted = {server.accelerator for server in self.servers.values()}
        pairs = [(server, self.accelerators.get(server.accelerator or "")) for server in self.servers.values()]
        first = next(server for server, part in pairs if part is not None)
        pairs += [(first, part) for name, part in self.accelerators.items() if name not in fitted]
        for server, part in pairs:
            count = server.accelerators * (part.devices if part is not None else 1)
            yield Node("reference", "", "accelerator", "", 0, 0, 0, count, "", "", "none", server, part)


def unproven(
    references: Iterable[TableRow[FieldReference]], table: LimitTable, hardware: HardwareChoice
) -> Iterator[Problem]:
    """Healthy readings that do not pass under their rows, and faulty ones that do."""
    nodes = [Expectation(node, (), Bill(), table) for node in hardware.nodes()]
    for row in references:
        for match in row.record.matches if row.record.metric else []:
            for reading, good in [(r, True) for r in row.record.healthy] + [(r, False) for r in row.record.faulty]:
                finding = judged(row.record.metric, match, reading, table, nodes) if reading.value is not None else None
                if (
                    finding is not None
                    and (finding.outcome is Outcome.PASS if good else finding.outcome in BAD) is False
                ):
                    yield _problem(row, reading, finding, "pass" if good else "fail")


def judged(
    metric: str, match: Mapping[str, str], reading: FieldReading, table: LimitTable, nodes: Iterable[Expectation]
) -> Finding:
    """What the comparison finds of `reading` on the first node for which the row of `match` holds."""
    [judged_as] = {row.record.judged for row in table.metrics if row.record.metric == metric}
    compare = floors.at_least if judged_as == "at_least" else floors.at_most
    node, key = _place(metric, match, nodes)
    return compare(node, {"reading": reading.value}, metric, what=metric, **key)


def _place(metric: str, match: Mapping[str, str], nodes: Iterable[Expectation]) -> tuple[Expectation, dict[str, str]]:
    """A node, and the keys of the reading that it has not itself. Raises ValueError when no node of the catalog comes under the row."""
    for node in nodes:
        key = {name: text for name, text in match.items() if name not in limits_about(node)}
        held = limit(node, metric, **key)
        if held is not None and held.match == match:
            return node, key
    raise ValueError(f"no node of the catalog comes under {metric} {dict(match)}")


def _problem(row: TableRow[FieldReference], reading: FieldReading, finding: Finding, expected: str) -> Problem:
    name = f"{row.record.metric} {reading.value:g}"
    message = f"({reading.source}) gives {finding.outcome.value}: {finding.says}"
    step = "mend the limit: the field leads; or give the reading that it is of"
    return Problem(row.place, name, message, expected, finding.outcome.value, step, "limits.refused")
