"""Values of charts of components, as far as they follow from a site; data in ``chart_values.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rackwright.base import yaml_text
from rackwright.compat import kubernetes_addons, kubernetes_lock
from rackwright.model.site import Site

Values = dict[str, Any]
FOLDER = "values"
"""Of an export, beside the objects."""


def of_site(site: Site) -> dict[str, Values]:
    """Values by add-on, in a release that the data is for: of charts that do not do as they come."""
    control = site.control.kubernetes
    versions = {name: control.addon_version(name) if control else "" for name in _data()}
    return {name: _values(name) for name, version in versions.items() if version and _as_pinned(name, version)}


def _as_pinned(name: str, version: str) -> bool:
    """Whether a release is of the line that is pinned, whose chart the values are written for."""
    table = kubernetes_addons.load().by_name()[name]
    pinned = table.release(kubernetes_lock.load().by_name()[name].version)
    return pinned is not None and table.release(version) == pinned


def _values(name: str) -> Values:
    return _kueue() if name == "kueue" else dict(_data()[name])


def _kueue() -> Values:
    data = _data()["kueue"]
    configuration = {**data["configuration"], "resources": {"excludeResourcePrefixes": data["uncounted"]}}
    return {"managerConfig": {"controllerManagerConfigYaml": yaml.safe_dump(configuration, sort_keys=False)}}


@cache
def _data() -> Mapping[str, Any]:
    text = (Path(__file__).with_name("chart_values.yaml")).read_text(encoding="utf-8")
    return dict(yaml_text.load(text))
