"""Which verdicts change when limits change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.model.base import Record
from rackwright.model.verdict import Outcome, Verdict

ORDER = (Outcome.PASS, Outcome.DEGRADED, Outcome.NOT_RUN, Outcome.INCONCLUSIVE, Outcome.FAIL)
"""From best to worst, as `compare.worst` takes them."""


class Flip(Record):
    """One verdict that is another one under other limits."""

    check: str
    node: str
    old: Outcome
    new: Outcome
    observed: str
    old_expected: str
    """With its source."""
    new_expected: str
    says: str
    """The sentence of the new verdict."""

    @property
    def worse(self) -> bool:
        """Whether the new outcome is the worse one."""
        return ORDER.index(self.new) > ORDER.index(self.old)


def flips(old: Sequence[Verdict], new: Sequence[Verdict]) -> Iterator[Flip]:
    """Every verdict of `new` with another outcome than the one of `old` for the same check and node.

    A check that applies under one table alone counts as `not_run` under the other.
    """
    before = {(verdict.target, verdict.check): verdict for verdict in old}
    after = {(verdict.target, verdict.check): verdict for verdict in new}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        first, last = (verdict.outcome if verdict else Outcome.NOT_RUN for verdict in (was, now))
        if first != last:
            latest = now or was
            assert latest is not None
            yield Flip(
                check=key[1],
                node=key[0],
                old=first,
                new=last,
                observed=latest.observed,
                old_expected=_expected_text(was),
                new_expected=_expected_text(now),
                says=latest.says,
            )


def _expected_text(verdict: Verdict | None) -> str:
    return f"{verdict.expected} ({verdict.source or 'no source'})" if verdict else "does not apply"
