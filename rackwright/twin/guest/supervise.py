"""Runs one command inside fresh network, mount and process namespaces that end with this process.

Three processes: this one, which
the user sees; the first process of the namespaces, which collects orphans; the command. A killed first or second
process makes the kernel kill all the rest, so that nothing of a twin can outlive the command that the user sees.
"""

from __future__ import annotations

import os
import signal
import sys

from . import kernel

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
WATCHED = {*FORWARDED, signal.SIGCHLD}


def main(command: list[str]) -> int:
    """Run `command`; see the module."""
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    kernel.unshare(kernel.NEW_NET | kernel.NEW_MOUNT | kernel.NEW_PID)
    child = os.fork()
    if child == 0:
        kernel.die_with_parent()
        kernel.mount("none", "/", "", kernel.RECURSIVE | kernel.PRIVATE)
        kernel.mount("proc", "/proc", "proc", kernel.NO_SUID | kernel.NO_DEV | kernel.NO_EXEC)
        os._exit(_first(command))
    return _watch(child)


def _first(command: list[str]) -> int:
    child = os.fork()
    if child == 0:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # one that came since the fork: an end without a traceback
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        try:
            os.execvp(command[0], command)  # noqa: S606 - an argument list
        except OSError as error:
            print(f"rackwright: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
            os._exit(127)
    return _watch(child)


def _watch(child: int) -> int:
    """Wait for `child`, pass on signals that were sent to this process alone, and collect every other orphan."""
    while early := signal.sigtimedwait(FORWARDED, 0):  # sent before there was a child to hear them
        os.kill(child, early.si_signo)
    while True:
        info = signal.sigwaitinfo(WATCHED)
        if info.si_signo == signal.SIGCHLD:
            status = _reap(child)
            if status is not None:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
        elif info.si_code <= 0:  # sent by kill(2); the terminal sends its own to the whole foreground group already
            os.kill(child, info.si_signo)


def _reap(child: int) -> int | None:
    ended = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        if pid == child:
            ended = status
