"""Numbers for Prometheus (text format 0.0.4, prometheus.io/docs/instrumenting/exposition_formats, read 2026-11-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rackwright.serve.context import ServerContext
from rackwright.serve.status_watch import NoAnswerError, Statuses

CONTENT = "text/plain; version=0.0.4; charset=utf-8"
Sample = tuple[Mapping[str, str], float]


async def metrics_text(context: ServerContext) -> str:
    """The page in text format."""
    try:
        statuses: Statuses = await context.watch.statuses()
        readable = 1
    except NoAnswerError:
        statuses, readable = {}, 0
    outbox = context.outbox.counts()
    head = context.watch.head
    families: list[tuple[str, str, str, list[Sample]]] = [
        ("rackwright_up", "gauge", "1 while decisions can be read and are what was written.", [({}, readable)]),
        ("rackwright_ledger_link", "counter", "Last link of the ledger that was read.", [({}, head.link if head else 0)]),
        ("rackwright_subjects", "gauge", "Subjects by kind and state.", _subjects(statuses)),
        ("rackwright_node_released", "gauge", "1 for a node that is released.", _nodes(statuses)),
        ("rackwright_webhook_waiting", "gauge", "Messages that wait.",
         [({"webhook": name}, waiting) for name, (waiting, _) in outbox.items()]),
        ("rackwright_webhook_given_up", "gauge", "Messages that no call delivered.",
         [({"webhook": name}, given_up) for name, (_, given_up) in outbox.items()]),
        ("rackwright_requests_total", "counter", "Requests by status.",
         [({"status": str(status)}, count) for status, count in sorted(context.answered.items())]),
        ("rackwright_failed_logins_total", "counter", "Requests without a valid token.", [({}, context.logins.count)]),
    ]  # fmt: skip
    return "".join(line for family in families for line in _family(*family))


def _family(name: str, kind: str, text: str, samples: list[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {text}\n# TYPE {name} {kind}\n"
    for labels, value in samples:
        inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        yield f"{name}{{{inside}}} {value:g}\n" if inside else f"{name} {value:g}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _subjects(statuses: Statuses) -> list[Sample]:
    counts = Counter((status.kind, status.state) for status in statuses.values())
    kinds = dict.fromkeys(status.kind for status in statuses.values())
    return [({"kind": kind, "state": state}, counts[kind, state]) for kind in kinds for state in ("held", "released")]


def _nodes(statuses: Statuses) -> list[Sample]:
    nodes = [status for status in statuses.values() if status.kind == "node"]
    return [({"node": status.name}, int(status.state == "released")) for status in nodes]
