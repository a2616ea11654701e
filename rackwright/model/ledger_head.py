"""The end of the ledger's hash chain at some time: what is sealed elsewhere, so that a ledger that was cut short shows."""

from __future__ import annotations

from rackwright.model.base import Record


class LedgerHead(Record):
    """The last link of the chain."""

    link: int
    """Its number, from 1."""
    hash: str
    """SHA-256 as hex, over all links up to it."""
