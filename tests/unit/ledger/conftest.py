from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


def postgres_programs() -> Path:
    """Debian keeps the server's programs off PATH, one folder per version."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of its own, on a socket below /tmp alone; yields the URL of an empty database."""
    folder = Path("/tmp") / f"rackwright-pg-{os.getpid()}"
    as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder.mkdir(mode=0o755)
    if as_postgres:
        shutil.chown(folder, "postgres")
    programs = postgres_programs()
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
    try:
        initdb = [f"{programs}/initdb", "-D", f"{folder}/data", "-U", "rackwright", "-A", "trust", "--no-sync"]
        subprocess.run([*as_postgres, *initdb], **quiet)
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        control = [*as_postgres, f"{programs}/pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log"]
        subprocess.run([*control, "-o", options, "start"], **quiet)
        yield f"postgresql://rackwright@/postgres?host={folder}"
        subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
