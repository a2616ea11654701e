"""What a fleet check says of many nodes, without a sentence that nobody reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from rackwright.model.verdict import Finding


class Answers(Mapping[str, Finding]):
    """A finding for every node, by name; that of a node that passes is made when it is asked for."""

    def __init__(
        self, names: AbstractSet[str], others: Mapping[str, Finding], passing: Callable[[str], Finding]
    ) -> None:
        """All nodes, as the keys of a mapping in their order; what is said of those that do not pass, and of one that does."""
        self._names, self._others, self._passing = names, others, passing

    @property
    def passed(self) -> AbstractSet[str]:
        """The nodes that pass."""
        return self._names - self._others.keys()

    def __getitem__(self, name: str) -> Finding:
        if name in self._others:
            return self._others[name]
        if name not in self._names:
            raise KeyError(name)
        return self._passing(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
