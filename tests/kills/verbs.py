"""The verbs that are killed: with which words, in which workspace, and what must be the same in the end as without a kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rackwright.collect import Store
from rackwright.flow import sealed_history
from tests.handovers import NODES, SITE

JUDGED = ("judge", SITE, "--work", "{work}", "--nodes", ",".join(NODES))
REPAIRED = "reseated by a test"


@dataclass(frozen=True)
class KilledVerb:
    """One verb."""

    words: tuple[str, ...]
    begin: str
    """``evidence`` (a workspace with evidence) or ``signed`` (one whose judgement is signed)."""
    result: Callable[[Path], object]
    """What a workspace holds of its result; equal for equal runs."""

    def argv(self, work: Path) -> list[str]:
        """The command line in `work`."""
        return [word.format(work=work) for word in self.words]


def judgement(work: Path) -> object:
    """Verdicts and decisions of ``judgement.json``, without times and ids of the run."""
    stored = json.loads((work / "report" / "judgement.json").read_text())
    return [stored[name] for name in ("verdicts_sha256", "groups", "waivers")] + [
        {name: decision[name] for name in ("node", "accepted")} for decision in stored["decisions"]
    ]


def bundles(work: Path) -> object:
    """Whether there is a signed bundle with all its files, besides what the workspace began with."""
    folders = [path for path in (work / "handover").glob("[!.]*") if path.is_dir()]
    return all(
        (folder / "statement.dsse.json").is_file() or list(folder.glob("*.json")) for folder in folders
    ) and bool(folders)


def repairs(work: Path) -> object:
    """Notes of sealed repairs."""
    store = Store(work / "evidence")
    return sorted({repair.note for repair in sealed_history.read_history(store, store.runs()).repairs})


def text(name: str) -> Callable[[Path], object]:
    """The content of a file."""
    return lambda work: (work / name).read_text()


VERBS = {
    "judge": KilledVerb(
        (*JUDGED, "--learn", "{work}/learned.yaml"), "evidence", lambda work: (work / "learned.yaml").exists()
    ),
    "gate": KilledVerb(("gate", *JUDGED[1:], "--sign"), "evidence", lambda work: [judgement(work), bundles(work)]),
    "attest": KilledVerb(("attest", SITE, "--work", "{work}"), "signed", lambda work: [judgement(work), bundles(work)]),
    "repair": KilledVerb(
        (
            "repair",
            SITE,
            "--work",
            "{work}",
            "--node",
            NODES[0],
            "--action",
            "reseat",
            "--by",
            "anna",
            "--note",
            REPAIRED,
        ),
        "signed",
        repairs,
    ),
    "isolate": KilledVerb(
        ("isolate", SITE, "--work", "{work}", "--nodes", ",".join(NODES), "--plan", "--out", "{work}/rounds.jsonl"),
        "evidence",
        text("rounds.jsonl"),
    ),
}
