"""A kubectl whose cluster is a folder: it runs the probes of Jobs on this machine, as good or bad as ``fate.json`` says."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

STATE = Path(os.environ["KUBECTL_STATE"])
WORDS = [word for word in sys.argv[1:] if not word.startswith(("--namespace", "--output"))]
FATE = json.loads((STATE / "fate.json").read_text())


def objects(kind):
    return [json.loads(path.read_text()) for path in sorted(STATE.glob(f"{kind}-*.json"))]


def create():
    remaining, decoder = sys.stdin.read(), json.JSONDecoder()
    while remaining.strip():
        document, end = decoder.raw_decode(remaining.lstrip())
        remaining = remaining.lstrip()[end:]
        if FATE.get("create") == document["kind"]:
            sys.exit(f"Error from server (Forbidden): {document['kind'].lower()}s is forbidden")
        path = STATE / f"{document['kind']}-{document['metadata']['name']}.json"
        path.write_text(json.dumps({**document, "begun": time.monotonic()}))


def fate(job):
    return FATE.get(job["metadata"]["labels"]["rackwright.io/node"], "Succeeded")


def pod(job):
    how = fate(job)
    status = {"phase": how if how in ("Succeeded", "Failed", "Running") else "Pending"}
    placed = {"type": "PodScheduled", "status": "True"}
    if how == "unschedulable":
        placed = {
            **placed,
            "status": "False",
            "reason": "Unschedulable",
            "message": "0/3 nodes are available: 1 too small.",
        }
    if how == "no image":
        waiting = {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}
        status["containerStatuses"] = [{"state": {"waiting": waiting}}]
    if how == "Failed":
        status["containerStatuses"] = [{"state": {"terminated": {"reason": "Error", "exitCode": 127}}}]
    name = job["metadata"]["name"]
    return {
        "metadata": {"name": f"{name}-x", "labels": job["metadata"]["labels"]},
        "status": {**status, "conditions": [placed]},
    }


def is_deleted(job):
    return fate(job) == "no pod" or (fate(job) == "deleted" and (STATE / "seen").exists())


def get():
    if WORDS[1] == "nodes":
        return FATE["nodes"]
    if WORDS[1] == "jobs":
        return [{"metadata": {**manifest["metadata"], "uid": "uid"}} for manifest in objects("Job")]
    if WORDS[1] == "events":
        return [{"message": "Error creating: violates PodSecurity"}] if FATE.get("events") else []
    pods = [pod(manifest) for manifest in objects("Job") if not is_deleted(manifest)]
    if pods:
        (STATE / "seen").touch()
    return pods


def logs():
    name = WORDS[1].removeprefix("pod/").removesuffix("-x")
    job = json.loads((STATE / f"Job-{name}.json").read_text())
    if fate(job) == "Failed":
        print("sh: python3: not found")
        return
    command, questions = job["spec"]["template"]["spec"]["containers"][0]["command"][4:6]
    import base64

    probe = base64.b64decode(objects("ConfigMap")[0]["binaryData"]["probe"])
    subprocess.run(["sh", "-c", command], input=probe + questions.encode(), check=False)


with (STATE / "calls").open("a") as calls:
    calls.write(json.dumps(WORDS) + "\n")
if FATE.get("dead") == WORDS[0]:
    sys.exit("Unable to connect to the server: dial tcp: connection refused")
if WORDS[0] == "create":
    create()
elif WORDS[0] == "get":
    print(json.dumps({"items": get()}))
elif WORDS[0] == "logs":
    logs()
elif WORDS[0] == "delete":
    for path in STATE.glob("*-rackwright-*.json"):
        if WORDS[1].startswith("jobs") or WORDS[1].removeprefix("job/") in path.name:
            path.unlink()
