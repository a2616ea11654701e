"""keepalived of a twin node: reads its configuration as the real one does at its start, and runs; the address stays where the twin's API server is.

Shape: keepalived 2.2.7, lib/parser.c and keepalived/vrrp/vrrp_parser.c.
"""

from __future__ import annotations

import os
import re
import signal
import sys

from . import parts

CONFIGURATION = "/etc/keepalived/keepalived.conf"


def main() -> int:
    """Entry point."""
    try:
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = re.sub(r"[#!].*", "", file.read())
    except FileNotFoundError:
        print(f"Unable to find configuration file {CONFIGURATION} (glob returned 3)", file=sys.stderr)
        return 1
    if wrong := _wrong(text):
        print(wrong, file=sys.stderr)
        return 1
    parts.ready()
    print("Startup complete", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    return 0


def _wrong(text: str) -> str:
    """The error that the real one would exit with; empty if it would run."""
    if text.count("{") != text.count("}"):
        return f"({CONFIGURATION}: Line {len(text.splitlines())}) Missing '}}' at end of file"
    for interface in re.findall(r"^\s*interface\s+(\S+)", text, re.MULTILINE):
        if not os.path.exists(f"/sys/class/net/{interface}"):
            return f"WARNING - interface {interface} for vrrp_instance doesn't exist"
    for script in re.findall(r'script\s+"(\S+)', text):
        if not os.access(script, os.X_OK):
            return f"WARNING - script '{script}' is not executable for uid:gid 0:0 - disabling."
    return ""
