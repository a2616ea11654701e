"""The work as a pyinfra deploy: pyinfra executes this file for every host.

In: the list of `work`, in the file that the variable RACKWRIGHT_WORK names. The operations are pyinfra's own wherever it has one.
"""

import base64
import io
import json
import os
import shlex
from pathlib import Path

from pyinfra.operations import files, server, systemd

for number, act in enumerate(json.loads(Path(os.environ["RACKWRIGHT_WORK"]).read_text())):
    name = f"{act['role']} {number}"
    if act["kind"] == "fetch":
        files.download(name=name, src=act["url"], dest=act["path"])
    elif act["kind"] == "file":
        text = Path(act["from"]).read_bytes() if "from" in act else base64.b64decode(act.get("base64", ""))
        content = act["text"].encode() if "text" in act else text
        rights = {
            "mode": act.get("mode", "0644").lstrip("0"),
            "user": act.get("owner", "root"),
            "group": act.get("group", "root"),
        }
        files.put(name=name, src=io.BytesIO(content), dest=act["path"], create_remote_dir=True, **rights)
    elif act["kind"] == "link":
        files.link(name=name, path=act["path"], target=act["target"], force=True)
    elif act["kind"] == "group":
        server.group(name=name, group=act["name"], gid=act["gid"])
    elif act["kind"] == "user":
        server.user(name=name, user=act["name"], uid=act["uid"], group=act["group"])
    elif act["kind"] == "unit" and not act["masked"]:
        systemd.service(name=name, service=act["name"], running=True, enabled=True, _ignore_errors=act["missing_ok"])
    elif act["kind"] == "look":
        server.shell(name=name, commands=[shlex.join(act["run"])], _ignore_errors=True)
    elif act["kind"] == "run":
        server.shell(name=name, commands=[shlex.join(act["run"])])
