"""The end of the ledger's hash chain at some time; sealed elsewhere, it shows when a ledger was truncated."""

from __future__ import annotations

from rackwright.model.base import Record


class LedgerHead(Record):
    """The last link of the chain."""

    link: int
    """Its number, from 1."""
    hash: str
    """SHA-256 as hex, over all links up to it."""
