"""State of one act on a host: check mode, changes by role, differences, and actions that are still due."""

from __future__ import annotations

import fnmatch
import time
from pathlib import Path

PENDING = "/var/lib/rackwright/pending"


class ActError(Exception):
    """A declaration that cannot be brought about; the message is what the operator reads."""


class Act:
    """One act on one host: a single call of ``node_state``."""

    def __init__(self, module, pending=PENDING, due=(), *, looking=False):
        """`module` runs commands and tells check mode; `pending` is the folder of actions still due.

        `due`: actions that an earlier act of the same check would have left due; a check writes nothing, so the caller passes them on. `looking`:
        nothing is changed in any case, and nothing that may still come right is waited for.
        """
        self.module = module
        self.check = module.check_mode or looking
        self.patient = not looking
        self.roles = {}
        self.diffs = []
        self.role = ""
        self._folder = Path(pending)
        self._due = {*due, *(path.name for path in self._folder.glob("*") if self._folder.is_dir())}

    def of(self, role):
        """Begin with the declarations of `role`; returns a context that counts its seconds."""
        self.role = role
        self.roles.setdefault(role, {"changed": [], "seconds": 0.0})
        return _Clock(self.roles[role])

    def changed(self, what, before="", after=""):
        """Record a change that was made, or in a check would be made."""
        self.roles[self.role]["changed"].append(what)
        if before != after:
            self.diffs.append({"before_header": what, "after_header": what, "before": before, "after": after})

    def run(self, argv, **options):
        """(status, output, errors) of a program; a program that is not there ends with 127, as in a shell."""
        options.setdefault("environ_update", {"LC_ALL": "C.UTF-8"})
        try:
            return self.module.run_command(list(argv), handle_exceptions=False, **options)
        except OSError as error:
            return 127, "", f"{argv[0]}: {error.strerror}"

    def must(self, argv, what, **options):
        """Output of a program that has to succeed; ActError with its own error."""
        code, out, err = self.run(argv, **options)
        if code != 0:
            raise ActError(f"{what}: `{' '.join(argv)}` ended with {code}: {last_words(err or out)}")
        return out

    def due(self, key):
        """Whether an action was requested and has not been done since."""
        return key in self._due

    def still_due(self):
        """Names of all actions still due, in order."""
        return sorted(self._due)

    def ask(self, path, watchers):
        """Record the actions that must follow a change of `path`, before it changes."""
        for key in [key for key, patterns in watchers.items() if matches_any(path, patterns)]:
            self._due.add(key)
            if not self.check:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                (self._folder / key).touch()

    def done(self, key):
        """Record that a requested action has been done."""
        self._due.discard(key)
        if not self.check:
            (self._folder / key).unlink(missing_ok=True)


class _Clock:
    """Adds the seconds of a block to the account of a role."""

    def __init__(self, account):
        self._account = account

    def __enter__(self):
        self._started = time.monotonic()

    def __exit__(self, *_):
        spent = time.monotonic() - self._started
        self._account["seconds"] = round(self._account["seconds"] + spent, 3)


def matches_any(path, patterns):
    """Whether a path is one of `patterns` (fnmatch)."""
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def last_words(text, lines=3):
    """The end of what a program printed, on one line."""
    return (
        " | ".join(line.strip() for line in text.strip().splitlines()[-lines:] if line.strip()) or "it printed nothing"
    )
