"""A finding whose sentence is built only when it is read: most checks pass on most nodes, and those sentences are never displayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import PrivateAttr

from rackwright.model.verdict import Finding, Outcome


class LazyFinding(Finding):
    """A finding whose outcome is decided, and whose other fields are built on first use.

    It is compared, copied, dumped and pickled as the complete finding.
    """

    # Read from the mapping that holds them: pydantic's own way to a private attribute takes ten times as long as to word most findings.
    _word: Callable[[], Finding] = PrivateAttr()
    _worded: Finding | None = PrivateAttr(None)

    @classmethod
    def of(cls, outcome: Outcome, word: Callable[[], Finding]) -> LazyFinding:
        """A finding with `outcome`; `word` builds the complete finding, which must have the same outcome."""
        return cls.with_private({"outcome": outcome}, {"_word": word, "_worded": None})

    def worded(self) -> Finding:
        """The complete finding. ValueError if its outcome differs from the decided one."""
        state: dict[str, Any] = self.__pydantic_private__ or {}
        full: Finding | None = state["_worded"]
        if full is None:
            full = worded(state["_word"]())
            if full.outcome is not self.outcome:
                raise ValueError(f"decided {self.outcome}, worded as {full.outcome}: {full.says}")
            state["_worded"] = full
        return full

    def __getattr__(self, name: str) -> Any:
        if name in Finding.model_fields:
            return getattr(self.worded(), name)
        return super().__getattr__(name)  # type: ignore[misc]

    def __eq__(self, value: object) -> bool:
        return self.worded() == (value.worded() if isinstance(value, LazyFinding) else value)

    def __hash__(self) -> int:
        return hash(self.worded())

    def __repr__(self) -> str:
        return repr(self.worded())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.worded().__reduce_ex__(protocol)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Any:
        """A copy of the complete finding."""
        return self.worded().model_copy(update=update, deep=deep)

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The fields of the complete finding."""
        return self.worded().model_dump(**options)


def passed(word: Callable[[], Finding]) -> LazyFinding:
    """A finding with outcome pass; `word` builds the complete finding."""
    return LazyFinding.of(Outcome.PASS, word)


def worded(finding: Finding) -> Finding:
    """The complete finding: itself, unless it is a `LazyFinding`."""
    return finding.worded() if type(finding) is LazyFinding else finding  # pydantic answers `isinstance` in Python
