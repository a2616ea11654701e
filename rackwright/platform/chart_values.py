"""Values of charts that depend only on the components of a site; data in ``chart_values.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.compat import kubernetes_addons, kubernetes_lock
from rackwright.model.base import Name, Record
from rackwright.model.site import Site
from rackwright.platform.acceptance_guard import TAINT

Values = dict[str, Any]
FOLDER = "values"
"""Folder of an export, beside the objects."""
WAITING = "$waiting"
"""Placeholder in a list of tolerations: the toleration of nodes that wait for acceptance."""
TOLERATION = {"key": TAINT, "operator": "Exists", "effect": "NoSchedule"}


class ChartValues(Record):
    """Values of a chart, and the sites to which they apply."""

    chart: Name
    beside: list[Name] = []
    """Components of which the site must have at least one."""
    without: list[Name] = []
    """Components that the site may not have."""
    software: list[str] = []
    """Fields of the bill of which at least one is given for Kubernetes nodes."""
    values: Values
    source: str
    date: str

    def are_for(self, addons: Mapping[str, str], software: set[str]) -> bool:
        """Whether they apply to a site with these components, and these fields in the bills of its nodes."""
        return (
            self.chart in addons
            and (not self.beside or any(name in addons for name in self.beside))
            and not any(name in addons for name in self.without)
            and (not self.software or bool(software & set(self.software)))
        )


def of_site(site: Site) -> dict[str, Values]:
    """Add-on -> values, for charts that do not work with their defaults, in a release that the data is for."""
    control = site.control.kubernetes
    versions = {name: control.addon_version(name) for name in control.addons} if control else {}
    addons = {name: version for name, version in versions.items() if version}
    bills = [site.software.bill(pool.name) for pool in site.pools_of("kubernetes")]
    software = {name for bill in bills for name, value in bill if value}
    result: dict[str, Values] = {}
    for row in rows():
        if row.are_for(addons, software) and as_pinned(row.chart, addons[row.chart]):
            result[row.chart] = joined(result.get(row.chart, {}), row.values)
    return result


def as_pinned(name: str, version: str) -> bool:
    """Whether a release has the same API as the pinned one, for whose chart the values are written."""
    table = kubernetes_addons.load().by_name()[name]
    pinned = table.release(kubernetes_lock.load().by_name()[name].version)
    return pinned is not None and table.release(version) == pinned


def joined(values: Any, more: Any) -> Any:
    """`values` with `more` on top: mappings are merged and lists appended; anything else is replaced."""
    if isinstance(more, dict):
        former = values if isinstance(values, dict) else {}
        return {**former, **{key: joined(former.get(key), value) for key, value in more.items()}}
    if isinstance(more, list):
        return [*(values or []), *(TOLERATION if entry == WAITING else entry for entry in more)]
    return more


@cache
def rows() -> list[ChartValues]:
    """Every row, in the order in which they are merged."""
    text = Path(__file__).with_name("chart_values.yaml").read_text(encoding="utf-8")
    return [ChartValues.model_validate(row) for row in yaml_text.load(text)["rows"]]
