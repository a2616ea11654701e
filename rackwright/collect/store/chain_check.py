"""Checks that runs are unchanged, in parallel to the parsing of their content."""

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
"""Size of an index file in bytes from which hashing takes longer than a fork."""
AT_ONCE = 2
"""Number of files that are hashed at once: they stay in memory meanwhile."""
PROVEN, DOUBTED = 0, 1


@dataclass
class Proofs:
    """Context manager that checks some runs of a store: content read within it counts if it exits without
    `ProblemsError`.

    That error takes precedence over all others: a file that was changed may have any content.
    """

    store: Store
    _running: list[tuple[str, bytes, int]] = field(default_factory=list)
    """Run, its index file, and the process that hashes it."""

    def begin(self, run: str, content: bytes) -> None:
        """Check `content`, the index file of `run`.

        ProblemsError if a short one was changed; problems of a long one are raised later.
        """
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
        """Wait for all of `running`. A process that died counts as a failed check."""
        statuses = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for _, _, process in running]
        self._refuse(
            [(run, content) for (run, content, _), status in zip(running, statuses, strict=True) if status != PROVEN]
        )

    def _refuse(self, doubted: list[tuple[str, bytes]]) -> None:
        """Raise the problems of index files that are not proven.

        There may be none: other writers may order the fields of entries differently.
        """
        problems = [
            problem for run, content in doubted for problem in chain_problems(self.store, run, hash_chain.read(content))
        ]
        if problems:
            raise ProblemsError(problems)


def _forked(content: bytes) -> int | None:
    """Id of a process that ends with `PROVEN` if `content` is; None if no process can be forked."""
    try:
        process = os.fork()
    except OSError:
        return None
    if process:
        return process
    answer = DOUBTED
    try:
        gc.disable()  # garbage collection would copy the pages that both processes share
        answer = PROVEN if hash_chain.proven(content) else DOUBTED
    finally:
        os._exit(answer)
