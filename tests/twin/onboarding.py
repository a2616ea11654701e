"""The onboarding of a twin of two nodes with their Slurm controller, which the tests of onboarding share."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from tests.patience import until
from tests.shell import Shell


class Onboarding:
    """Runs `rackwright onboard` inside the twin, and looks at its hosts."""

    def __init__(self, twin: Shell, site: Path, work: Path) -> None:
        self.twin, self.site, self.work = twin, site, work

    def command(self, *words: str) -> str:
        """The command line; for all hosts unless `words` name them."""
        call = [sys.executable, "-m", "rackwright", "onboard", str(self.site), "--work", str(self.work)]
        return shlex.join([*call, "--format", "json", *(words if "--nodes" in words else ("--nodes", "2", *words))])

    def run(self, *words: str) -> tuple[int, dict]:
        """Exit code and recap."""
        code, output = self.twin.run(self.command(*words))
        return code, json.loads(output[output.index("{") :])

    def changed(self, *words: str) -> dict[str, int]:
        """How many tasks changed something on each host, in a run that must end well."""
        code, recap = self.run(*words)
        assert code == 0, recap
        return {name: host["changed"] for name, host in recap["hosts"].items()}

    def status(self, *words: str) -> dict[str, str]:
        """How each host ended."""
        return {name: host["status"] for name, host in self.run(*words)[1]["hosts"].items()}

    def on(self, host: str, command: str) -> str:
        """Output of a command on a host."""
        return self.twin.say(f"ssh {host} {shlex.quote(command)}")

    def node(self, name: str) -> tuple[str, str]:
        """State and reason that slurmctld gives to a node."""
        state, _, reason = self.on("slurm-01", f"sinfo -h -N -n {name} -o '%T|%E'").partition("|")
        return state.rstrip("*"), reason

    def resume(self, *names: str) -> None:
        """Give nodes back to Slurm."""
        for name in names:
            self.on("slurm-01", f"scontrol update nodename={name} state=resume")
            until(lambda name=name: self.node(name)[0] == "idle")

    def job(self, name: str) -> str:
        """The number of a job that runs on a node until somebody ends it."""
        number = self.on("slurm-01", f"cd /tmp; sbatch --uid=acceptance --parsable -w {name} --wrap 'sleep 3600'")
        until(lambda: number in self.on("slurm-01", "squeue -h -t R -o %A"))
        return number
