"""Checks on the host that the promises of a role hold, without changing anything.

An expectation is a regular expression on the output (``expect``, ``expect_not``), on a file, or a set of held packages.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

SECONDS = 60
POLL_SECONDS = 0.3


def problem(act, entry):
    """What is wrong, or an empty text. Key ``within``: seconds that a daemon may still need.

    Key ``left_to``: the check of acceptance that judges this instead. It is waited for, but then not reported here; a look, which does not wait,
    reports it.
    """
    end = time.monotonic() + (float(entry.get("within", 0)) if act.patient else 0)
    while True:
        message = _problem(act, entry)
        if not message or time.monotonic() >= end:
            if act.patient and "left_to" in entry:
                return ""
            return f"{entry['name']}: {message}. {entry['means']}" if message else ""
        time.sleep(POLL_SECONDS)


def _problem(act, entry):
    if "file" in entry:
        try:
            text = Path(entry["file"]).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            return f"{entry['file']} cannot be read ({error.strerror})"
        return _mismatch(entry, text, entry["file"])
    code, out, err = act.run(["timeout", "--kill-after=5", str(entry.get("seconds", SECONDS)), *entry["run"]])
    command = f"`{' '.join(entry['run'])}`"
    if code not in entry.get("ok_codes", [entry.get("rc", 0)]):
        words = (err or out).strip().splitlines()
        return f"{command} ended with {code}" + (f" ({words[-1]})" if words else "")
    return _mismatch(entry, out, command)


def _mismatch(entry, text, where):
    lines = text.splitlines() or [""]
    if "expect" in entry:
        pattern = re.compile(entry["expect"], re.MULTILINE)
        texts = lines if entry.get("every_line") else [text]
        wrong = [part for part in texts if not pattern.search(part)]
        if wrong:
            return f"{where} says {_short(wrong[0])}, expected {entry['expect']}"
    if "expect_not" in entry:
        match = re.search(entry["expect_not"], text, re.MULTILINE)
        if match:
            return f"{where} says {_short(match[0])}, which must not be"
    if "lines" in entry and len([line for line in lines if line.strip()]) != int(entry["lines"]):
        return f"{where} has {len([line for line in lines if line.strip()])} lines, expected {entry['lines']}"
    return ""


def _short(text, longest=200):
    words = " ".join(text.split())
    return repr(words if len(words) <= longest else words[:longest] + " ...")
