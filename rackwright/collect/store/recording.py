"""The evidence store: append-only, tamper-evident, safe against a kill at any moment.

    objects/ab/<sha256>.gz   raw bytes, written first; tables of parsed records, written when the run ends
    runs/<run>.jsonl         requests, answers, tables of records, in a hash chain; the first entry also
                             carries the head of the run before, so that a missing run is detected

It parses nothing.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from rackwright import __version__
from rackwright.base import foreign
from rackwright.base.durable_file import sync_folder
from rackwright.base.errors import OutsideError
from rackwright.collect.output import Output
from rackwright.collect.store import hash_chain
from rackwright.collect.store.objects import ObjectFolder
from rackwright.model.ledger_head import LedgerHead

BEGIN, OUTPUT, END = "begin", "output", "end"
"""Kinds of entries."""
ENDING = 2
"""Entries that end a run: the tables of its records, and that it is complete."""
NUMBERS = 1 << 23
"""Random numbers that distinguish the runs of one second; as many more remain for runs that follow one of them."""
INDEX = foreign.limit("run_index")
WINDOW = 64 * 1024
"""Bytes at the end of an index file in which the last entries are searched first."""


class Store:
    """The evidence of one site, below `folder`.

    The first entry of a new run names the `twin` of its machines (empty for real machines), and the head of the
    `ledger` at that time.
    """

    def __init__(self, folder: Path, twin: str = "", ledger: LedgerHead | None = None) -> None:
        self.folder, self._twin, self._ledger = folder, twin, ledger
        self.objects = ObjectFolder(folder / "objects")
        self._runs = folder / "runs"

    def begin(self, header: Mapping[str, Any], now: datetime) -> Recording:
        """Start a run; `header` holds the requests and the collectors whose records each node owes. Use the result as a
        context manager.

        OutsideError if the newest run began after `now`: the new one would count as older.
        """
        self._runs.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two runs that begin together must not follow the same one
            for abandoned in self._runs.glob("*.new"):  # by a process that was killed before the first entry was whole
                abandoned.unlink()
            run, begun_at = self._run_name(now.astimezone(UTC)), now.astimezone(UTC).isoformat()
            entry: dict[str, Any] = {"kind": BEGIN, "run": run, "taken": begun_at, "rackwright": __version__}
            entry |= {"twin": self._twin} if self._twin else {}
            entry |= {"ledger": self._ledger.model_dump()} if self._ledger else {}
            return Recording(self, self.path(run), {**entry, **header, **self._last_entry()})

    def runs(self) -> list[str]:
        """Ids of all runs, oldest first."""
        return sorted(path.stem for path in self._runs.glob("*.jsonl"))

    def latest(self, purpose: str = "state") -> str:
        """Id of the newest run for `purpose`; OutsideError if there is none."""
        for run in reversed(self.runs()):
            if self.purpose(run) == purpose:
                return run
        raise OutsideError(f"{self.folder} holds no evidence: run `rackwright collect` first")

    def twin(self, run: str) -> str:
        """Name of the twin whose machines a run is about, from its first entry; empty for real machines.

        OutsideError without the run.
        """
        return str(self.first(run).get("twin", ""))

    def first(self, run: str) -> hash_chain.Entry:
        """The first entry of a run, without reading the others; empty if the run has none.

        OutsideError without the run.
        """
        with self.open(run) as file:
            entries = hash_chain.read(file.readline()).entries
        return entries[0] if entries else {}

    def purpose(self, run: str) -> str:
        """Purpose of a run (``state``, ``load``, ``group``), from its first entry alone."""
        first = self.first(run)
        return str(first.get("purpose", "state")) if first else ""

    def path(self, run: str) -> Path:
        """The index file of a run."""
        return self._runs / f"{run}.jsonl"

    def content(self, run: str) -> bytes:
        """The bytes of the index file of a run; OutsideError if there is no such run."""
        with self.open(run) as file:
            return file.read()

    def open(self, run: str) -> BinaryIO:
        """The index file of a run, opened for reading.

        OutsideError if there is no such run, or it is larger than the limit.
        """
        try:
            file = self.path(run).open("rb")
        except FileNotFoundError:
            raise self._unknown_run(run) from None
        if os.fstat(file.fileno()).st_size > INDEX.bytes:
            file.close()
            raise OutsideError(
                f"{self.path(run)} is larger than {foreign.size(INDEX.bytes)}, which no run of rackwright is: ask whoever handed it over"
            )
        return file

    def ending(self, run: str) -> Sequence[hash_chain.Entry]:
        """The last two entries of a run, without reading the others; one if its last line was cut off.

        OutsideError if there is no such run.
        """
        with self.open(run) as file:
            size, window = file.seek(0, os.SEEK_END), WINDOW
            lines: list[bytes] = []
            while len(lines) < ENDING and window < WINDOW + 2 * size:
                file.seek(-min(size, window), os.SEEK_END)
                lines = file.read().splitlines(keepends=True)[window < size :]
                window *= 2
        return hash_chain.read(b"".join(lines[-ENDING:])).entries

    def head(self, run: str) -> str:
        """Hash of the last entry of a run, which proves all of it; OutsideError if there is no such run."""
        last = self.ending(run)
        return str(last[-1]["hash"]) if last else self.index(run).head

    def index(self, run: str) -> hash_chain.Index:
        """The entries of a run; OutsideError if there is no such run."""
        return hash_chain.read(self.content(run))

    def _unknown_run(self, run: str) -> OutsideError:
        latest = ", ".join(self.runs()[-3:]) or "none"
        return OutsideError(f"{self.folder} holds no run {run!r}: name one of its runs (last: {latest})")

    def _run_name(self, now: datetime) -> str:
        """The id of a run that begins now; it sorts after all others, also after those of the same second."""
        stamp, number = f"{now:%Y%m%dT%H%M%SZ}", secrets.randbelow(NUMBERS)
        last = next(iter(self.runs()[-1:]), "")
        if last[: len(stamp)] > stamp:
            raise OutsideError(
                f"{self.path(last)} began after the clock of this machine ({now.isoformat()}): "
                "set the clock, or move that run away when it was the wrong one then"
            )
        if last.startswith(stamp):
            number = int(last[len(stamp) + 1 :], 16) + 1
        return f"{stamp}-{number:06x}"

    def _last_entry(self) -> dict[str, str]:
        runs = self.runs()
        entries = self.index(runs[-1]).entries if runs else ()
        return {"after_run": runs[-1] if runs else "", "after_hash": str(entries[-1]["hash"]) if entries else ""}


class Recording:
    """A run that is being written: raw bytes first, then the entry; both are durable when `add` returns."""

    def __init__(self, store: Store, path: Path, header: hash_chain.Entry) -> None:
        self._store = store
        unfinished = path.with_suffix(".new")  # a run has its first entry, or it does not exist
        self._file = unfinished.open("xb")
        os.fchmod(self._file.fileno(), 0o600)
        self._previous = ""
        self._outputs = 0
        self.run = str(header["run"])
        self._append(header)
        unfinished.rename(path)
        sync_folder(path.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._append({"kind": END, "outputs": self._outputs})
        self._file.close()

    def add(self, output: Output) -> None:
        """Store one answer."""
        self.add_all([output])

    def add_all(self, outputs: Sequence[Output]) -> None:
        """Store answers that arrived together: the disk makes all of them durable at once."""
        names = self._store.objects.put_all(
            [content for output in outputs for content in (output.stdout, output.stderr)]
        )
        entries = []
        for output, stdout, stderr in zip(outputs, names[::2], names[1::2], strict=True):
            entry_fields = {field.name: getattr(output, field.name) for field in fields(output)}
            for name in ("nodes", "boots"):
                if not entry_fields[name]:
                    del entry_fields[name]
            entries.append({"kind": OUTPUT, **entry_fields, "stdout": stdout, "stderr": stderr})
        self._append(*entries)
        self._outputs += len(outputs)

    def note(self, entry: Mapping[str, Any]) -> None:
        """Append an entry that is not an answer."""
        self._append(entry)

    def _append(self, *entries: Mapping[str, Any]) -> None:
        for entry in entries:
            sealed = hash_chain.seal(entry, self._previous)
            self._file.write(hash_chain.line(sealed))
            self._previous = sealed["hash"]
        self._file.flush()
        os.fsync(self._file.fileno())
