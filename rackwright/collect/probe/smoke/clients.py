"""The clients: start one server per accelerator, send all of them the same prompts at the same time, and time every
answer.

``python -m rackwright_smoke.clients KIND COUNT REQUESTS`` prints a JSON line per server and an ``end``. A request that
fails is counted, and the next one is still sent; a server that never starts has no answered request.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import subprocess
import sys
import threading
import time
from typing import Any

PROMPT, MOST = 48, 64
"""Number of words in a prompt and in an answer."""
PATIENCE = 120.0
"""Seconds until an answer counts as failed."""


def main(words: list[str]) -> int:
    """Run all clients; returns the exit status."""
    kind, count, requests = words[0], int(words[1]), int(words[2])
    command = [sys.executable, "-m", "rackwright_smoke.answer", kind]
    servers = [subprocess.Popen([*command, str(i)], stdout=subprocess.PIPE) for i in range(count)]
    replicas: list[dict[str, Any]] = [{} for _ in servers]
    try:
        ready = [_ready(server) for server in servers]
        threads = [threading.Thread(target=_replica, args=(replicas, i, ready[i], requests)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for server in servers:
            server.kill()
    for replica in replicas:
        print(json.dumps({"line": "replica", **replica}))
    tool = next((server["tool"] for server in ready if server), "torch")
    print(json.dumps({"line": "end", "tool": tool, "replicas": count, "prompt_tokens": PROMPT, "answer_tokens": MOST}))
    return 0


def _ready(server: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The first line of a server, parsed; empty if it ended without one."""
    line = server.stdout.readline() if server.stdout else b""
    document: dict[str, Any] = json.loads(line) if line.strip() else {}
    return document


def _replica(replicas: list[dict[str, Any]], index: int, ready: dict[str, Any], requests: int) -> None:
    first, rates, answers, failed = [], [], [], 0
    for number in range(requests):
        try:
            tokens, waited, spent = ask(ready["port"], prompt(number))
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            failed += 1
            continue
        answers.append(tokens)
        first.append(round(waited, 5))
        rates.append(round(len(tokens) / spent, 1))
    replicas[index] = {
        "device": index, "product_name": ready.get("product_name", ""), "requests": requests, "failed": failed,
        "first_token_seconds": first, "tokens_per_s": rates,
        "digest": hashlib.sha256(json.dumps(answers).encode()).hexdigest() if answers else "",
    }  # fmt: skip


def prompt(number: int) -> list[int]:
    """The prompt with this number, as token numbers."""
    return [(number * 131 + place * 17) % 1009 for place in range(PROMPT)]


def ask(port: int, words: list[int]) -> tuple[list[int], float, float]:
    """The words of the answer, seconds to the first word and to the last one; ValueError for an answer that is cut off."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    began, first, tokens, done = time.monotonic(), 0.0, [], False
    body = json.dumps({"prompt": words, "max_tokens": MOST, "temperature": 0, "stream": True})
    try:
        link.request("POST", "/v1/completions", body, {"Content-Type": "application/json"})
        answer = link.getresponse()
        if answer.status != http.client.OK:
            raise ValueError(f"status {answer.status}")
        for line in answer:
            if line.startswith(b"data: [DONE]"):
                done = True
            elif line.startswith(b"data: "):
                tokens += json.loads(line[6:])["choices"][0]["token_ids"]
                first = first or time.monotonic() - began
    finally:
        link.close()
    if not done or len(tokens) != MOST:
        raise ValueError("the answer was cut off")
    return tokens, first, time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
