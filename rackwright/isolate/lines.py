"""Tests and readings as lines of JSON, so that any launcher can run a round and any file of readings can be decided. A line: ``{"round": 1, "nodes": ["a", "b"], "share": 0.98}``, and
where they matter ``over`` (fabric, nvlink), ``rails`` (ports are numbers from 0), ``shift``, ``rail_shares`` and ``why``. ``share`` null: it did not
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from rackwright.base.errors import Problem, ProblemsError
from rackwright.isolate.noise import HIGHEST
from rackwright.isolate.trial import Over, Told, Trial
from rackwright.isolate.wiring import Wiring
from rackwright.model.base import Record

MOST = 10
"""Times what is expected; more than that is another unit."""
Share = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]


class Line(Record):
    """One test."""

    round: int = Field(ge=1)
    nodes: list[str] = Field(min_length=2)
    """In the order of the ring: each sends to the next."""
    over: Over = "fabric"
    rails: list[int] = []
    shift: int = Field(default=0, ge=0)
    share: Share | None = None
    """Of what is expected; None: it did not run."""
    rail_shares: dict[int, Share] = {}
    why: str = ""

    @model_validator(mode="after")
    def _once(self) -> Line:
        if len(set(self.nodes)) < len(self.nodes):
            raise ValueError("a node stands in it twice")
        return self


def dump(round_: int, trials: Iterable[Trial], wiring: Wiring) -> list[dict[str, Any]]:
    """One line per test, without readings."""
    lines = []
    for trial in trials:
        line: dict[str, Any] = {"round": round_, "nodes": [wiring.nodes[node] for node in trial.nodes]}
        line |= {"over": trial.over, "rails": list(trial.rails), "shift": trial.shift}
        lines.append(line | {"share": None})
    return lines


def dump_told(round_: int, told: Iterable[Told], wiring: Wiring) -> list[dict[str, Any]]:
    """One line per test, with its readings."""
    found = []
    for one in told:
        line = dump(round_, [one.trial], wiring)[0]
        rails = {str(slot): share for slot, share in one.rails.items()}
        found.append(line | {"share": one.share, "rail_shares": rails, "why": one.why})
    return found


def load(text: str, place: str, wiring: Wiring) -> list[list[Told]]:
    """Tests by round, in the order of their rounds; ProblemsError with every line that cannot be read."""
    problems: list[Problem] = []
    rounds: dict[int, list[Told]] = {}
    number = {node: index for index, node in enumerate(wiring.nodes)}
    for count, row in enumerate(text.splitlines(), start=1):
        if not row.strip():
            continue
        found = list(_problems(row, f"{place}:{count}", number, wiring.slots))
        problems += found
        if not found:
            line = Line.model_validate_json(row)
            rounds.setdefault(line.round, []).append(_told(line, number))
    if problems:
        raise ProblemsError(problems)
    return [rounds[key] for key in sorted(rounds)]


def _told(line: Line, number: Mapping[str, int]) -> Told:
    trial = Trial(tuple(number[node] for node in line.nodes), line.over, tuple(line.rails), line.shift)
    rails = {slot: min(share, HIGHEST) for slot, share in line.rail_shares.items()}
    return Told(trial, line.share, rails, line.why)


def _problems(row: str, place: str, number: Mapping[str, int], slots: int) -> Iterator[Problem]:
    try:
        line = Line.model_validate_json(row)
    except ValidationError as error:
        for one in error.errors():
            path = ".".join(str(word) for word in one["loc"])
            yield _problem(
                place, path, one["msg"], "a test as `rackwright isolate --plan --out` writes it", str(one["input"])[:80]
            )
        return
    for node in line.nodes:
        if node not in number:
            yield _problem(place, "nodes", "the wiring has no such node", f"{next(iter(number))} and others", node)
    for slot in sorted({*line.rails, *line.rail_shares}):
        if not 0 <= slot < slots:
            yield _problem(place, "rails", "there is no such rail", f"0 to {slots - 1}", str(slot))


def _problem(place: str, path: str, message: str, expected: str, found: str) -> Problem:
    return Problem(place, path, message, expected, found, "mend the line, or leave it out", "isolate.line")
