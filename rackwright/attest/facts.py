"""What a signature says: of which site and run, what it rests on, and which nodes were accepted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict

from rackwright.model.base import Record
from rackwright.model.gate import Waiver
from rackwright.model.ledger_head import LedgerHead
from rackwright.model.times import IsoTime, parse_time


def _waiver_with_end(waiver: Waiver) -> Waiver:
    _ = waiver.last_day  # raises ValueError
    return waiver


class Basis(Record):
    """What the verdicts rest on, by hash (`rackwright.judge.basis`)."""

    model_config = ConfigDict(extra="allow")

    rackwright: str
    """Version of the program that judged."""
    evidence: dict[str, str]
    """Last hash of the chain of every run of the evidence, by run."""
    site_folder_sha256: str = ""
    """Of the folder of the site; empty without one."""
    # Everything else that decides has its hash here as well, by the names of `rackwright.flow.judgement_basis.SUBJECTS`.


class HandoverFacts(Record):
    """The predicate of a signed statement. A later rackwright may add facts; what stands here never changes its meaning."""

    model_config = ConfigDict(extra="allow")

    site: str
    run: str
    created: IsoTime
    """ISO time of the decision."""
    rehearsal: bool
    basis: Basis
    verdicts_sha256: str
    gate: str
    accepted: list[str]
    refused: list[str]
    waivers: list[Annotated[Waiver, AfterValidator(_waiver_with_end)]] = []
    calibrations: list[dict[str, Any]] = []
    ledger: LedgerHead | None = None
    """The end of the ledger at the decision; None in older statements."""
    signed_with: str = ""
    """Version of the program that signed."""

    @property
    def created_at(self) -> datetime:
        """`created` as a time."""
        return parse_time(self.created)
