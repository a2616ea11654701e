"""Kubernetes' view of the design: labels of every node, and the objects of the platform's components, as files to apply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl
import yaml

from rackwright.compat import kubernetes_lock
from rackwright.export import export_request, slices
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.plain import Names, require
from rackwright.locality import groups
from rackwright.model.design import Design
from rackwright.platform import chart_values, components, design_values, job_templates, serving
from rackwright.platform.labels import label
from rackwright.platform.object import Object

VALUE = Names(
    "Kubernetes", r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?", 63, "letters, digits, dots, hyphens, underscores"
)
"""A label value (Kubernetes, Labels and Selectors: Syntax and character set)."""
JOB_HEAD = f"""\
# The smallest job of its class, written by rackwright export. Copy it; set its image ({job_templates.IMAGE}), command and size.
"""


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """``nodes.yaml``, ``topology.yaml``, a file for each further component, values of charts, and ``slices.yaml`` for rented slices.

    Raises `UsageError` for a scheme of labels that is not known, and where nothing of the site is for Kubernetes.
    """
    rented = [_file("slices", slices.head(design), slices.objects(design))] if design.site.slices else []
    if rented and not request.pools and not design.site.pools_of("kubernetes"):
        return rented
    pools = export_request.pools(design, request, "kubernetes")
    fabrics = export_request.fabrics(design, request) if request.fabric else groups.default_fabrics(design)
    labels = label(design, pools, fabrics, request.labels)
    require(VALUE, [labels.nodes[column] for column in ("node", *labels.keys.values())])
    head = (
        f"# Kubernetes topology of {design.site.site}, written by rackwright export. Change the site, not this file.\n"
    )
    nodes = ExportFile("nodes.yaml", (head, "".join(_manifests(labels.nodes, labels.keys))), labels.nodes.height)
    files = components.objects(design, labels, request.resources)
    values = [*_values_of_charts(design, request), *_values_of_served(design, request)]
    jobs = job_templates.files(design, files.get("queues", []), request.resources)
    written = [_file(f"{job_templates.FOLDER}/{name}", JOB_HEAD, entries) for name, entries in jobs.items()]
    return [nodes, *(_file(name, head, entries) for name, entries in files.items()), *rented, *values, *written]


def _file(name: str, head: str, objects: list[Object]) -> ExportFile:
    rows = len(objects[0]["spec"]["levels"]) if name == "topology" and len(objects) == 1 else len(objects)
    return ExportFile(f"{name}.yaml", (head, *documents(objects)), rows)


def _values_of_charts(design: Design, request: ExportRequest) -> Iterator[ExportFile]:
    """Values of charts, in a folder of their own so that `kubectl apply` of the other files skips them."""
    for name, values in design_values.of_design(design, request.resources).items():
        file = f"{chart_values.FOLDER}/{name}.yaml"
        yield _values(design, name, file, kubernetes_lock.load().by_name()[name].install_command(file), values)


def _values_of_served(design: Design, request: ExportRequest) -> Iterator[ExportFile]:
    """One file of values for each class that serves a model, and each chart."""
    for name, served, values in serving.releases(design, request.resources):
        file = f"{chart_values.FOLDER}/{name}-{served.job.name}.yaml"
        component = kubernetes_lock.load().by_name()[name]
        yield _values(design, name, file, component.install_command(file, served.release(name), served.tenant), values)


def _values(design: Design, name: str, file: str, command: str, values: Mapping[str, Any]) -> ExportFile:
    head = f"# Values of the chart of {name} for {design.site.site}, written by rackwright export:\n#   {command}\n"
    return ExportFile(file, (head, yaml.dump(values, Dumper=_Indented, sort_keys=False)), len(values))


class _Indented(yaml.SafeDumper):
    """Indents entries of a list below their key, as the documentation of Kubernetes does."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - as PyYAML calls it
        """Indent always."""
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Text of several lines as a literal block."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Indented.add_representer(str, _text)


def documents(objects: Iterable[Object]) -> list[str]:
    """Each object as a YAML document; separators between them."""
    texts = [yaml.dump(entry, Dumper=_Indented, sort_keys=False, allow_unicode=True, width=120) for entry in objects]
    return [text if at == 0 else f"---\n{text}" for at, text in enumerate(texts)]


def _manifests(nodes: pl.DataFrame, labels: Mapping[str, str]) -> pl.Series:
    """One Node object per node; labels without a value are left out. Values match `VALUE`, and are quoted nevertheless."""
    lines = [
        pl.when(pl.col(column).is_not_null())
        .then(pl.concat_str(pl.lit(f'    {key}: "'), column, pl.lit('"\n')))
        .otherwise(pl.lit(""))
        for key, column in labels.items()
    ]
    head = pl.lit('---\napiVersion: v1\nkind: Node\nmetadata:\n  name: "')
    return nodes.select(pl.concat_str(head, "node", pl.lit('"\n  labels:\n'), *lines)).to_series()
