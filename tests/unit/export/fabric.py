"""Runs the real ibsim and ibnetdiscover on exported net files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rackwright.export.file import ExportFile
from tests.patience import PATIENCE, until

PRELOAD = "umad2sim/libumad2sim.so"


@contextmanager
def simulated(folder: Path, net: ExportFile) -> Iterator[dict[str, str]]:
    """ibsim with `net`, with the options that its second line says; gives the environment of its clients."""
    text = net.text()
    (folder / net.name).write_text(text)
    arguments = text.splitlines()[1].removeprefix("# ").split()
    name = f"export-{os.getpid()}-{net.name}"
    env = {**os.environ, "IBSIM_SOCKNAME": name, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    host = next(line.split('"')[1] for line in text.splitlines() if line.startswith("Hca"))
    libraries = list(Path("/usr/lib").glob(f"*/{PRELOAD}"))
    with (folder / "ibsim.log").open("w") as log:
        running = subprocess.Popen(arguments, cwd=folder, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            until(lambda: _listens(running, name, folder / "ibsim.log"), "ibsim did not start")
            yield {**env, "SIM_HOST": host, "LD_PRELOAD": str(libraries[0])}
        finally:
            running.terminate()
            running.wait(PATIENCE)


def _listens(running: subprocess.Popen[bytes], name: str, log: Path) -> bool:
    assert running.poll() is None, log.read_text()[-2000:]
    return f"@{name}:ctl" in Path("/proc/net/unix").read_text()


def client(env: dict[str, str], *command: str) -> str:
    """What a program of infiniband-diags prints there."""
    program = shutil.which(command[0], path=env["PATH"]) or command[0]
    done = subprocess.run([program, *command[1:]], env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout
