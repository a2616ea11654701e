"""Has the worker of this node play one stream, and keeps of its events what the site counts. Runs on any Python 3.7 or newer."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import zipfile
from contextlib import suppress
from typing import IO, Any

KINDS = ("runner_on_ok", "runner_on_failed", "runner_on_unreachable", "runner_on_skipped")
ENDS = ("playbook_on_stats", "playbook_on_play_start")
COUNTED = ("host", "task", "play", "role", "start", "end", "ignore_errors", "ok", "changed", "dark", "failures")
READ = ("roles", "results", "module_stderr", "msg", "stderr", "censored", "changed", "as_declared", "diff")
"""What the site reads of an event and of its result; the rest stays here."""
REASONS = "rackwright_reboot_reasons"


def play(command: list[str], order: dict[str, Any], bundle: bytes, stream: bytes) -> tuple[list[Any], str]:
    """Speaks with the bootstrap of worker mode, which becomes the launcher of the play."""
    header = {
        "folder": "/opt/rackwright/worker", "digest": order["files"]["bundle"], "size": len(bundle), "python": order["python"],
    }  # fmt: skip
    with subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        try:
            running.stdin.write(line(header))
            running.stdin.flush()
            answer = json.loads(running.stdout.readline() or b"{}")
            if "have" not in answer:
                return [], str(answer.get("refused", "the worker did not begin"))
            running.stdin.write((b"" if answer["have"] else bundle) + stream)
            running.stdin.flush()
            return _events(running.stdout)
        except (BrokenPipeError, ValueError) as error:
            return [], f"the worker ended early ({error})"
        finally:
            with suppress(BrokenPipeError):
                running.stdin.close()


def _events(back: IO[bytes]) -> tuple[list[Any], str]:
    events: list[Any] = []
    why = ""
    for text in iter(back.readline, b""):
        message = json.loads(text)
        if message.get("status") == "error":
            why = str(message.get("job_explanation", "the worker failed"))
        elif "zipfile" in message:
            back.read(-(-int(message["zipfile"]) // 3) * 4)
        elif "eof" in message:
            return events, why
        elif message.get("event") in KINDS + ENDS:
            events.append(_short(message))
    return events, why or "the worker ended without a result"


def _short(message: dict[str, Any]) -> dict[str, Any]:
    data = message.get("event_data") or {}
    short = {name: data[name] for name in COUNTED if name in data}
    result = data.get("res") or {}
    short_result = {name: result[name] for name in READ if name in result}
    facts = result.get("ansible_facts") or {}
    if REASONS in facts:
        short_result["ansible_facts"] = {REASONS: facts[REASONS]}
    return {"event": message["event"], "event_data": {**short, "res": short_result} if short_result else short}


def reboot_needed(events: list[Any]) -> bool:
    """Whether the last that was heard of it is a reason for a reboot."""
    reasons = [event["event_data"].get("res", {}).get("ansible_facts", {}).get(REASONS) for event in events]
    heard = [words for words in reasons if words is not None]
    return bool(heard and heard[-1])


def line(words: dict[str, Any]) -> bytes:
    """`words` as one line of a stream."""
    return json.dumps(words).encode() + b"\n"


def zipped(files: dict[str, Any]) -> bytes:
    """A folder as ansible-runner streams it (ansible_runner/utils/streaming.py of 2.4): its size, then the archive in base64."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = (0o100600 << 16), zipfile.ZIP_DEFLATED
            target.writestr(entry, data)
    data = archive.getvalue()
    return line({"zipfile": len(data)}) + base64.b64encode(data)
