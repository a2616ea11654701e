"""Makes a host ask for its orders: the agent, what it knows the site by, and its unit, as one shell script that root runs once."""

from __future__ import annotations

import base64
import json
import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any

from rackwright.base import concurrency, elevation
from rackwright.onboard import settings
from rackwright.onboard.pull.listening import PullListening
from rackwright.onboard.pull.pull_keys import PullKeys
from rackwright.onboard.worker_link import END_SECONDS, connection

AGENT, CONFIG = "/opt/rackwright/pull", "/etc/rackwright/pull.json"
PROGRAMS = ("pull_agent.py", "pull_worker.py", "bootstrap.py")
UNIT = f"""\
[Unit]
Description=rackwright: ask for the order of this node, play it, post its result
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=/usr/bin/python3 {AGENT}/pull_agent.py {CONFIG}
Restart=always
RestartSec=30
TimeoutStopSec=60

[Install]
WantedBy=multi-user.target
"""


def script(node: str, keys: PullKeys, where: PullListening) -> str:
    """The script for `node`. It holds the token of the node: who reads it can speak for the node."""
    config = {
        "node": node,
        "url": where.url,
        "certificate": keys.server_certificate,
        "signers": keys.allowed_signers,
        "token": keys.token(node),
        "state": "/var/lib/rackwright/pull",
        "worker": [f"{AGENT}/bootstrap.py"],
    }
    code = resources.files("rackwright.onboard.node")
    files = {
        **{f"{AGENT}/{name}": code.joinpath(name).read_text("utf-8") for name in PROGRAMS},
        CONFIG: json.dumps(config, indent=1),
        "/etc/systemd/system/rackwright-pull.service": UNIT,
    }
    lines = ["set -e", f"install -d -m 755 {AGENT} /etc/rackwright"]
    for path, text in files.items():
        mode = "600" if path == CONFIG else "644"
        lines.append(f"install -m {mode} /dev/null {path}")
        lines.append(f"base64 -d > {path} <<'END'\n{base64.encodebytes(text.encode()).decode()}END")
    lines += ["systemctl daemon-reload", "systemctl enable rackwright-pull.service"]
    return "\n".join([*lines, "systemctl restart rackwright-pull.service", ""])


def enrol(hosts: Mapping[str, Mapping[str, Any]], keys: PullKeys, where: PullListening) -> dict[str, str]:
    """Enrol hosts over SSH; why it failed, by host, for those that are not. `hosts`: variables of each, as the inventory has them."""

    def enrolled(name: str) -> str:
        return _run_on_host(hosts[name], script(name, keys, where))

    with ThreadPoolExecutor(concurrency.at_once("enrolled_hosts"), thread_name_prefix="enrol") as pool:
        reasons = dict(zip(hosts, pool.map(enrolled, hosts), strict=True))
    return {name: why for name, why in reasons.items() if why}


def _run_on_host(variables: Mapping[str, Any], text: str) -> str:
    user = variables["ansible_user"]
    words: Sequence[str] = connection(variables, elevation.as_root(user, ["sh"]))
    try:
        done = subprocess.run(
            words, input=text.encode(), capture_output=True, check=False, env=settings.child(os.environ),
            timeout=settings.CONNECT_SECONDS + END_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{shlex.join(words[-1:])} did not end in time"
    last = (done.stderr.decode(errors="replace").strip().splitlines() or [f"status {done.returncode}"])[-1]
    refused = elevation.refusal(user, str(variables["ansible_host"]), last)
    return "" if done.returncode == 0 else refused or last
