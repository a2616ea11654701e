"""The verbs that are killed: with which words, in which workspace, and what must be the same in the end as without a kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rackwright.collect import Store, load_merged, verify
from rackwright.flow import sealed_history
from tests.handovers import NODES, SITE

ON_NODES = ("--work", "{work}", "--nodes", ",".join(NODES))
JUDGED = ("judge", SITE, *ON_NODES)
REPAIRED = "reseated by a test"


@dataclass(frozen=True)
class KilledVerb:
    """One verb."""

    words: tuple[str, ...]
    begin: str
    """``empty``, ``evidence`` (a workspace with evidence) or ``signed`` (one whose judgement is signed)."""
    result: Callable[[Path], object]
    """What a workspace holds of its result; equal for equal runs."""
    machines: bool = False
    """Whether it asks machines: it is played inside a twin."""

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


def of_last_run(store: Store) -> list[str]:
    """What is wrong with the evidence of the last run; one that was killed is known to be cut off."""
    return [str(problem) for problem in verify(store) if store.runs()[-1] in str(problem)]


def records(work: Path) -> object:
    """Names of the records of each node, and what is wrong with the last run."""
    store = Store(work / "evidence")
    by_node = {name: sorted(kind.__name__ for kind in unit.records) for name, unit in load_merged(store).items()}
    return by_node, of_last_run(store)


def isolation(work: Path) -> object:
    """The last conclusion about the nodes, and what is wrong with the last run."""
    store = Store(work / "evidence")
    last = sealed_history.read_history(store, store.runs()).isolations[-1]
    return last.faulty, last.cleared, last.unsettled, of_last_run(store)


def machines(work: Path) -> object:
    """What the engine holds of the machines: no operation of it is open."""
    [file] = (work / "pulumi" / "state").rglob("stacks/*/*.json")
    stack = json.loads(file.read_text())["checkpoint"]["latest"]
    return sorted(resource["urn"] for resource in stack["resources"]), stack.get("pending_operations")


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
        ("isolate", SITE, *ON_NODES, "--plan", "--out", "{work}/rounds.jsonl"),
        "evidence",
        text("rounds.jsonl"),
    ),
    "collect": KilledVerb(("collect", SITE, *ON_NODES), "empty", records, machines=True),
    "burnin": KilledVerb(
        ("burnin", SITE, *ON_NODES, "--tests", "link_soak", "--cooldown", "0", "--unscheduled"),
        "empty",
        records,
        machines=True,
    ),
    "isolate --run": KilledVerb(("isolate", SITE, *ON_NODES, "--run"), "empty", isolation, machines=True),
    "up": KilledVerb(("up", SITE, *ON_NODES), "empty", machines, machines=True),
}
