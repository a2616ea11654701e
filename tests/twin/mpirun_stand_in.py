#!/usr/bin/env python3
"""An mpirun for nodes of the twin: one task on each host over SSH, with the variables and tags of Open MPI 4.1, and nothing of MPI.

That a real Open MPI takes the
same arguments, and prints so, is tested beside the launcher.
"""

import shlex
import subprocess
import sys
import threading

VALUED = ("--host", "-np", "--map-by", "--bind-to")
FLAGS = ("--allow-run-as-root", "--tag-output")
SSH = (
    "ssh",
    "-o",
    "BatchMode=yes",
    "-o",
    "StrictHostKeyChecking=no",
    "-o",
    "UserKnownHostsFile=/dev/null",
    "-o",
    "LogLevel=ERROR",
)


def options_of(words):
    """Options by name, and the command."""
    options = {}
    while words and words[0].startswith("-"):
        name = words.pop(0)
        if name not in (*VALUED, *FLAGS):
            sys.exit(f"mpirun: Error: unknown option {name!r}")
        options[name] = words.pop(0) if name in VALUED else ""
    return options, words


def start(rank, host, size, command):
    variables = {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": size, "PMIX_NAMESPACE": 1234567890}
    line = shlex.join(["env", *(f"{name}={value}" for name, value in variables.items()), *command])
    return subprocess.Popen([*SSH, host, line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def forward(rank, task):
    for line in task.stdout:
        sys.stdout.write(f"[1,{rank}]<stdout>:{line}")


def main():
    options, command = options_of(sys.argv[1:])
    hosts = [entry.removesuffix(":1") for entry in options["--host"].split(",")]
    tasks = [start(rank, host, len(hosts), command) for rank, host in enumerate(hosts)]
    readers = [threading.Thread(target=forward, args=reader) for reader in enumerate(tasks)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return max(task.wait() for task in tasks)


if __name__ == "__main__":
    sys.exit(main())
