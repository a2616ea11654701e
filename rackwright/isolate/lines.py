"""Tests and readings as lines of JSON, so that any launcher can run a round and any file of readings can be evaluated.

A line: ``{"round": 1, "nodes": ["a", "b"], "share": 0.98}``, and where they matter ``over`` (fabric, nvlink), ``rails`` (port numbers from 0), ``shift``, ``rail_shares`` and ``why``. ``share`` null: the test did not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from rackwright.base.errors import Problem, ProblemsError
from rackwright.isolate.noise import HIGHEST
from rackwright.isolate.trial import Over, Trial, TrialResult
from rackwright.isolate.wiring import NumberedWiring
from rackwright.model.base import Record

MOST = 10
"""Highest valid share of the expected value; a larger one is in another unit."""
Share = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]


class TrialLine(Record):
    """One test."""

    round: int = Field(ge=1)
    nodes: list[str] = Field(min_length=2)
    """In the order of the ring: each sends to the next."""
    over: Over = "fabric"
    rails: list[int] = []
    shift: int = Field(default=0, ge=0)
    share: Share | None = None
    """Share of the expected value; None: the test did not run."""
    rail_shares: dict[int, Share] = {}
    why: str = ""

    @model_validator(mode="after")
    def _once(self) -> TrialLine:
        if len(set(self.nodes)) < len(self.nodes):
            raise ValueError("a node stands in it twice")
        return self


def dump_trials(round_: int, trials: Iterable[Trial], wiring: NumberedWiring) -> list[dict[str, Any]]:
    """One line per test, without readings."""
    lines = []
    for trial in trials:
        line: dict[str, Any] = {"round": round_, "nodes": [wiring.nodes[node] for node in trial.nodes]}
        line |= {"over": trial.over, "rails": list(trial.rails), "shift": trial.shift}
        lines.append(line | {"share": None})
    return lines


def dump_results(round_: int, results: Iterable[TrialResult], wiring: NumberedWiring) -> list[dict[str, Any]]:
    """One line per test, with its readings."""
    lines = []
    for result in results:
        line = dump_trials(round_, [result.trial], wiring)[0]
        rails = {str(slot): share for slot, share in result.rails.items()}
        lines.append(line | {"share": result.share, "rail_shares": rails, "why": result.why})
    return lines


def load_trials(text: str, place: str, wiring: NumberedWiring) -> list[list[TrialResult]]:
    """Tests by round, in order. Raises ProblemsError with every malformed line."""
    problems: list[Problem] = []
    rounds: dict[int, list[TrialResult]] = {}
    number = {node: index for index, node in enumerate(wiring.nodes)}
    for count, row in enumerate(text.splitlines(), start=1):
        if not row.strip():
            continue
        line_problems = list(_problems(row, f"{place}:{count}", number, wiring.slots))
        problems += line_problems
        if not line_problems:
            line = TrialLine.model_validate_json(row)
            rounds.setdefault(line.round, []).append(_result(line, number))
    if problems:
        raise ProblemsError(problems)
    return [rounds[key] for key in sorted(rounds)]


def _result(line: TrialLine, number: Mapping[str, int]) -> TrialResult:
    trial = Trial(tuple(number[node] for node in line.nodes), line.over, tuple(line.rails), line.shift)
    rails = {slot: min(share, HIGHEST) for slot, share in line.rail_shares.items()}
    return TrialResult(trial, line.share, rails, line.why)


def _problems(row: str, place: str, number: Mapping[str, int], slots: int) -> Iterator[Problem]:
    try:
        line = TrialLine.model_validate_json(row)
    except ValidationError as error:
        for detail in error.errors():
            path = ".".join(str(word) for word in detail["loc"])
            yield _problem(
                place,
                path,
                detail["msg"],
                "a test as `rackwright isolate --plan --out` writes it",
                str(detail["input"])[:80],
            )
        return
    for node in line.nodes:
        if node not in number:
            yield _problem(place, "nodes", "the wiring has no such node", f"{next(iter(number))} and others", node)
    for slot in sorted({*line.rails, *line.rail_shares}):
        if not 0 <= slot < slots:
            yield _problem(place, "rails", "there is no such rail", f"0 to {slots - 1}", str(slot))


def _problem(place: str, path: str, message: str, expected: str, value: str) -> Problem:
    return Problem(place, path, message, expected, value, "mend the line, or leave it out", "isolate.line")
