"""Runs programs, in place of ``AnsibleModule.run_command``.

A daemon that a program leaves running with its output open does not block the call, as there.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess

PIECE = 1 << 16
LOOK_SECONDS = 0.2
"""Interval at which a program with open output is checked: it may have ended while a process that it started has not."""


def run_command(argv, *, environ_update=None, data=None, binary_data=False, handle_exceptions=False):  # noqa: ARG001
    """(status, output, errors) of a program; OSError if it does not exist.

    `data` is its input, ended by a newline unless it is binary, as in ``AnsibleModule.run_command``.
    """
    stdin = data if binary_data or data is None else f"{data}\n".encode()
    pipe = subprocess.PIPE
    with subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL if stdin is None else pipe,
        stdout=pipe,
        stderr=pipe,
        env={**os.environ, **(environ_update or {})},
    ) as process:
        if process.stdin:
            with contextlib.suppress(BrokenPipeError), process.stdin:
                process.stdin.write(stdin)
        out, err = _read_outputs(process)
    return process.returncode, out, err


def _read_outputs(process):
    outputs = {process.stdout: [], process.stderr: []}
    with selectors.DefaultSelector() as selector:
        for stream in outputs:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ended = process.poll() is not None
            ready = selector.select(0 if ended else LOOK_SECONDS)
            if ended and not ready:
                break
            for key, _ in ready:
                piece = os.read(key.fd, PIECE)
                outputs[key.fileobj].append(piece)
                if not piece:
                    selector.unregister(key.fileobj)
    return [b"".join(pieces).decode(errors="surrogateescape") for pieces in outputs.values()]
