"""What one process holds, another does not get, and only that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rackwright.base import file_lock

OTHER = "import sys; from pathlib import Path; from rackwright.base import file_lock\n"
HOLD = "with file_lock.lock_names(Path(sys.argv[1]), sys.argv[2:]) as others:\n    print(*sorted(others), flush=True); input()"


def test_names_are_held_one_by_one_until_the_process_ends(tmp_path: Path) -> None:
    file = tmp_path / "load.lock"
    command = [sys.executable, "-c", OTHER + HOLD, str(file), "train-001", "train-002"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "\n"
        with file_lock.lock_names(file, ["train-002", "train-003"]) as others:
            assert others == {"train-002"}
        holder.kill()
    with file_lock.lock_names(file, ["train-001", "train-002"]) as others:
        assert others == set()
