"""Compiles the tests once: `python -m tests.compiled`.

The workers of `make unit` and of `make system` start together and read the same files in the same order: on a clean checkout each of them
compiles, and rewrites the assertions of, what it would have found a moment later.
"""

from __future__ import annotations

import compileall
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from _pytest.assertion import rewrite

TESTS = Path(__file__).parent
REWRITTEN = ("test_*.py", "conftest.py")
"""What pytest rewrites; it keeps that beside what Python compiles, under a name of its own."""


def compile_test(source: Path) -> None:
    """Compile `source` as the import of pytest's workers does, unless their cache has it as it is now."""
    if not any(source.match(pattern) for pattern in REWRITTEN):
        compileall.compile_file(source, quiet=1)
        return
    folder = rewrite.get_cache_dir(source)
    cached = folder / f"{source.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(source, cached):
        return
    digest, code = rewrite._rewrite_test(source, None)  # type: ignore[arg-type]  # no config: no hook for assertions that pass
    folder.mkdir(exist_ok=True)
    written = folder / f"{cached.name}.{os.getpid()}"
    with written.open("wb") as file:
        rewrite._write_pyc_fp(file, digest, code)
    written.replace(cached)  # whole or not at all: another run may read it now


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        list(pool.map(compile_test, sorted(TESTS.rglob("*.py")), chunksize=20))
