"""One way to ask: versions as keywords, the hardware by SKU, changes of the accelerator under `part`."""

from __future__ import annotations

from typing import Any

from rackwright import catalog, compat
from rackwright.compat import CompatibilityAnswer
from rackwright.model.software import Bill
from rackwright.model.times import parse_day

KNOWN = catalog.load()
DAY = "2026-10-22"


def ask(day: str = DAY, **fields: Any) -> list[CompatibilityAnswer]:
    """The answers of a question as the cases write it: fields of the bill, and ``gpu``, ``server``, ``part``, ``facts``."""
    server = KNOWN.servers.get(fields.pop("server", ""))
    gpu = fields.pop("gpu", server.accelerator if server else None)
    accelerator = KNOWN.accelerators[gpu].model_copy(update=fields.pop("part", {})) if gpu else None
    more = fields.pop("facts", {})
    bill = Bill(**fields)
    return compat.judge_facts({**compat.facts_of(bill, accelerator, server), **more}, bill.images or [], parse_day(day))
