"""Whether runs are what was written, found out beside the reading of what they say."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rackwright.base.errors import ProblemsError
from rackwright.collect.store import hash_chain
from rackwright.collect.store.recording import Store
from rackwright.collect.store.tampering import chain_problems

LARGE = 8 * 1024 * 1024
"""Bytes of an index file from which on hashing takes longer than to fork."""
AT_ONCE = 2
"""Files that are hashed at once: they stay in memory meanwhile."""
PROVEN, DOUBTED = 0, 1


@dataclass
class Proofs:
    """The proofs of some runs of a store, as a context manager: what was read within counts when it is left without `ProblemsError`.

    That error comes before any other one: what was changed after it was written may look like anything.
    """

    store: Store
    _running: list[tuple[str, bytes, int]] = field(default_factory=list)
    """Run, its index file, the process that hashes it."""

    def begin(self, run: str, content: bytes) -> None:
        """Prove `content`, the index file of `run`. ProblemsError when it is short and not what was written; problems of a long one are raised later."""
        if len(self._running) >= AT_ONCE:
            self._end([self._running.pop(0)])
        process = _forked(content) if len(content) >= LARGE else None
        if process is not None:
            self._running.append((run, content, process))
        elif not hash_chain.proven(content):
            self._refuse([(run, content)])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        running, self._running = self._running, []
        self._end(running)

    def _end(self, running: list[tuple[str, bytes, int]]) -> None:
        """Wait for all of `running`. A process that died has not agreed."""
        statuses = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for _, _, process in running]
        self._refuse(
            [(run, content) for (run, content, _), status in zip(running, statuses, strict=True) if status != PROVEN]
        )

    def _refuse(self, doubted: list[tuple[str, bytes]]) -> None:
        """Say what is wrong with index files that are not proven. It may be nothing: other writers order their entries otherwise."""
        problems = [
            problem for run, content in doubted for problem in chain_problems(self.store, run, hash_chain.read(content))
        ]
        if problems:
            raise ProblemsError(problems)


def _forked(content: bytes) -> int | None:
    """The process that ends with `PROVEN` when `content` is; None when there can be none."""
    try:
        process = os.fork()
    except OSError:
        return None
    if process:
        return process
    answer = DOUBTED
    try:
        gc.disable()  # to look for garbage would take apart the pages that both processes share
        answer = PROVEN if hash_chain.proven(content) else DOUBTED
    finally:
        os._exit(answer)
