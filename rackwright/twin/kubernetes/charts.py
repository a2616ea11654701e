"""Objects of a chart as the real helm renders it, without a cluster."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from rackwright.base.errors import OutsideError
from rackwright.base.yaml_text import SAFE_LOADER
from rackwright.platform.object import Object
from rackwright.twin.kubernetes.programs import RELEASE

CLUSTER_WIDE = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
"""Kinds to which a chart gives a namespace although they have none (kueue 0.14.0); kubectl and helm drop it as well."""


def render(helm: str, chart: Path, namespace: str, values: Mapping[str, Any]) -> list[Object]:
    """What `helm install` with these values would apply, kinds and namespace first. OutsideError with the words of helm."""
    options = (f"--namespace={namespace}", f"--kube-version={RELEASE}", "--include-crds", "--values=-")
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "KUBECONFIG": os.devnull}  # nothing of whoever calls
    done = subprocess.run(
        [helm, "template", chart.name, str(chart), *options], input=json.dumps(values), env=env, capture_output=True, text=True, check=False
    )  # fmt: skip
    if done.returncode:
        raise OutsideError(f"helm does not render the chart {chart.name}: {done.stderr.strip()}")
    objects = [entry for entry in yaml.load_all(done.stdout, Loader=SAFE_LOADER) if entry]
    for entry in objects:
        if entry["kind"] in CLUSTER_WIDE:
            entry["metadata"].pop("namespace", None)
    kinds = [entry for entry in objects if entry["kind"] == "CustomResourceDefinition"]
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    return [*kinds, space, *(entry for entry in objects if entry not in kinds)]
